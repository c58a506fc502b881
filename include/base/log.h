/* log: messages on standard error, and the progress bar. The level is one for the whole program; a library
 * has a sink for each call instead. */
#ifndef NMT_LOG_H
#define NMT_LOG_H

#include <stdbool.h>
#include <stddef.h>

enum log_level { LOG_QUIET, LOG_NORMAL };

void log_set_level(enum log_level level);
bool log_is_quiet(void);
void log_info(const char *format, ...) __attribute__((format(printf, 1, 2)));
void log_warn(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Takes messages, without "warning: " and line end, cut to 1 KiB. */
struct log_sink {
    void (*take)(void *context, const char *message); /* NULL: drops them; else also from a team's threads,
                                                       * several at a time */
    void *context;
};

/* Hands the calling thread's messages to a sink, at any level, and draws no progress; NULL: to standard
 * error. Returns what was set before. A team's members have the sink of its caller. */
const struct log_sink *log_to(const struct log_sink *sink);
/* The calling thread's sink, or NULL. */
const struct log_sink *log_sink(void);

/* Clears a progress bar from the terminal before other output. */
void log_clear_line(void);

/* Seconds of a monotonic clock. */
double clock_seconds(void);

/* A progress bar. On a terminal it redraws one line, cut to the terminal's width; elsewhere it prints a
 * line every half minute; with LOG_QUIET, nothing. Log lines appear above the bar. */
struct progress {
    bool terminal;
    double started, drawn;
    const char *title;
};

/* `before`: seconds spent by an earlier run, for the estimate of the time left. */
void progress_begin(struct progress *progress, const char *title, double before);
/* `done` of `total` parts (0: unknown); `detail` is shown after the bar. Cheap to call often. */
void progress_update(struct progress *progress, double done, double total, const char *detail);
/* The same with the count as detail: "12 pairs" where the unit is "pair". */
void progress_count(struct progress *progress, double done, double total, const char *unit);
/* Lines, with the rate at which this run made some of them: "12 lines, 3.4 lines/s". */
void progress_lines(struct progress *progress, double done, double total, double made, double seconds);
/* True if progress_update would draw now: ask before computing a costly detail. */
bool progress_due(const struct progress *progress);
void progress_end(struct progress *progress);

#endif
