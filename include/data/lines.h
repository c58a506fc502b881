/* lines: text line by line: what a valid line is, and lists of lines in memory. What is too long for memory is
 * read through a line_window. */
#ifndef NMT_LINES_H
#define NMT_LINES_H

#include "err.h"
#include "strbuf.h"

#include <stddef.h>
#include <stdint.h>

/* Where a line stops being text: offset of the first invalid byte or NUL, `bytes` where all is well;
 * `what` becomes "invalid UTF-8" or "NUL byte". */
size_t line_problem(const char *text, size_t bytes, const char **what);
/* -1 where line `number` of `path` is the first one and looks like UTF-16 or UTF-32. */
int encoding_check(const struct strbuf *line, const char *path, int64_t number, struct err *err);
/* -1 where line `number` of `path` has a problem. */
int line_check(const struct strbuf *line, const char *path, int64_t number, struct err *err);

/* All zero is an empty one. */
struct lines {
    char **text;   /* [count]: each with a NUL at its end */
    size_t *bytes; /* [count]: before that */
    size_t count, text_capacity, bytes_capacity;
};

/* `count` lines of others from `first` on, to be read only; nothing to release. */
static inline struct lines lines_view(const struct lines *lines, size_t first, size_t count)
{
    return (struct lines){.text = lines->text + first, .bytes = lines->bytes + first, .count = count};
}
void lines_release(struct lines *lines);
/* Empties, and keeps the memory of the two arrays. */
void lines_reset(struct lines *lines);
void lines_add(struct lines *lines, const char *text, size_t bytes);
/* Line `number` of `path`, unless it is invalid. */
int lines_add_valid(struct lines *lines, const struct strbuf *line, const char *path, int64_t number,
                    struct err *err);
/* A whole file of valid lines. */
int lines_load(struct lines *lines, const char *path, struct err *err);
/* -1 where `path`, with so many lines, does not fit `other`. */
int expect_lines(const char *path, size_t has, const char *other, size_t needs, struct err *err);

#endif
