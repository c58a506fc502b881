/* word_counts: how often words occur in a text. */
#ifndef NMT_WORD_COUNTS_H
#define NMT_WORD_COUNTS_H

#include "strmap.h"

#include <stdint.h>

struct word_counts {
    struct strmap words;
    int64_t *counts;
    size_t capacity;
};

void word_counts_init(struct word_counts *counts);
void word_counts_release(struct word_counts *counts);
/* Counts each word of a line (separated by blanks) `times` times. */
void word_counts_add(struct word_counts *counts, const char *text, size_t bytes, int64_t times);

#endif
