/* two_columns: a file of lines with a term, a tab and its translation. */
#ifndef NMT_TWO_COLUMNS_H
#define NMT_TWO_COLUMNS_H

#include "err.h"

#include <stdbool.h>
#include <stddef.h>

/* Takes a line's term, which no NUL ends, and its translation, both valid UTF-8; false: they are no entry. */
typedef bool columns_taker(void *context, const char *term, size_t bytes, const char *translation);

/* Passes every line of a file but blank ones. -1 if it cannot be read, or a line is no entry: "line 3 is not
 * ENTRY". */
int two_columns_each(const char *path, const char *entry, columns_taker *take, void *context,
                     struct err *err);

#endif
