/* lines: text line by line: validity of a line, and lists of lines in memory. */
#ifndef NMT_LINES_H
#define NMT_LINES_H

#include "err.h"
#include "strbuf.h"

#include <stddef.h>
#include <stdint.h>

/* Offset of the first invalid byte or NUL, `bytes` if there is none; `what` becomes "invalid UTF-8" or
 * "NUL byte". */
size_t line_problem(const char *text, size_t bytes, const char **what);
/* -1 if this is the first line of `path` and looks like UTF-16 or UTF-32. */
int encoding_check(const struct strbuf *line, const char *path, int64_t number, struct err *err);
/* -1 if line `number` of `path` is invalid, of which this is what stands behind the first `before` bytes. */
int line_check(const struct strbuf *line, size_t before, const char *path, int64_t number, struct err *err);

/* All zero is an empty list. */
struct lines {
    char **text;   /* [count]: each ends with a NUL */
    size_t *bytes; /* [count]: lengths without the NUL */
    size_t count, text_capacity, bytes_capacity;
};

/* A read-only view of `count` lines from `first` on; nothing to release. */
static inline struct lines lines_view(const struct lines *lines, size_t first, size_t count)
{
    return (struct lines){.text = lines->text + first, .bytes = lines->bytes + first, .count = count};
}
void lines_release(struct lines *lines);
/* Empties the list, but keeps its two arrays. */
void lines_reset(struct lines *lines);
/* Removes all but the first `count` lines. */
void lines_cut(struct lines *lines, size_t count);
void lines_add(struct lines *lines, const char *text, size_t bytes);
/* Adds line `number` of `path`; -1 if it is invalid. */
int lines_add_valid(struct lines *lines, const struct strbuf *line, const char *path, int64_t number,
                    struct err *err);
/* Loads a whole file of valid lines. */
int lines_load(struct lines *lines, const char *path, struct err *err);
/* -1 if the line counts of `path` (has) and `other` (needs) differ. */
int expect_lines(const char *path, size_t has, const char *other, size_t needs, struct err *err);

#endif
