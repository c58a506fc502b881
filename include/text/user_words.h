/* user_words: words that a user's glossary and dictionary have, and a training may not (seen_words.h). */
#ifndef NMT_USER_WORDS_H
#define NMT_USER_WORDS_H

#include "casing.h"
#include "seen_words.h"
#include "strmap.h"

#include <stdbool.h>

struct user_words {
    enum casing casing;              /* of the source */
    const struct seen_words *seen;   /* by which terms are read; may be NULL */
    struct strmap term_words;        /* never protected, since terms have them: in lower case … */
    struct strmap term_beginnings;   /* … and beginnings of such words */
    const struct strmap *translated; /* protected because they have a translation: as they are written, or in
                                      * lower case; may be NULL */
    struct strmap read;              /* the same as text with them is read, where that is another one … */
    int *read_from;                  /* … [read.count]: its number in `translated` */
    size_t read_capacity;
};

/* `translated` and `seen` must outlive it. */
void user_words_init(struct user_words *user, enum casing casing, const struct seen_words *seen,
                     const struct strmap *translated);
void user_words_release(struct user_words *user);
/* The number in `translated` of a word, in NFC; -1 if it has no translation. *as_it_is: in this case. */
int user_words_find(bool *as_it_is, const struct user_words *user, const char *word, size_t bytes);
/* Adds the words of a term, valid UTF-8; `wildcard`: the last one stands for all that begin so. */
void user_words_add_term(struct user_words *user, const char *term, size_t bytes, bool wildcard);

#endif
