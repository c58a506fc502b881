/* word_list: words of a training, for tests, in one string. */
#ifndef NMT_TEST_WORD_LIST_H
#define NMT_TEST_WORD_LIST_H

#include "seen_words.h"

#include <string.h>

/* Adds words, of which each ends with a NUL. */
static inline void add_words(struct seen_words *seen, const char *words)
{
    for (; *words; words += strlen(words) + 1)
        seen_words_add(seen, words, strlen(words));
}

#endif
