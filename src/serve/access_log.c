/* Writes the log. A line is written at once, so that those of several processes do not mix. */
#include "access_log.h"

#include "mem.h"
#include "strbuf.h"
#include "utf8_check.h"

#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define MOST_PATH 1024 /* bytes of a path that are logged */
#define CUT "…\n"

/* A named pipe is not waited for either. */
static int open_file(const char *path, struct err *err)
{
    const int fd = open(path, O_WRONLY | O_CREAT | O_APPEND | O_NONBLOCK | O_CLOEXEC | O_NOCTTY, 0640);
    return fd < 0 ? err_set_errno(err, "cannot write '%s'", path) : fd;
}

int access_log_open(struct access_log *log, const char *path, bool quiet, struct err *err)
{
    *log = (struct access_log){.path = path && strcmp(path, "-") != 0 ? path : NULL, .fd = -1};
    if (log->path && (log->fd = open_file(log->path, err)) < 0)
        return -1;
    if (!log->path && !quiet)
        log->fd = STDERR_FILENO;
    pthread_mutex_init(&log->mutex, NULL);
    return 0;
}

int access_log_reopen(struct access_log *log, struct err *err)
{
    if (!log->path)
        return 0;
    const int fd = open_file(log->path, err);
    if (fd < 0)
        return -1;
    pthread_mutex_lock(&log->mutex);
    const int old = log->fd;
    log->fd = fd;
    pthread_mutex_unlock(&log->mutex);
    close(old);
    return 0;
}

void access_log_close(struct access_log *log)
{
    if (log->path)
        close(log->fd);
    pthread_mutex_destroy(&log->mutex);
}

static void add_time(struct strbuf *line)
{
    static const char *const months[] = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                         "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
    const time_t now = time(NULL);
    struct tm utc;
    gmtime_r(&now, &utc);
    strbuf_addf(line, "[%02d/%s/%d:%02d:%02d:%02d +0000]", utc.tm_mday, months[utc.tm_mon],
                utc.tm_year + 1900, utc.tm_hour, utc.tm_min, utc.tm_sec);
}

/* What the client has sent, without what a terminal would obey. */
static void add_shown(struct strbuf *line, const char *text, size_t bytes)
{
    const size_t begin = line->length;
    utf8_repair(line, text, bytes);
    utf8_hide_controls(line->text + begin, "");
}

/* Also without what would look like the end of the field. */
static void add_field(struct strbuf *line, const char *text)
{
    const size_t begin = line->length, bytes = strlen(text);
    add_shown(line, text, bytes < MOST_PATH ? bytes : MOST_PATH);
    for (char *c = line->text + begin; *c; c++)
        if (*c == '"')
            *c = '?';
}

static void format(struct strbuf *line, const struct access *access)
{
    strbuf_addf(line, "%s - - ", access->address);
    add_time(line);
    strbuf_adds(line, " \"");
    add_field(line, access->method ? access->method : "-");
    strbuf_addch(line, ' ');
    add_field(line, access->path ? access->path : "-");
    strbuf_addf(line, " HTTP/1.%d\" %d %zu %.6f %zu", access->old ? 0 : 1, access->status, access->bytes,
                access->seconds, access->sentences);
    if (access->text) {
        strbuf_addch(line, ' ');
        add_shown(line, access->text, strlen(access->text));
    }
    strbuf_addch(line, '\n');
}

/* Where there is room for some bytes, only so many are written to a pipe at once and without waiting. */
static void cut_for_pipe(struct strbuf *line, int fd)
{
    size_t end = PIPE_BUF - strlen(CUT);
    struct stat info;
    if (line->length <= PIPE_BUF || fstat(fd, &info) || !S_ISFIFO(info.st_mode))
        return;
    while (utf8_continues(line->text[end]))
        end--;
    strbuf_truncate(line, end);
    strbuf_adds(line, CUT);
}

void access_log_add(struct access_log *log, const struct access *access)
{
    struct strbuf line;
    strbuf_init(&line);
    format(&line, access);
    pthread_mutex_lock(&log->mutex);
    cut_for_pipe(&line, log->fd);
    struct pollfd writable = {log->fd, POLLOUT, 0};
    if (log->fd >= 0 &&
        (poll(&writable, 1, 0) != 1 || write(log->fd, line.text, line.length) != (ssize_t)line.length))
        log->dropped++;
    pthread_mutex_unlock(&log->mutex);
    strbuf_release(&line);
}
