/* Takes lines from the host. */
#include "host_lines.h"

#include "fileio.h"

#include <stdio.h>
#include <string.h>

#define MOST_LINES ((size_t)1 << 23) /* of a call: their results are in memory at once */

enum nmt_error_code host_line(struct strbuf *out, const char *line, const char *name, struct err *err)
{
    const size_t bytes = line ? strnlen(line, LINE_MAX_BYTES + 1) : 0;
    if (!line)
        return wrong_use(err, "%s is NULL", name);
    if (bytes > LINE_MAX_BYTES) {
        err_set(err, "%s is longer than %zu MiB", name, LINE_MAX_BYTES >> 20);
        return NMT_WRONG_INPUT;
    }
    strbuf_add(out, line, bytes);
    for (char *end = out->text; (end = strpbrk(end, "\r\n"));)
        *end = ' ';
    return NMT_NO_ERROR;
}

enum nmt_error_code host_lines(struct lines *out, const char *const *lines, size_t count, const char *kind,
                               bool may_lack, struct err *err)
{
    struct strbuf line;
    enum nmt_error_code wrong = NMT_NO_ERROR;
    if (count && !lines)
        return wrong_use(err, "no %ss given", kind);
    if (count > MOST_LINES)
        return wrong_use(err, "%zu lines are more than %zu at once", count, MOST_LINES);
    strbuf_init(&line);
    for (size_t i = 0; i < count && !wrong; i++) {
        char name[64];
        snprintf(name, sizeof name, "%s %zu", kind, i + 1);
        strbuf_reset(&line);
        wrong = host_line(&line, may_lack && !lines[i] ? "" : lines[i], name, err);
        lines_add(out, line.text, line.length);
    }
    strbuf_release(&line);
    return wrong;
}
