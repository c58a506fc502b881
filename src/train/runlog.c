/* Appends lines to log.jsonl, and truncates it when a training is resumed. The lines are made by events.c. */
#include "runlog.h"

#include "fileio.h"
#include "mem.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

/* Copies a log without the events after an update. */
struct cut {
    struct writer writer;
    double keep_updates;
};

static int keep_line(void *context, const struct strbuf *line, int64_t number, struct err *err)
{
    struct cut *cut = context;
    struct err ignored;
    struct json *object = json_parse(line->text, line->length, RUNLOG_FILE, &ignored);
    (void)number;
    if (!object)
        return 0;
    const struct json *update = json_kind(object) == JSON_OBJECT ? json_member(object, "update") : NULL;
    const bool later = update && json_kind(update) == JSON_NUMBER && json_number(update) > cut->keep_updates;
    json_free(object);
    if (later)
        return 0;
    return writer_write(&cut->writer, line->text, line->length, err) ||
                   writer_write(&cut->writer, "\n", 1, err)
               ? -1
               : 0;
}

static int cut_log(const char *path, long keep_updates, struct err *err)
{
    struct cut cut = {.keep_updates = (double)keep_updates};
    if (writer_open(&cut.writer, path, err))
        return -1;
    return writer_end(&cut.writer, file_exists(path) ? file_each_own_line(path, keep_line, &cut, err) : 0,
                      err);
}

static int note_first(void *context, const struct strbuf *line, int64_t number, struct err *err)
{
    bool *is = context;
    struct err ignored;
    (void)err;
    if (number > 1)
        return 0;
    struct json *object = json_parse(line->text, line->length, RUNLOG_FILE, &ignored);
    *is = object && json_kind(object) == JSON_OBJECT && json_member(object, "event");
    json_free(object);
    return 0;
}

bool runlog_is(const char *path)
{
    struct err ignored;
    bool is = true;
    return !file_each_own_line(path, note_first, &is, &ignored) && is;
}

int runlog_open(struct runlog *log, const char *path, long keep_updates, struct err *err)
{
    memset(log, 0, sizeof *log);
    if (keep_updates >= 0 && cut_log(path, keep_updates, err))
        return -1;
    const bool resumed = keep_updates >= 0;
    const int fd = file_open_regular(path, O_WRONLY | O_CREAT | (resumed ? O_APPEND : O_TRUNC), err);
    if (fd < 0)
        return -1;
    log->file = fdopen(fd, resumed ? "ab" : "wb");
    if (!log->file) {
        close(fd);
        return err_set_errno(err, "cannot write '%s'", path);
    }
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
    json_add_line(&line, object);
    const bool bad = fwrite(line.text, 1, line.length, log->file) != line.length || fflush(log->file) != 0;
    strbuf_release(&line);
    return bad ? err_set_errno(err, "cannot write '%s'", log->path) : 0;
}

int runlog_sync(const struct runlog *log, struct err *err)
{
    return fsync(fileno(log->file)) != 0 ? err_set_errno(err, "cannot write '%s'", log->path) : 0;
}

int runlog_close(struct runlog *log, struct err *err)
{
    int status = 0;
    if (log->file && fclose(log->file) != 0)
        status = err_set_errno(err, "cannot write '%s'", log->path);
    xfree(log->path);
    memset(log, 0, sizeof *log);
    return status;
}
