/* output: standard output. Commands print through this alone, so that a full disk or a closed pipe is
 * noticed, and writing waits for a non-blocking descriptor. One for the whole program, as in stdio. */
#ifndef NMT_OUTPUT_H
#define NMT_OUTPUT_H

#include "err.h"
#include "json.h"
#include "strbuf.h"

#include <stdbool.h>
#include <stddef.h>

/* Appends to the buffer; does nothing after a failed write. */
void output_add(const char *text, size_t bytes);
void output_adds(const char *text);
void output_addf(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* The same for what a person reads: '?' in the place of control characters but line ends. */
void output_shownf(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Appends a field of tab-separated values: U+FFFD in the place of what is not UTF-8, and a blank in that of a
 * tab, which would begin another field, and of a carriage return, which may end the line. */
void output_field(struct strbuf *line, const char *text, size_t bytes);
/* Prints the object as a line of JSON Lines, and frees it. */
void output_json(struct json *object);
/* -1 after a failed write: lets long output stop early. */
int output_check(struct err *err);
/* Writes the buffer; returns as output_check. */
int output_flush(struct err *err);
/* Call at the end of the program. */
int output_close(struct err *err);

/* The columns of the terminal that standard output is; 80 if it is none. */
int output_columns(void);

/* Redirects standard output to a file, unless that is "-". With `resume`, appends after its complete lines,
 * and removes an incomplete last one; that needs a regular file, or none so far. `lines` is the number of
 * those lines, 0 without `resume`. */
int output_begin_file(long *lines, const char *path, bool resume, struct err *err);

#endif
