/* protect: decides which strings of a sentence placeholders stand for (placeholder.h), and their numbers.
 *
 * Numbers go from 1 by the order in the source sentence. A sentence has at most PLACEHOLDERS; further strings
 * stay text. */
#ifndef NMT_PROTECT_H
#define NMT_PROTECT_H

#include "casing.h"
#include "patterns.h"
#include "placeholder.h"

/* What is protected. */
struct protect {
    unsigned kinds;                      /* a set of PATTERNS; 0: nothing */
    bool whole_words;                    /* only strings with blanks around them */
    const struct seen_words *seen;       /* of the source, for PATTERN_UNSEEN; may be NULL */
    const struct user_words *user_words; /* likewise; may be NULL */
};

/* A string and the number of its placeholder. */
struct protection_item {
    struct span span;
    int number;
    enum pattern_kind kind;
    const char *replacement; /* what the placeholder stands for instead; NULL: the string itself */
};

/* The protected strings of a sentence, in its order. */
struct protection {
    struct protection_item items[PLACEHOLDERS];
    int count;
    bool bare; /* the words of placeholders are without their strings */
};

/* Of a source sentence that will be translated: all strings. */
void protect_source(struct protection *source, const struct protect *protect, const char *text, size_t bytes);
/* first [PLACEHOLDERS]: by the number of an end tag of markup, that of its start tag; of others 0. */
void protect_find_starts(int *first, const struct protection *source, const char *text);
/* Of the beginning of its translation: strings that are protected in the source, each as often as there. */
void protect_prefix(struct protection *prefix, const struct protection *source, const char *source_text,
                    const struct protect *protect, const char *text, size_t bytes);
/* Adds to these the replacements of further strings of the source, where the beginning holds them; `lowered`:
 * maybe in lower case, with or without a capital. */
void protect_replacements(struct protection *prefix, const struct protection *source, enum casing casing,
                          bool lowered, const char *text, size_t bytes);
/* Of a sentence and its translation, text [2] and bytes [2] of each: sides [2] = the strings that both hold
 * the same number of times. */
void protect_pair(struct protection *sides, const struct protect *protect, const char *const *text,
                  const size_t *bytes);

#endif
