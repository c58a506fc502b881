/* Buffered standard output, or the file that replaces it. What is printed is up to the commands. */
#include "output.h"

#include "fileio.h"
#include "utf8_check.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#define USUAL_COLUMNS 80

static struct sink standard_output = {.fd = STDOUT_FILENO};
static char output_name[256] = "to standard output"; /* in messages */

void output_add(const char *text, size_t bytes)
{
    sink_add(&standard_output, text, bytes);
}

void output_adds(const char *text)
{
    output_add(text, strlen(text));
}

static void add_formatted(const char *format, va_list args, bool hides_controls)
{
    struct strbuf text;
    strbuf_init(&text);
    strbuf_addv(&text, format, args);
    if (hides_controls)
        utf8_hide_controls(text.text, "\n");
    output_add(text.text, hides_controls ? strlen(text.text) : text.length);
    strbuf_release(&text);
}

void output_addf(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    add_formatted(format, args, false);
    va_end(args);
}

void output_shownf(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    add_formatted(format, args, true);
    va_end(args);
}

void output_field(struct strbuf *line, const char *text, size_t bytes)
{
    const size_t begin = line->length;
    utf8_repair(line, text, bytes);
    for (size_t i = begin; i < line->length; i++)
        if (line->text[i] == '\t' || line->text[i] == '\r')
            line->text[i] = ' ';
}

void output_json(struct json *object)
{
    struct strbuf line;
    strbuf_init(&line);
    json_add_line(&line, object);
    output_add(line.text, line.length);
    strbuf_release(&line);
}

int output_check(struct err *err)
{
    errno = standard_output.failure;
    return errno ? err_set_errno(err, "cannot write %s", output_name) : 0;
}

int output_flush(struct err *err)
{
    sink_flush(&standard_output);
    return output_check(err);
}

int output_close(struct err *err)
{
    return sink_close(&standard_output) ? err_set_errno(err, "cannot write %s", output_name) : 0;
}

int output_columns(void)
{
    struct winsize size;
    return ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col ? size.ws_col : USUAL_COLUMNS;
}

/* Counts the complete lines of an open file, and their bytes. */
static int count_lines(long *lines, off_t *bytes, int fd)
{
    char piece[1 << 16];
    ssize_t count;
    off_t at = 0;
    while ((count = read(fd, piece, sizeof piece)) > 0) {
        const char *const piece_end = piece + count;
        for (const char *end = piece; (end = memchr(end, '\n', (size_t)(piece_end - end))); end++) {
            *bytes = at + (end - piece) + 1;
            ++*lines;
        }
        at += count;
    }
    return count < 0 ? -1 : 0;
}

int output_begin_file(long *lines, const char *path, bool resume, struct err *err)
{
    off_t bytes = 0;
    *lines = 0;
    if (is_standard_output(path))
        return resume ? err_set(err, "cannot resume '%s': it is standard output", path) : 0;
    struct stat info;
    if (resume && !stat(path, &info) && !S_ISREG(info.st_mode))
        return err_set(err, "cannot resume '%s': not a regular file", path);
    const int fd = open(path, O_CREAT | O_CLOEXEC | (resume ? O_RDWR : O_WRONLY | O_TRUNC), 0666);
    const bool bad = fd < 0 || (resume && (count_lines(lines, &bytes, fd) || ftruncate(fd, bytes) ||
                                           lseek(fd, bytes, SEEK_SET) < 0));
    if (bad || dup2(fd, STDOUT_FILENO) < 0) {
        err_set_errno(err, "cannot write '%s'", path);
        if (fd >= 0)
            close(fd);
        return -1;
    }
    close(fd);
    snprintf(output_name, sizeof output_name, "'%s'", path);
    return 0;
}
