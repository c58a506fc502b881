/* folder: the names in a directory, and its removal. */
#ifndef NMT_FOLDER_H
#define NMT_FOLDER_H

#include "err.h"

typedef void folder_taker(void *context, const char *name);

/* Passes each name in the directory but "." and "..", in no order. A directory that does not exist has none.
 * -1 if it cannot be read. */
int folder_each(const char *path, folder_taker *take, void *context, struct err *err);

/* Removes a file, or a directory with all that is in it; links are not followed. Adds the bytes that the
 * files had to *bytes. What does not exist is no error. */
int folder_remove(const char *path, double *bytes, struct err *err);
/* The bytes of a file, or of all files in a directory; links are not followed. What cannot be read: 0. */
double folder_bytes(const char *path);
/* Removes a directory if it is empty. */
void folder_remove_empty(const char *path);

#endif
