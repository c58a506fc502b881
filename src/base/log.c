#include "log.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define BAR_CELLS 20
#define REDRAW_SECONDS 0.2 /* on a terminal */
#define LINE_SECONDS 30    /* elsewhere */

static enum log_level level = LOG_NORMAL;

void log_set_level(enum log_level new_level)
{
    level = new_level;
}

double clock_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* On a terminal a bar may stand in the line: it is wiped first and comes back with its next update. */
static void say(const char *prefix, const char *format, va_list args)
{
    if (level == LOG_QUIET)
        return;
    if (isatty(STDERR_FILENO))
        fputs("\r\033[K", stderr);
    fputs(prefix, stderr);
    vfprintf(stderr, format, args);
    fputc('\n', stderr);
}

void log_info(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    say("", format, args);
    va_end(args);
}

void log_warn(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    say("warning: ", format, args);
    va_end(args);
}

void progress_begin(struct progress *progress, const char *title, double before)
{
    progress->terminal = isatty(STDERR_FILENO);
    progress->drawn = clock_seconds();
    progress->started = progress->drawn - before;
    progress->title = title;
}

bool progress_due(const struct progress *progress)
{
    const double wait = progress->terminal ? REDRAW_SECONDS : LINE_SECONDS;
    return level != LOG_QUIET && clock_seconds() - progress->drawn >= wait;
}

static void format_duration(char *text, size_t bytes, double seconds)
{
    const long s = (long)(seconds + 0.5);
    if (s >= 3600)
        snprintf(text, bytes, "%ld:%02ld:%02ld", s / 3600, s / 60 % 60, s % 60);
    else
        snprintf(text, bytes, "%ld:%02ld", s / 60, s % 60);
}

void progress_update(struct progress *progress, double done, double total, const char *detail)
{
    if (!progress_due(progress))
        return;
    progress->drawn = clock_seconds();
    const double elapsed = progress->drawn - progress->started;
    const double part = total > 0 ? (done < total ? done / total : 1) : 0;
    char left[32] = "?";
    if (part > 0)
        format_duration(left, sizeof left, elapsed * (1 - part) / part);
    if (total <= 0) {
        fprintf(stderr, progress->terminal ? "\r\033[K%s: %s" : "%s: %s\n", progress->title, detail);
    } else if (progress->terminal) {
        char bar[BAR_CELLS + 1];
        for (int i = 0; i < BAR_CELLS; i++)
            bar[i] = i < (int)(part * BAR_CELLS) ? '#' : '.';
        bar[BAR_CELLS] = '\0';
        fprintf(stderr, "\r\033[K%s [%s] %3.0f%% %s, %s left", progress->title, bar, 100 * part, detail,
                left);
    } else {
        fprintf(stderr, "%s %.0f%% %s, %s left\n", progress->title, 100 * part, detail, left);
    }
    fflush(stderr);
}

void progress_end(struct progress *progress)
{
    if (progress->terminal && level != LOG_QUIET)
        fputs("\r\033[K", stderr);
}
