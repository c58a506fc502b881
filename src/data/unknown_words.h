/* unknown_words: what of the training text the words that training begins with cannot write. */
#ifndef NMT_UNKNOWN_WORDS_H
#define NMT_UNKNOWN_WORDS_H

#include "prepare.h"
#include "spooled_text.h"

/* Passes on a message for each corpus and side with more than a few unknown tokens, after the text's ids were
 * written, and with the config and the pair of that. */
void unknown_words_tell(const struct spooled_text *text, const struct language_pair *pair,
                        const struct config *config, unknown_taker *take, void *context);

#endif
