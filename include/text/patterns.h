/* patterns: finds strings that a translation should leave as they are: addresses, markup, dates and so on.
 * The kinds are the rows of PATTERNS (choices.h). */
#ifndef NMT_PATTERNS_H
#define NMT_PATTERNS_H

#include "choices.h"
#include "span.h"

#include <stdbool.h>
#include <stddef.h>

/* Finds the next string in text[*at … bytes), which is valid UTF-8, of a kind in the set `kinds`: the first
 * one, and of those that begin at the same place the longest. *at moves behind it; false and *at = bytes at
 * the end. The time is linear in the text. */
bool patterns_next(struct span *span, const char *text, size_t bytes, size_t *at, unsigned kinds);

#endif
