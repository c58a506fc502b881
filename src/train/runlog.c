#include "runlog.h"

#include "fileio.h"
#include "mem.h"

#include <stdlib.h>
#include <string.h>

/* The log without what came after the update, written back in one piece. */
static int cut(const char *path, long keep_updates, struct err *err)
{
    struct strbuf text, kept;
    strbuf_init(&text);
    strbuf_init(&kept);
    int status = file_exists(path) ? file_slurp(&text, path, err) : 0;
    for (char *line = text.text, *end; !status && (end = strchr(line, '\n')); line = end + 1) {
        struct err ignored;
        struct json *object = json_parse(line, (size_t)(end - line), path, &ignored);
        if (!object)
            continue;
        const struct json *update = json_kind(object) == JSON_OBJECT ? json_member(object, "update") : NULL;
        if (!update || json_kind(update) != JSON_NUMBER || json_number(update) <= (double)keep_updates)
            strbuf_add(&kept, line, (size_t)(end - line) + 1);
        json_free(object);
    }
    if (!status)
        status = file_replace(path, kept.text, kept.length, err);
    strbuf_release(&text);
    strbuf_release(&kept);
    return status;
}

int runlog_open(struct runlog *log, const char *path, long keep_updates, struct err *err)
{
    memset(log, 0, sizeof *log);
    if (keep_updates >= 0 && cut(path, keep_updates, err))
        return -1;
    log->file = fopen(path, keep_updates >= 0 ? "ab" : "wb");
    if (!log->file)
        return err_set_errno(err, "cannot write '%s'", path);
    log->path = xstrdup(path);
    return 0;
}

struct json *runlog_event(const char *event)
{
    struct json *object = json_new_object();
    json_set_string(object, "event", event);
    return object;
}

int runlog_write(struct runlog *log, struct json *object, struct err *err)
{
    struct strbuf line;
    strbuf_init(&line);
    json_print(object, false, &line);
    json_free(object);
    strbuf_addch(&line, '\n');
    const bool bad = fwrite(line.text, 1, line.length, log->file) != line.length || fflush(log->file) != 0;
    strbuf_release(&line);
    return bad ? err_set_errno(err, "cannot write '%s'", log->path) : 0;
}

int runlog_close(struct runlog *log, struct err *err)
{
    int status = 0;
    if (log->file && fclose(log->file) != 0)
        status = err_set_errno(err, "cannot write '%s'", log->path);
    free(log->path);
    memset(log, 0, sizeof *log);
    return status;
}
