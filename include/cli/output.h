/* line_output: standard output into a file of lines, which tells how far an interrupted command got. */
#ifndef NMT_LINE_OUTPUT_H
#define NMT_LINE_OUTPUT_H

#include "err.h"

#include <stdbool.h>

/* From now on standard output goes to the file. With `resume`, behind the whole lines that it holds already:
 * `lines` is how many; a last line that was cut off is taken away. */
int line_output_begin(long *lines, const char *path, bool resume, struct err *err);

#endif
