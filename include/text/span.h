/* span: a part of a text. */
#ifndef NMT_SPAN_H
#define NMT_SPAN_H

#include <stddef.h>

/* Bytes begin to end - 1. */
struct span {
    size_t begin, end;
};

#endif
