/* compound: words that consist of known words, as German writes them: Hunde|führer, Regen|schirm|s. */
#ifndef NMT_COMPOUND_H
#define NMT_COMPOUND_H

#include "strmap.h"

#include <stdbool.h>
#include <stdint.h>

/* Does a word, valid UTF-8 in lower case, consist of two known words or more, or of one and an ending? Each
 * has at least four characters and up to two behind it that belong to no word: Sicherheit-s-gurt. Known are
 * the words of a map, with times [words->count] only those that occur twice at least; without, times is
 * NULL. */
bool compound_is(const char *word, size_t bytes, const struct strmap *words, const int64_t *times);

#endif
