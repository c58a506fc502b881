/* Lines of text in memory, added one by one or read from a whole file. What a valid line is, corpus.c says.
 */
#include "lines.h"

#include "corpus.h"
#include "fileio.h"
#include "mem.h"
#include "plural.h"

#include <stdlib.h>
#include <string.h>

void lines_reset(struct lines *lines)
{
    for (size_t i = 0; i < lines->count; i++)
        free(lines->text[i]);
    lines->count = 0;
}

void lines_release(struct lines *lines)
{
    lines_reset(lines);
    free(lines->text);
    free(lines->bytes);
    memset(lines, 0, sizeof *lines);
}

void lines_add(struct lines *lines, const char *text, size_t bytes)
{
    GROW(lines->text, lines->count + 1, lines->text_capacity);
    GROW(lines->bytes, lines->count + 1, lines->bytes_capacity);
    lines->bytes[lines->count] = bytes;
    lines->text[lines->count++] = xstrndup(text, bytes);
}

int lines_add_valid(struct lines *lines, const struct strbuf *line, const char *path, int64_t number,
                    struct err *err)
{
    if (line_check(line, path, number, err))
        return -1;
    lines_add(lines, line->text, line->length);
    return 0;
}

/* What take_line needs of the call. */
struct loading {
    struct lines *lines;
    const char *path;
};

static int take_line(void *context, const struct strbuf *line, int64_t number, struct err *err)
{
    const struct loading *loading = context;
    return lines_add_valid(loading->lines, line, loading->path, number, err);
}

int lines_load(struct lines *lines, const char *path, struct err *err)
{
    const int status = file_each_line(path, take_line, &(struct loading){lines, path}, err);
    if (status)
        lines_release(lines);
    return status;
}

int expect_lines(const char *path, size_t has, const char *other, size_t needs, struct err *err)
{
    return has == needs ? 0
                        : err_set(err, "'%s' has %zu line%s but '%s' has %zu", path, has, plural((double)has),
                                  other, needs);
}
