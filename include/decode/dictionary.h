/* dictionary: translations of single words, for words that a model does not know: a file of lines with a
 * source word, a tab and its translation. All zero is an empty one. */
#ifndef NMT_DICTIONARY_H
#define NMT_DICTIONARY_H

#include "err.h"
#include "strmap.h"

#include <stddef.h>

struct dictionary {
    char *path; /* NULL: none was loaded */
    struct strmap words;
    char **texts; /* [words.count] */
    size_t capacity;
};

/* Loads a file, whose first entry of a word counts. On failure there is nothing to release. */
int dictionary_load(struct dictionary *dictionary, const char *path, struct err *err);
void dictionary_release(struct dictionary *dictionary);

#endif
