/* output: standard output. All that commands print goes through here, so that a full disk or a closed pipe is
 * noticed, and a non-blocking descriptor waited for. Like stdio's it is one for the whole program. */
#ifndef NMT_OUTPUT_H
#define NMT_OUTPUT_H

#include "err.h"

#include <stdbool.h>
#include <stddef.h>

/* Written when there is enough of it; after a failure, not at all. */
void output_add(const char *text, size_t bytes);
void output_adds(const char *text);
void output_addf(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* -1 where writing has failed. For commands that print much, to stop then. */
int output_check(struct err *err);
/* Writes what is left; then as output_check. */
int output_flush(struct err *err);
/* At the end of the program. */
int output_close(struct err *err);

/* From now on standard output goes to the file of lines. With `resume`, behind the whole lines that it holds
 * already: `lines` is how many; a last line that was cut off is taken away. */
int output_begin_file(long *lines, const char *path, bool resume, struct err *err);

#endif
