#include "text_file.h"

#include "corpus.h"
#include "fileio.h"
#include "mem.h"
#include "plural.h"

#include <stdlib.h>
#include <string.h>

void text_file_release(struct text_file *text)
{
    for (size_t i = 0; i < text->count; i++)
        free(text->lines[i]);
    free(text->lines);
    free(text->lengths);
    memset(text, 0, sizeof *text);
}

void text_file_add(struct text_file *text, const char *line, size_t bytes)
{
    GROW(text->lines, text->count + 1, text->room);
    GROW(text->lengths, text->count + 1, text->lengths_room);
    text->lengths[text->count] = bytes;
    text->lines[text->count++] = xstrndup(line, bytes);
}

int text_file_add_valid(struct text_file *text, const struct strbuf *line, const char *path, int64_t number,
                        struct err *err)
{
    if (line_check(line, path, number, err))
        return -1;
    text_file_add(text, line->text, line->length);
    return 0;
}

/* What take_line needs of the call. */
struct loading {
    struct text_file *text;
    const char *path;
};

static int take_line(void *context, const struct strbuf *line, int64_t number, struct err *err)
{
    const struct loading *loading = context;
    return text_file_add_valid(loading->text, line, loading->path, number, err);
}

int text_file_load(struct text_file *text, const char *path, struct err *err)
{
    const int status = file_each_line(path, take_line, &(struct loading){text, path}, err);
    if (status)
        text_file_release(text);
    return status;
}

int expect_lines(const char *path, size_t has, const char *other, size_t needs, struct err *err)
{
    return has == needs ? 0
                        : err_set(err, "'%s' has %zu line%s but '%s' has %zu", path, has, plural((double)has),
                                  other, needs);
}
