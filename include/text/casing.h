/* casing: capitals and small letters in the way of a language. Turkish and other languages of its neighbours
 * have two letters i: "i" with the capital "İ", and "ı" with the capital "I" (Unicode's SpecialCasing.txt).
 * Greek words in capitals have no accents, Armenian ones two letters for "և". */
#ifndef NMT_CASING_H
#define NMT_CASING_H

#include "strbuf.h"
#include "strmap.h"

#include <stdbool.h>
#include <stddef.h>

enum casing {
    CASING_COMMON, /* that of utf8.h */
    CASING_TURKIC,
    CASING_GREEK,
    CASING_ARMENIAN
};
#define CASINGS 4

/* The one of a language; `tag` (BCP 47) may be NULL. */
enum casing casing_of_language(const char *tag);
/* A word for files. */
const char *casing_name(enum casing casing);
/* Append valid text, as utf8_lower, utf8_upper and utf8_capitalize do otherwise. */
void casing_lower(struct strbuf *out, enum casing casing, const char *text, size_t bytes);
void casing_upper(struct strbuf *out, enum casing casing, const char *text, size_t bytes);
void casing_capitalize(struct strbuf *out, enum casing casing, const char *text, size_t bytes);
/* Appends what is the same for a word in capitals and in small letters: its lower case, in Greek without
 * accents, in Armenian without "և". */
void casing_fold(struct strbuf *out, enum casing casing, const char *text, size_t bytes);
/* Appends what words of all languages are compared by: the same, without Greek accents, with one letter i and
 * one sigma. */
void casing_fold_all(struct strbuf *out, const char *text, size_t bytes);
/* The number of a text in a map, as it is, or else in the lower case of its language, or of others; -1 if it
 * has none. `*as_it_is`: found as it is? */
int casing_find(bool *as_it_is, const struct strmap *map, enum casing casing, const char *text, size_t bytes);

#endif
