/* fileio: reading lines and whole files, locks. zlib enters the program here alone.
 *
 * Reading: a file may be plain or gzip'd (told by its first bytes, not its name), "-" is standard input. Only
 * '\n' ends a line. A byte-order mark at the start and a '\r' before '\n' are taken away and counted. */
#ifndef NMT_FILEIO_H
#define NMT_FILEIO_H

#include "err.h"
#include "paths.h"
#include "strbuf.h"
#include "writer.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define LINE_MAX_BYTES ((size_t)64 << 20)

struct reader {
    char *path;
    int fd;
    struct z_stream_s *gz; /* NULL where the file is plain */
    bool gz_ended;         /* the last member of the gzip file is complete */
    int64_t line;          /* number of the line read last, from 1 */
    int64_t crlf;          /* lines that ended in \r\n */
    bool bom;              /* the file began with U+FEFF */
    bool verbatim;         /* leave \r and U+FEFF in the lines */
    bool cuts;             /* set by who reads: a line over LINE_MAX_BYTES is cut there, and no error */
    int64_t cut;           /* lines that were */
    char *raw;             /* compressed bytes, as they are in the file */
    char *buffer;          /* text */
    size_t begin, end;     /* what of the buffer is not yet given out */
};

int reader_open(struct reader *reader, const char *path, struct err *err);
/* 1: a line without its end; 0: the end of the file; -1: error (unreadable, damaged, line over
 * LINE_MAX_BYTES, unless they are cut). */
int reader_line(struct reader *reader, struct strbuf *line, struct err *err);
/* True where the next line lies in the buffer already, so that reading it cannot wait. */
bool reader_has_line(const struct reader *reader);
/* Says how many lines were cut, if any. */
void reader_warn_cut(const struct reader *reader);
void reader_close(struct reader *reader);
/* Takes a line and its number; other than 0 ends the reading. */
typedef int line_taker(void *context, const struct strbuf *line, int64_t number, struct err *err);
/* Gives every line of a file to `take`; stops where `take` returns other than 0, and returns that. */
int file_each_line(const char *path, line_taker *take, void *context, struct err *err);
/* Likewise of a file that this program wrote: a line ends at '\n' alone, and all else belongs to it. */
int file_each_own_line(const char *path, line_taker *take, void *context, struct err *err);

/* Opens a regular file, made if `flags` say so: never waits for a pipe's other end, and takes nothing from
 * it. The descriptor, or -1. */
int file_open_regular(const char *path, int flags, struct err *err);
/* 0 if the path is a regular file, for callers that open it later. */
int file_check_regular(const char *path, struct err *err);

/* A copy of a file in memory: later changes of the file do not touch it. */
struct file_image {
    unsigned char *data; /* of mem_pages */
    size_t bytes;
};

/* Of a regular file that is not empty. */
int file_image_read(struct file_image *image, const char *path, struct err *err);
void file_image_release(struct file_image *image);

/* A file that one process at a time holds. The system frees it when the process ends in any way, so that no
 * lock is stale. */
struct lock {
    int fd; /* -1: not held */
};

/* -1 where another process holds it: "'DIR' is in use by process 4711"; `path` is made if need be. */
int lock_take(struct lock *lock, const char *path, struct err *err);
void lock_release(struct lock *lock);

/* The whole file as one string, of at most 16 MiB: a config. */
int file_slurp(struct strbuf *text, const char *path, struct err *err);
bool file_exists(const char *path);
/* 0 where `path` is a directory or could be made one, parents too. */
int dir_make(const char *path, struct err *err);

#endif
