/* patterns: finds strings that a translation should leave as they are: addresses, markup, dates and so on.
 * The kinds are the rows of PATTERNS (choices.h). */
#ifndef NMT_PATTERNS_H
#define NMT_PATTERNS_H

#include "choices.h"
#include "seen_words.h"
#include "span.h"
#include "user_words.h"

#include <stdbool.h>
#include <stddef.h>

/* A string that was found. */
struct pattern_string {
    struct span span;
    enum pattern_kind kind;
};

/* Strings of a text. */
struct text_strings {
    const char *text;
    const struct pattern_string *items; /* [count] */
    size_t count;
};

/* What is looked for. All pointers may be NULL. */
struct patterns {
    unsigned kinds;                      /* a set of PATTERNS; 0: nothing */
    const struct seen_words *seen;       /* PATTERN_UNSEEN is what is not among these … */
    const struct user_words *user_words; /* … but for what is said here; … */
    const struct text_strings *wanted;   /* … or instead, these, as whole words */
};

/* Finds the next string in text[*at … bytes), which is valid UTF-8: the first one, and of those that begin at
 * the same place the longest. Unseen words in a row with signs such as "--" in front, and unseen signs that
 * touch a string, are one string, of the kind of the first; not where words are wanted or have translations.
 * *at moves behind it; false and *at = bytes at the end. The time is linear in the text, but for the number
 * of wanted strings. */
bool patterns_next(struct pattern_string *string, const char *text, size_t bytes, size_t *at,
                   const struct patterns *patterns);

#endif
