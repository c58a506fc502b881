/* unseen: what comes in the place of words that training never saw (seen_words.h): translations of a
 * dictionary, or the words themselves. */
#ifndef NMT_UNSEEN_H
#define NMT_UNSEEN_H

#include "protect.h"
#include "translate_options.h"

/* Sets the replacements of the unseen words of a source text; `capitals`: the line is one of capitals, which
 * the text is not. They lie in `memory`. */
void unseen_replace(struct protection *source, struct strbuf *memory, const struct translate_options *options,
                    const struct language_pair *pair, const char *text, size_t bytes, bool capitals);

#endif
