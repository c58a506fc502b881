/* Prints lines on standard error, and a progress bar below them, or hands messages to a sink. What is logged
 * is up to the callers. */
#include "log.h"

#include "plural.h"
#include "utf8_check.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#define BAR_CELLS 20
#define USUAL_COLUMNS 80   /* width of a terminal that does not report it */
#define REDRAW_SECONDS 0.2 /* between updates of the bar on a terminal */
#define LINE_SECONDS 30    /* between lines elsewhere */
#define MESSAGE_BYTES 1024 /* of a sink */

static enum log_level level = LOG_NORMAL;
/* Never allocated when a thread first uses it, which may find no memory (mem_guard.c). */
static _Thread_local const struct log_sink *sink __attribute__((tls_model("initial-exec")));

void log_set_level(enum log_level new_level)
{
    level = new_level;
}

bool log_is_quiet(void)
{
    return level == LOG_QUIET;
}

const struct log_sink *log_to(const struct log_sink *new_sink)
{
    const struct log_sink *old = sink;
    sink = new_sink;
    return old;
}

const struct log_sink *log_sink(void)
{
    return sink;
}

double clock_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Can a line be redrawn? */
static bool redraws(void)
{
    const char *kind = getenv("TERM");
    return isatty(STDERR_FILENO) && !(kind && !strcmp(kind, "dumb"));
}

void log_clear_line(void)
{
    if (level != LOG_QUIET && redraws())
        fputs("\r\033[K", stderr);
}

static void hand_over(const char *format, va_list args)
{
    char message[MESSAGE_BYTES + 1]; /* with the first byte of what is cut off */
    if (vsnprintf(message, sizeof message, format, args) >= MESSAGE_BYTES)
        message[utf8_whole_bytes(message, MESSAGE_BYTES - 1)] = '\0';
    utf8_hide_controls(message, "\t");
    if (sink->take)
        sink->take(sink->context, message);
}

/* Clears the bar first; its next update draws it again. */
static void print_message(const char *prefix, const char *format, va_list args)
{
    if (sink) {
        hand_over(format, args);
        return;
    }
    if (level == LOG_QUIET)
        return;
    struct strbuf text;
    strbuf_init(&text);
    strbuf_addv(&text, format, args);
    utf8_hide_controls(text.text, "\t"); /* of names */
    log_clear_line();
    fprintf(stderr, "%s%s\n", prefix, text.text);
    strbuf_release(&text);
}

void log_info(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    print_message("", format, args);
    va_end(args);
}

void log_warn(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    print_message("warning: ", format, args);
    va_end(args);
}

void progress_begin(struct progress *progress, const char *title, double before)
{
    progress->terminal = redraws();
    progress->drawn = clock_seconds();
    progress->started = progress->drawn - before;
    progress->title = title;
}

bool progress_due(const struct progress *progress)
{
    const double wait = progress->terminal ? REDRAW_SECONDS : LINE_SECONDS;
    return level != LOG_QUIET && !sink && clock_seconds() - progress->drawn >= wait;
}

static void format_duration(char *text, size_t bytes, double seconds)
{
    const long s = (long)(seconds + 0.5);
    if (s >= 3600)
        snprintf(text, bytes, "%ld:%02ld:%02ld", s / 3600, s / 60 % 60, s % 60);
    else
        snprintf(text, bytes, "%ld:%02ld", s / 60, s % 60);
}

/* Read each time, since the window may be resized. */
static int terminal_columns(void)
{
    struct winsize size;
    return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col ? size.ws_col : USUAL_COLUMNS;
}

/* Draws "[####......] ", a fifth of the line at most. */
static void format_bar(char bar[BAR_CELLS + 4], double part, int columns)
{
    const int cells = columns / 5 < BAR_CELLS ? columns / 5 : BAR_CELLS;
    *bar++ = '[';
    for (int i = 0; i < cells; i++)
        *bar++ = i < (int)(part * cells) ? '#' : '.';
    memcpy(bar, "] ", 3);
}

void progress_update(struct progress *progress, double done, double total, const char *detail)
{
    if (!progress_due(progress))
        return;
    const int columns = progress->terminal ? terminal_columns() : 0;
    const double part = total > 0 ? (done < total ? done / total : 1) : 0;
    char line[512], bar[BAR_CELLS + 4] = "", left[32] = "?";
    progress->drawn = clock_seconds();
    if (part > 0)
        format_duration(left, sizeof left, (progress->drawn - progress->started) * (1 - part) / part);
    if (progress->terminal)
        format_bar(bar, part, columns);
    if (total > 0)
        snprintf(line, sizeof line, "%s %s%.0f%%, %s left, %s", progress->title, bar, 100 * part, left,
                 detail);
    else
        snprintf(line, sizeof line, "%s: %s", progress->title, detail);
    log_clear_line();
    /* The last column stays empty: some terminals begin a new line when it is filled. */
    if (progress->terminal)
        fprintf(stderr, "%.*s", (int)utf8_fitting_bytes(line, columns - 1), line);
    else
        fprintf(stderr, "%s\n", line);
    fflush(stderr);
}

void progress_count(struct progress *progress, double done, double total, const char *unit)
{
    char detail[64];
    if (!progress_due(progress))
        return;
    snprintf(detail, sizeof detail, "%.0f %s%s", done, unit, plural(done));
    progress_update(progress, done, total, detail);
}

void progress_lines(struct progress *progress, double done, double total, double made, double seconds)
{
    char detail[96];
    if (!progress_due(progress))
        return;
    snprintf(detail, sizeof detail, "%.0f line%s, %.1f lines/s", done, plural(done), made / seconds);
    progress_update(progress, done, total, detail);
}

void progress_end(struct progress *progress)
{
    if (progress->terminal)
        log_clear_line();
}
