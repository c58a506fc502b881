/* unseen: what comes in the place of words that training never saw (seen_words.h): translations of a
 * dictionary, or the words themselves. */
#ifndef NMT_UNSEEN_H
#define NMT_UNSEEN_H

#include "protect.h"
#include "translate_options.h"

/* Sets the replacements of the unseen words of a source text, with the casing [SIDES] of both languages;
 * `capitals`: the line is one of capitals, which the text is not. They lie in `memory`. */
void unseen_replace(struct protection *source, struct strbuf *memory, const struct translate_options *options,
                    const enum casing *casing, const char *text, bool capitals);

#endif
