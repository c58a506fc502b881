/* learn_pair: the subwords and vocabularies of two languages, out of their counted words. */
#ifndef NMT_LEARN_PAIR_H
#define NMT_LEARN_PAIR_H

#include "words.h"

/* Into a pair that has none yet; how many, by what threshold, joint or not, says the config. -1 where that
 * leaves no word of the text. */
int learn_pair(struct language_pair *pair, const struct word_tables *tables, const struct config *config,
               struct err *err);

#endif
