/* writer: writing to descriptors and replacing whole files.
 *
 * A regular or new file is written under a temporary name in the same directory, then fsynced and renamed by
 * writer_commit: until then the old file stays as it was, and writer_abort leaves no trace. Links are
 * followed; an old file's mode and owner are kept where possible. A user's output may also be a device, a
 * pipe or "-" for standard output, which are written to directly; else it has no name before writer_commit,
 * where the file system allows that, which copies it where links are forbidden.
 *
 * Temporary names are "nmt-PROCESS-NUMBER.tmp". temporaries_remove deletes those of killed processes. */
#ifndef NMT_WRITER_H
#define NMT_WRITER_H

#include "err.h"

#include <stdbool.h>
#include <stddef.h>

/* Writes to a descriptor in large pieces; waits if it is non-blocking. */
struct sink {
    int fd;      /* -1: none */
    int failure; /* errno of the first write that failed; later writes do nothing */
    size_t count;
    char *buffer;
};

void sink_init(struct sink *sink, int fd);
void sink_add(struct sink *sink, const void *data, size_t bytes);
/* 0, or -1 and errno if this or an earlier write failed. */
int sink_flush(struct sink *sink);
/* Flushes and closes; returns as sink_flush. */
int sink_close(struct sink *sink);

struct writer {
    char *path;      /* as messages name it */
    char *end;       /* the file that is replaced; NULL if written to directly */
    char *temporary; /* its name; NULL: it has none */
    struct sink sink;
};

/* Is the output "-", or another name of what standard output is connected to, unless that is a character
 * device? */
bool is_standard_output(const char *path);

/* Opens a file of our own; refuses anything but a regular file. */
int writer_open(struct writer *writer, const char *path, struct err *err);
/* Opens a user's output. */
int writer_open_output(struct writer *writer, const char *path, struct err *err);
int writer_write(struct writer *writer, const void *data, size_t bytes, struct err *err);
int writer_commit(struct writer *writer, struct err *err); /* aborts on failure */
void writer_abort(struct writer *writer);
/* Commits what was written with status 0, else aborts. -1 if either failed. */
int writer_end(struct writer *writer, int status, struct err *err);
/* Opens, writes and commits. */
int file_replace(const char *path, const char *text, size_t bytes, struct err *err);
int file_output(const char *path, const char *text, size_t bytes, struct err *err);

/* 0 if `path` can be written: checked before long work whose result would be lost. Leaves no trace. */
int file_check_writable(const char *path, struct err *err);

/* Creates a file under a temporary name, open for reading and writing; -1 and errno on failure. The caller
 * frees the path. */
int temporary_open(char **path, const char *dir, unsigned mode);
/* Makes `link` a symbolic link to `target`, replacing an old one; -1 and errno on failure. */
int link_replace(const char *target, const char *link);
/* Is it the name of a temporary file that no other running process owns? */
bool temporary_is_left_over(const char *name);
/* Removes temporary files of ended processes, and our own. The caller must hold the directory's lock. */
void temporaries_remove(const char *dir);

#endif
