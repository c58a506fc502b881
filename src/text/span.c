/* Lists of parts of a text. */
#include "span.h"

#include "mem.h"

#include <string.h>

void spans_add(struct spans *spans, size_t begin, size_t end)
{
    GROW(spans->items, spans->count + 1, spans->capacity);
    spans->items[spans->count++] = (struct span){begin, end};
}

void spans_release(struct spans *spans)
{
    xfree(spans->items);
    memset(spans, 0, sizeof *spans);
}
