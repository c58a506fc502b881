/* fileio: reading lines and whole files, locks. The only user of zlib.
 *
 * A file may be plain or gzipped (recognised by its first bytes, not its name); "-" is standard input. Only
 * '\n' ends a line. A byte-order mark at the start and a '\r' before '\n' are removed and counted. */
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
    bool gz_ended;         /* the last gzip member is complete */
    int64_t line;          /* number of the line last read, from 1 */
    int64_t crlf;          /* lines that ended in \r\n */
    bool bom;              /* the file began with U+FEFF */
    bool verbatim;         /* keep \r and U+FEFF in the lines */
    bool cuts;             /* set by the caller: cut a line over LINE_MAX_BYTES instead of failing */
    int64_t cut;           /* lines that were cut */
    char *raw;             /* compressed bytes of the file; NULL where it is plain */
    char *buffer;          /* text */
    size_t begin, end;     /* the unread part of the buffer */
};

int reader_open(struct reader *reader, const char *path, struct err *err);
/* Reads a line, without its line end. 1: read; 0: end of file; -1: error (unreadable, damaged, or a line
 * over LINE_MAX_BYTES unless `cuts`). */
int reader_line(struct reader *reader, struct strbuf *line, struct err *err);
/* True after a line that no '\n' ends: it is the last one. */
bool reader_line_is_open(const struct reader *reader);
/* True if the next line is in the buffer already, so that reading it cannot block. */
bool reader_has_line(const struct reader *reader);
/* Warns how many lines were cut, if any. */
void reader_warn_cut(const struct reader *reader);
void reader_close(struct reader *reader);
/* Receives a line and its number; a result other than 0 ends the reading. */
typedef int line_taker(void *context, const struct strbuf *line, int64_t number, struct err *err);
/* Passes every line of a file to `take`; stops when `take` returns other than 0, and returns that. */
int file_each_line(const char *path, line_taker *take, void *context, struct err *err);
/* The same for a file that this program wrote: a regular file, from whose lines nothing but the '\n' is
 * removed. */
int file_each_own_line(const char *path, line_taker *take, void *context, struct err *err);

/* Opens a regular file, creating it if `flags` say so; does not block on a pipe or read from it. Returns
 * the descriptor, or -1. */
int file_open_regular(const char *path, int flags, struct err *err);
/* 0 if the path is a regular file. */
int file_check_regular(const char *path, struct err *err);

/* A copy of a file in memory, unaffected by later changes of the file. */
struct file_image {
    unsigned char *data; /* from mem_pages */
    size_t bytes;
};

/* Reads a regular file, which must not be empty. */
int file_image_read(struct file_image *image, const char *path, struct err *err);
void file_image_release(struct file_image *image);

#define LOCK_FILE "lock"

/* A directory locked by one process at a time, through that file in it. The system releases it however
 * the process ends: no lock is ever stale. */
struct lock {
    int fd;     /* -1: not held */
    char *path; /* of the file */
    char *made; /* the directory, if locking has created it */
};

/* Creates the directory if need be, and locks it. -1 if another process holds it: "'DIR' is in use by process
 * 4711". */
int lock_take(struct lock *lock, const char *dir, struct err *err);
/* -1 if the directory was moved, removed or replaced since, so that another process may hold it. */
int lock_check(const struct lock *lock, struct err *err);
/* Removes the file, unless it is another process's, and a directory that locking has created if it is still
 * empty. */
void lock_release(struct lock *lock);

/* The name of a file in messages: "standard input" of "-". */
const char *file_shown_name(const char *path);
/* Reads a whole file, or standard input of "-", at most 16 MiB, into a string, replacing its content. */
int file_slurp(struct strbuf *text, const char *path, struct err *err);
/* The same of a file that may be gzipped. */
int file_slurp_text(struct strbuf *text, const char *path, struct err *err);
bool file_exists(const char *path);
/* Creates a directory and its parents; 0 if it exists already. */
int dir_make(const char *path, struct err *err);

#endif
