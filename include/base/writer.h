/* writer: writing to descriptors and replacing whole files.
 *
 * A regular file, or one that is not there yet, is written under a temporary name in the same directory,
 * fsynced and renamed by writer_commit: until then the old one stays as it was, and writer_abort leaves no
 * trace. Links are followed to their end; an old file's mode and owner are kept. An output of a user may also
 * be a device, a pipe or "-" for standard output, which are written to as they are.
 *
 * Temporary names are "nmt-PROCESS-NUMBER.tmp". What a killed process left under such a name goes with
 * temporaries_remove. */
#ifndef NMT_WRITER_H
#define NMT_WRITER_H

#include "err.h"

#include <stdbool.h>
#include <stddef.h>

/* Writes to a descriptor in large pieces; waits where it is non-blocking. */
struct sink {
    int fd;      /* -1: none */
    int failure; /* errno of the first write that failed: nothing is written from then on */
    size_t count;
    char *buffer;
};

void sink_init(struct sink *sink, int fd);
void sink_add(struct sink *sink, const void *data, size_t bytes);
/* 0, or -1 and errno if this or an earlier write failed. */
int sink_flush(struct sink *sink);
/* Flushes and closes, and tells whether all was written, as sink_flush does. */
int sink_close(struct sink *sink);

struct writer {
    char *path; /* as the user knows it */
    char *end;  /* what is replaced at last; NULL where it is written to as it is */
    char *temporary;
    struct sink sink;
};

/* Is the output "-", or what standard output goes to by any other name? */
bool is_standard_output(const char *path);

/* For files of our own: refuses what is not a regular file. */
int writer_open(struct writer *writer, const char *path, struct err *err);
/* For what a user names as an output. */
int writer_open_output(struct writer *writer, const char *path, struct err *err);
int writer_write(struct writer *writer, const void *data, size_t bytes, struct err *err);
int writer_commit(struct writer *writer, struct err *err); /* on failure, aborted */
void writer_abort(struct writer *writer);
/* The three in one. */
int file_replace(const char *path, const char *text, size_t bytes, struct err *err);
int file_output(const char *path, const char *text, size_t bytes, struct err *err);

/* 0 where file_output could write it now: asked before work that would be lost. Leaves no trace. */
int file_check_writable(const char *path, struct err *err);

/* Makes a new file under a temporary name and opens it for reading and writing; -1 and errno on failure. The
 * caller frees the path. */
int temporary_open(char **path, const char *dir, unsigned mode);
/* A symbolic link to `target`, in the place of one that is there; -1 and errno on failure. */
int link_replace(const char *target, const char *link);
/* Removes temporary files in a directory whose processes are gone, and this process's own. For directories
 * that this process holds the lock of. */
void temporaries_remove(const char *dir);

#endif
