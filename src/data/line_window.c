#include "line_window.h"

#include "mem.h"
#include "plural.h"

#include <poll.h>
#include <stdlib.h>
#include <string.h>

#define MOST_BYTES LINE_MAX_BYTES /* after which a window ends */

void line_window_init(struct line_window *window, bool prefixes, long first, const struct ranks *ranks)
{
    const size_t room = (size_t)ranks->count * WINDOW_LINES;
    *window = (struct line_window){.lines = xcalloc(room, sizeof(char *)),
                                   .lengths = xcalloc(room, sizeof(size_t)),
                                   .prefixes = prefixes ? xcalloc(room, sizeof(char *)) : NULL,
                                   .room = (int)room,
                                   .first = first};
}

static void clear(struct line_window *window)
{
    for (int i = 0; i < window->count; i++) {
        free(window->lines[i]);
        window->lines[i] = NULL;
        if (window->prefixes) {
            free(window->prefixes[i]);
            window->prefixes[i] = NULL;
        }
    }
    window->count = 0;
}

void line_window_release(struct line_window *window)
{
    clear(window);
    free(window->lines);
    free(window->lengths);
    free(window->prefixes);
}

/* ---- reading ---- */

/* Would reading the next line have to wait for somebody? */
static bool must_wait(const struct reader *reader)
{
    struct pollfd fd = {.fd = reader->fd, .events = POLLIN};
    return !reader_has_line(reader) && poll(&fd, 1, 0) == 0;
}

/* Takes lines until the window is full, the input ends, would have to be waited for, or fails: that is told
 * when a window has no line. */
static int fill(struct line_window *window, struct reader *reader, struct strbuf *line, struct err *err)
{
    int status = 1;
    if (window->failed) {
        *err = window->failure;
        return -1;
    }
    size_t bytes = 0;
    while (window->count < window->room && bytes < MOST_BYTES && !(window->count && must_wait(reader)) &&
           (status = reader_line(reader, line, err)) > 0) {
        window->lines[window->count] = xstrndup(line->text, line->length);
        window->lengths[window->count++] = line->length;
        bytes += line->length;
    }
    if (status < 0 && window->count) {
        window->failed = true;
        window->failure = *err;
        return 1;
    }
    return status;
}

/* Prefixes for the window's lines, out of the other file; `over`: the lines have ended, and so must these. */
static int fill_prefixes(struct line_window *window, struct reader *prefixes, struct strbuf *line, bool over,
                         struct err *err)
{
    int status = 1;
    for (int i = 0; i < window->count && status > 0; i++) {
        status = reader_line(prefixes, line, err);
        if (status > 0 && line_check(line, prefixes->path, prefixes->line, err))
            status = -1;
        window->prefixes[i] = status > 0 ? xstrndup(line->text, line->length) : NULL;
        if (status == 0)
            status = err_set(err, "'%s' has only %ld line%s, fewer than the text to translate",
                             prefixes->path, window->first + i, plural((double)(window->first + i)));
    }
    if (status >= 0 && over)
        status = reader_line(prefixes, line, err);
    if (status > 0 && over)
        status = err_set(err, "'%s' has more than the %ld line%s of the text to translate", prefixes->path,
                         window->first + window->count, plural((double)(window->first + window->count)));
    return status < 0 ? -1 : 0;
}

/* ---- several ranks ---- */

static void add_text(struct strbuf *out, const char *text, size_t bytes)
{
    strbuf_add(out, (const char *)&bytes, sizeof bytes);
    strbuf_add(out, text, bytes);
}

/* Moves behind the text. */
static char *take_text(const char **at, size_t *bytes)
{
    memcpy(bytes, *at, sizeof *bytes);
    char *text = xstrndup(*at + sizeof *bytes, *bytes);
    *at += sizeof *bytes + *bytes;
    return text;
}

/* What the first rank has read, for all. */
static void share(struct line_window *window, const struct ranks *ranks)
{
    struct strbuf all;
    if (ranks->count == 1)
        return;
    strbuf_init(&all);
    for (int i = 0; i < window->count; i++) {
        add_text(&all, window->lines[i], window->lengths[i]);
        if (window->prefixes)
            add_text(&all, window->prefixes[i], strlen(window->prefixes[i]));
    }
    ranks_broadcast(ranks, &window->count, sizeof window->count);
    ranks_share(ranks, &all);
    const char *at = all.text;
    for (int i = 0; i < window->count && !ranks_is_first(ranks); i++) {
        size_t prefix_bytes;
        window->lines[i] = take_text(&at, &window->lengths[i]);
        if (window->prefixes)
            window->prefixes[i] = take_text(&at, &prefix_bytes);
    }
    strbuf_release(&all);
}

int line_window_read(struct line_window *window, struct reader *reader, struct reader *prefixes,
                     const struct ranks *ranks, struct err *err)
{
    struct strbuf line;
    int status = 0;
    window->first += window->count;
    clear(window);
    strbuf_init(&line);
    if (ranks_is_first(ranks)) {
        status = fill(window, reader, &line, err);
        if (status >= 0 && prefixes && fill_prefixes(window, prefixes, &line, status == 0, err))
            status = -1;
    }
    strbuf_release(&line);
    ranks_broadcast(ranks, &status, sizeof status);
    if (status >= 0)
        share(window, ranks);
    return status;
}
