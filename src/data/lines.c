/* Checks lines of text, and keeps lists of lines in memory, added one by one or read from a file. */
#include "lines.h"

#include "fileio.h"
#include "mem.h"
#include "plural.h"
#include "utf8.h"

#include <string.h>

/* ---- valid lines ---- */

/* Guesses UTF-16 or UTF-32 from a first line that is not UTF-8: by its byte-order mark, or if every second
 * byte is NUL. Else NULL. */
static const char *wide_encoding(const struct strbuf *line)
{
    static const struct {
        const char *name;
        size_t bytes;
        char mark[4];
    } marks[] = {{"UTF-32", 4, "\xff\xfe\0"},
                 {"UTF-32", 4, {0, 0, '\xfe', '\xff'}},
                 {"UTF-16", 2, "\xff\xfe"},
                 {"UTF-16", 2, "\xfe\xff"}};
    for (size_t i = 0; i < sizeof marks / sizeof marks[0]; i++)
        if (line->length >= marks[i].bytes && !memcmp(line->text, marks[i].mark, marks[i].bytes))
            return marks[i].name;
    size_t nuls[2] = {0, 0};
    for (size_t i = 0; i < line->length; i++)
        nuls[i % 2] += !line->text[i];
    /* The newline is the low byte of a character: the line's length tells which half comes first. */
    const bool big_endian = line->length % 2;
    const bool is_utf16 = nuls[!big_endian] >= 2 && 4 * nuls[!big_endian] > line->length && !nuls[big_endian];
    return !is_utf16 ? NULL : big_endian ? "UTF-16BE" : "UTF-16LE";
}

int encoding_check(const struct strbuf *line, const char *path, int64_t number, struct err *err)
{
    const char *encoding = number == 1 ? wide_encoding(line) : NULL;
    return !encoding ? 0
                     : err_set(err, "cannot read '%s': this looks like %s: iconv -f %s -t UTF-8 makes it fit",
                               path, encoding, encoding);
}

size_t line_problem(const char *text, size_t bytes, const char **what)
{
    const size_t valid = utf8_check(text, bytes);
    const char *nul = memchr(text, '\0', valid);
    *what = nul ? "NUL byte" : "invalid UTF-8";
    return nul ? (size_t)(nul - text) : valid;
}

int line_check(const struct strbuf *line, size_t before, const char *path, int64_t number, struct err *err)
{
    const char *what;
    const size_t valid = line_problem(line->text, line->length, &what);
    if (valid == line->length)
        return 0;
    if (encoding_check(line, path, number, err))
        return -1;
    return err_set(err, "cannot read '%s': %s at line %lld, byte %zu", path, what, (long long)number,
                   before + valid + 1);
}

/* ---- lists ---- */

void lines_cut(struct lines *lines, size_t count)
{
    for (size_t i = count; i < lines->count; i++)
        xfree(lines->text[i]);
    lines->count = count;
}

void lines_reset(struct lines *lines)
{
    lines_cut(lines, 0);
}

void lines_release(struct lines *lines)
{
    lines_reset(lines);
    xfree(lines->text);
    xfree(lines->bytes);
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
    if (line_check(line, 0, path, number, err))
        return -1;
    lines_add(lines, line->text, line->length);
    return 0;
}

/* Context of take_line. */
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
    const int status = file_each_line(path, take_line, &(struct loading){lines, file_shown_name(path)}, err);
    if (status)
        lines_release(lines);
    return status;
}

int expect_lines(const char *path, size_t has, const char *other, size_t needs, struct err *err)
{
    return has == needs ? 0
                        : err_set(err, "'%s' has %zu line%s but '%s' has %zu", file_shown_name(path), has,
                                  plural((double)has), file_shown_name(other), needs);
}
