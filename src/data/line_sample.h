/* line_sample: lines of a long text, evenly spread over it, in bounded memory. */
#ifndef NMT_LINE_SAMPLE_H
#define NMT_LINE_SAMPLE_H

#include "lines.h"

/* All zero is an empty one. */
struct line_sample {
    struct lines lines; /* every line of a short text, else every second, fourth, … */
    int64_t seen;
    int halvings;
    size_t bytes; /* of the lines */
};

/* Adds the next line of the text, unless it is left out. */
void line_sample_add(struct line_sample *sample, const char *text, size_t bytes);
void line_sample_release(struct line_sample *sample);

#endif
