/* learn_pair: learns the subwords and vocabularies of two languages from word counts. */
#ifndef NMT_LEARN_PAIR_H
#define NMT_LEARN_PAIR_H

#include "words.h"

/* Learns into a pair without subwords and vocabularies, as the config says. -1 if the vocabulary threshold
 * leaves no words. */
int learn_pair(struct language_pair *pair, const struct word_tables *tables, const struct config *config,
               struct err *err);

#endif
