/* log: what the program says on standard error while it works, and the progress bar. The level is the one
 * mutable variable of file scope in the program. */
#ifndef NMT_LOG_H
#define NMT_LOG_H

#include <stdbool.h>
#include <stddef.h>

enum log_level { LOG_QUIET, LOG_NORMAL };

void log_set_level(enum log_level level);
bool log_is_quiet(void);
void log_info(const char *format, ...) __attribute__((format(printf, 1, 2)));
void log_warn(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Wipes a bar from the terminal, before something else is written there. */
void log_clear_line(void);

/* Seconds of a clock that only goes forward. */
double clock_seconds(void);

/* One bar for one long work. On a terminal it redraws a line, cut to the terminal's width; elsewhere it
 * writes plain lines, one every half minute; with LOG_QUIET nothing. Log lines go above the bar. */
struct progress {
    bool terminal;
    double started, drawn;
    const char *title;
};

/* `before`: seconds that an earlier run has spent on it, for the estimate of the time that is left. */
void progress_begin(struct progress *progress, const char *title, double before);
/* `done` of `total` parts (0: unknown); `detail` stands behind the bar. Cheap to call often. */
void progress_update(struct progress *progress, double done, double total, const char *detail);
/* True where a call of progress_update would show something now: for a detail that costs time. */
bool progress_due(const struct progress *progress);
void progress_end(struct progress *progress);
/* How many bytes of a UTF-8 text are sure to fit into so many columns: a character of three bytes and more
 * counts as two columns, which those of East Asia take. */
size_t fitting_bytes(const char *text, int columns);

#endif
