/* span: parts of a text. */
#ifndef NMT_SPAN_H
#define NMT_SPAN_H

#include <stddef.h>

/* Bytes begin to end - 1. */
struct span {
    size_t begin, end;
};

/* All zero is an empty list. */
struct spans {
    struct span *items;
    size_t count, capacity;
};

void spans_add(struct spans *spans, size_t begin, size_t end);
void spans_release(struct spans *spans);

#endif
