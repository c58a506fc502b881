/* told_words: what a user says of words that a training may not have seen (seen_words.h). */
#ifndef NMT_TOLD_WORDS_H
#define NMT_TOLD_WORDS_H

#include "strmap.h"

#include <stdbool.h>

struct told_words {
    struct strmap text;  /* words that are never protected, since terms have them: in lower case … */
    struct strmap begun; /* … and beginnings of such words */
    const struct strmap *translated; /* words that are protected because they have a translation: as they are
                                      * written, or in lower case; may be NULL */
};

void told_words_init(struct told_words *told, const struct strmap *translated);
void told_words_release(struct told_words *told);
/* Adds the words of a term, valid UTF-8; `begun`: the last one stands for all that begin so. */
void told_words_add_term(struct told_words *told, const char *term, size_t bytes, bool begun);

#endif
