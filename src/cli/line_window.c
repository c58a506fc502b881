/* Reads a stream window by window on rank 0, and sends each window to all ranks. The caller translates it. */
#include "line_window.h"

#include "plural.h"

#include <poll.h>
#include <stdlib.h>
#include <string.h>

#define MOST_BYTES LINE_MAX_BYTES /* a window ends after this many bytes */

void line_window_init(struct line_window *window, bool prefixes, long first, const struct ranks *ranks)
{
    *window = (struct line_window){
        .has_prefixes = prefixes, .capacity = (size_t)ranks->count * WINDOW_LINES, .first = first};
}

void line_window_release(struct line_window *window)
{
    lines_release(&window->lines);
    lines_release(&window->prefixes);
}

/* ---- reading ---- */

/* Would reading the next line block? */
static bool must_wait(const struct reader *reader)
{
    struct pollfd fd = {.fd = reader->fd, .events = POLLIN};
    return !reader_has_line(reader) && poll(&fd, 1, 0) == 0;
}

/* Reads lines until the window is full, the input ends, fails or would block. */
static int fill(struct line_window *window, struct reader *reader, struct strbuf *line, struct err *err)
{
    struct lines *lines = &window->lines;
    int status = 1;
    size_t bytes = 0;
    while (lines->count < window->capacity && bytes < MOST_BYTES && !(lines->count && must_wait(reader)) &&
           (status = reader_line(reader, line, err)) > 0) {
        if (encoding_check(line, reader->path, reader->line, err))
            return -1;
        lines_add(lines, line->text, line->length);
        bytes += line->length;
    }
    return status;
}

/* Reads a prefix for each line of the window from the other file. `over`: the lines have ended, and so
 * must the prefixes. */
static int fill_prefixes(struct line_window *window, struct reader *prefixes, struct strbuf *line, bool over,
                         struct err *err)
{
    struct lines *taken = &window->prefixes;
    while (taken->count < window->lines.count) {
        const long lines_before = window->first + (long)taken->count;
        const int status = reader_line(prefixes, line, err);
        if (status == 0)
            return err_set(err, "'%s' has only %ld line%s, fewer than the text to translate", prefixes->path,
                           lines_before, plural((double)lines_before));
        if (status < 0 || lines_add_valid(taken, line, prefixes->path, prefixes->line, err))
            return -1;
    }
    const int status = over ? reader_line(prefixes, line, err) : 0;
    const long all = window->first + (long)window->lines.count;
    return status > 0 ? err_set(err, "'%s' has more than the %ld line%s of the text to translate",
                                prefixes->path, all, plural((double)all))
                      : status;
}

/* ---- several ranks ---- */

static void pack_line(struct strbuf *out, const struct lines *lines, size_t i)
{
    strbuf_add(out, (const char *)&lines->bytes[i], sizeof lines->bytes[i]);
    strbuf_add(out, lines->text[i], lines->bytes[i]);
}

/* Appends a packed line; returns its end. */
static const char *unpack_line(struct lines *lines, const char *at)
{
    size_t bytes;
    memcpy(&bytes, at, sizeof bytes);
    lines_add(lines, at + sizeof bytes, bytes);
    return at + sizeof bytes + bytes;
}

/* Copies rank 0's window to all ranks. */
static void broadcast(struct line_window *window, const struct ranks *ranks)
{
    size_t count = window->lines.count;
    struct strbuf all;
    if (ranks->count == 1)
        return;
    strbuf_init(&all);
    for (size_t i = 0; i < count; i++) {
        pack_line(&all, &window->lines, i);
        if (window->has_prefixes)
            pack_line(&all, &window->prefixes, i);
    }
    ranks_broadcast(ranks, &window->first, sizeof window->first);
    ranks_broadcast(ranks, &count, sizeof count);
    ranks_broadcast_text(ranks, &all);
    const char *at = all.text;
    for (size_t i = 0; i < count && !ranks_is_first(ranks); i++) {
        at = unpack_line(&window->lines, at);
        if (window->has_prefixes)
            at = unpack_line(&window->prefixes, at);
    }
    strbuf_release(&all);
}

/* Fills the window with lines, and with a prefix for each. A failure is reported once the lines before it
 * have been returned. */
static int fill_all(struct line_window *window, struct reader *reader, struct reader *prefixes,
                    struct err *err)
{
    struct strbuf line;
    struct err prefix_err;
    if (window->failed) {
        *err = window->failure;
        return -1;
    }
    strbuf_init(&line);
    int status = fill(window, reader, &line, err);
    if (prefixes && fill_prefixes(window, prefixes, &line, status == 0, &prefix_err)) {
        status = -1; /* it comes before a failure behind the lines */
        *err = prefix_err;
        lines_cut(&window->lines, window->prefixes.count);
    }
    strbuf_release(&line);
    if (status < 0 && window->lines.count) {
        window->failed = true;
        window->failure = *err;
        return 1;
    }
    return status;
}

int line_window_read(struct line_window *window, struct reader *reader, struct reader *prefixes,
                     const struct ranks *ranks, struct err *err)
{
    int status = 0;
    window->first += (long)window->lines.count;
    lines_reset(&window->lines);
    lines_reset(&window->prefixes);
    if (ranks_is_first(ranks))
        status = fill_all(window, reader, prefixes, err);
    ranks_broadcast(ranks, &status, sizeof status);
    if (status >= 0)
        broadcast(window, ranks);
    return status;
}
