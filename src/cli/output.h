/* output: standard output. All that commands print goes through here, so that a full disk or a closed pipe is
 * noticed, and a non-blocking descriptor waited for. Like stdio's it is one for the whole program. */
#ifndef NMT_OUTPUT_H
#define NMT_OUTPUT_H

#include "err.h"

#include <stdbool.h>
#include <stddef.h>

/* Buffered; after a failure nothing is written. */
void output_add(const char *text, size_t bytes);
void output_adds(const char *text);
void output_addf(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* -1 after a write failed: for commands that print much, to stop early. */
int output_check(struct err *err);
/* Writes what is left; then as output_check. */
int output_flush(struct err *err);
/* At the end of the program. */
int output_close(struct err *err);

/* Sends standard output to the file from now on. With `resume`, behind the whole lines that it holds: `lines`
 * is how many. An incomplete last line is removed. */
int output_begin_file(long *lines, const char *path, bool resume, struct err *err);

#endif
