/* Keeps every line of a text until there are too many, then every second, and so on. */
#include "line_sample.h"

#include "mem.h"

#include <stdbool.h>
#include <string.h>

#define MOST_LINES 100000
#define MOST_BYTES ((size_t)32 << 20)
#define MOST_LINE_BYTES (MOST_BYTES / 256)

/* Leaves every second line. */
static void halve(struct line_sample *sample)
{
    struct lines *lines = &sample->lines;
    size_t kept = 0;
    sample->bytes = 0;
    sample->halvings++;
    for (size_t i = 0; i < lines->count; i++)
        if (i % 2) {
            xfree(lines->text[i]);
        } else {
            lines->text[kept] = lines->text[i];
            lines->bytes[kept] = lines->bytes[i];
            sample->bytes += lines->bytes[kept++];
        }
    lines->count = kept;
}

void line_sample_add(struct line_sample *sample, const char *text, size_t bytes)
{
    const bool taken = !(sample->seen++ & (((int64_t)1 << sample->halvings) - 1));
    if (!taken || bytes > MOST_LINE_BYTES)
        return;
    lines_add(&sample->lines, text, bytes);
    sample->bytes += bytes;
    if (sample->lines.count >= MOST_LINES || sample->bytes > MOST_BYTES)
        halve(sample);
}

void line_sample_release(struct line_sample *sample)
{
    lines_release(&sample->lines);
    memset(sample, 0, sizeof *sample);
}
