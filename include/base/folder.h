/* folder: the names in a directory. */
#ifndef NMT_FOLDER_H
#define NMT_FOLDER_H

#include "err.h"

typedef void folder_taker(void *context, const char *name);

/* Passes each name in the directory, "." and ".." too, in no order. A directory that does not exist has none.
 * -1 if it cannot be read. */
int folder_each(const char *path, folder_taker *take, void *context, struct err *err);

#endif
