/* Reads lines and whole files, plain or gzipped, and takes locks. Writing is in writer.c; which lines are
 * valid text is checked in data. */
#define _DEFAULT_SOURCE /* flock */
#include "fileio.h"

#include "folder.h"
#include "log.h"
#include "mem.h"
#include "mem_guard.h"
#include "plural.h"
#include "utf8_check.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#define BUFFER_BYTES ((size_t)1 << 16)
#define SLURP_MAX_BYTES ((size_t)1 << 24)

/* ---- reading lines ---- */

/* Reads what is available, at most `most` bytes. On a slow pipe it waits for the first byte only. */
static ssize_t read_some(struct reader *reader, char *to, size_t most, struct err *err)
{
    ssize_t count;
    while ((count = read(reader->fd, to, most)) < 0) {
        if (errno == EAGAIN || errno == EWOULDBLOCK)
            poll(&(struct pollfd){.fd = reader->fd, .events = POLLIN}, 1, -1);
        else if (errno != EINTR)
            break;
    }
    if (count < 0)
        return err_set_errno(err, "cannot read '%s'", reader->path);
    return count;
}

/* Reports a failure of zlib, which has no memory or what it reads is damaged. */
static int gz_error(const struct reader *reader, int code, struct err *err)
{
    if (code == Z_MEM_ERROR) {
        errno = ENOMEM;
        return err_set_errno(err, "cannot read '%s'", reader->path);
    }
    return err_set(err, "cannot read '%s': damaged gzip data after line %lld", reader->path,
                   (long long)reader->line);
}

/* Starts decompression: the bytes read so far are compressed. */
static int begin_gz(struct reader *reader, struct err *err)
{
    reader->raw = reader->buffer;
    reader->buffer = NULL;
    reader->buffer = xmalloc(BUFFER_BYTES, 1);
    reader->gz = xcalloc(1, sizeof *reader->gz);
    const int code = inflateInit2(reader->gz, 15 + 16);
    if (code != Z_OK)
        return gz_error(reader, code, err);
    reader->gz->next_in = (unsigned char *)reader->raw;
    reader->gz->avail_in = (unsigned)reader->end;
    reader->end = 0;
    return 0;
}

/* Inflates until there is some text; leaves begin == end at the end of the file. */
static int fill_gz(struct reader *reader, struct err *err)
{
    z_stream *gz = reader->gz;
    gz->next_out = (unsigned char *)reader->buffer;
    gz->avail_out = BUFFER_BYTES;
    while (gz->avail_out == BUFFER_BYTES) {
        if (gz->avail_in == 0) {
            const ssize_t count = read_some(reader, reader->raw, BUFFER_BYTES, err);
            if (count < 0)
                return -1;
            if (count == 0 && !reader->gz_ended)
                return err_set(err, "cannot read '%s': the gzip file is truncated", reader->path);
            if (count == 0)
                break;
            gz->next_in = (unsigned char *)reader->raw;
            gz->avail_in = (unsigned)count;
        }
        while (reader->gz_ended && gz->avail_in && !*gz->next_in) { /* padding, as on a tape */
            gz->next_in++;
            gz->avail_in--;
        }
        if (!gz->avail_in)
            continue;
        if (reader->gz_ended)
            inflateReset(gz); /* another member follows */
        const int code = inflate(gz, Z_NO_FLUSH);
        reader->gz_ended = code == Z_STREAM_END;
        if (code != Z_OK && code != Z_STREAM_END)
            return gz_error(reader, code, err);
    }
    reader->begin = 0;
    reader->end = BUFFER_BYTES - gz->avail_out;
    return 0;
}

static int fill(struct reader *reader, struct err *err)
{
    if (reader->gz)
        return fill_gz(reader, err);
    const ssize_t count = read_some(reader, reader->buffer, BUFFER_BYTES, err);
    reader->begin = 0;
    reader->end = count > 0 ? (size_t)count : 0;
    return count < 0 ? -1 : 0;
}

/* Reads the first bytes and checks for the gzip magic; a pipe may deliver them one by one. */
static int begin(struct reader *reader, struct err *err)
{
    if (fill(reader, err))
        return -1;
    if (reader->end == 1 && (unsigned char)reader->buffer[0] == 0x1f) {
        const ssize_t more = read_some(reader, reader->buffer + 1, 1, err);
        if (more < 0)
            return -1;
        reader->end += (size_t)more;
    }
    const bool gz = reader->end >= 2 && !memcmp(reader->buffer, "\x1f\x8b", 2);
    return gz ? begin_gz(reader, err) : 0;
}

/* Ends what the system and zlib have for the reader. */
static void let_go(void *context)
{
    const struct reader *reader = context;
    if (reader->gz)
        inflateEnd(reader->gz);
    if (reader->fd >= 0)
        close(reader->fd);
}

const char *file_shown_name(const char *path)
{
    return strcmp(path, "-") ? path : "standard input";
}

/* Opens it without a look at what is in it. */
static int open_raw(struct reader *reader, const char *path, struct err *err)
{
    *reader = (struct reader){.fd = -1};
    mem_track(reader, let_go);
    reader->path = xstrdup(file_shown_name(path));
    reader->fd = strcmp(path, "-") ? open(path, O_RDONLY | O_CLOEXEC) : dup(STDIN_FILENO);
    if (reader->fd < 0) {
        err_set_errno(err, "cannot open '%s'", reader->path);
        reader_close(reader);
        return -1;
    }
    reader->buffer = xmalloc(BUFFER_BYTES, 1);
    return 0;
}

int reader_open(struct reader *reader, const char *path, struct err *err)
{
    if (open_raw(reader, path, err))
        return -1;
    if (strcmp(path, "-") && begin(reader, err)) { /* standard input is not read before a line is wanted */
        reader_close(reader);
        return -1;
    }
    return 0;
}

#define MOST_TAKEN (LINE_MAX_BYTES + 1) /* of a line with its carriage return */

/* Moves text of the buffer up to the next '\n' into `line`, without it; true if there was one. */
static bool take_line(struct reader *reader, struct strbuf *line)
{
    const char *from = reader->buffer + reader->begin;
    const size_t available = reader->end - reader->begin;
    const char *stop = available ? memchr(from, '\n', available) : NULL;
    const size_t bytes = stop ? (size_t)(stop - from) : available;
    strbuf_add(line, from, bytes);
    reader->begin += bytes + (stop != NULL);
    return stop != NULL;
}

static int fail_overlong(const struct reader *reader, struct err *err)
{
    return err_set(err, "cannot read '%s': line %lld is longer than %zu MiB", reader->path,
                   (long long)reader->line + 1, LINE_MAX_BYTES >> 20);
}

/* Reads a whole line, but keeps no more than MOST_TAKEN and a little of it. *found: its end was seen. */
static int take_whole_line(struct reader *reader, struct strbuf *line, bool *found, struct err *err)
{
    for (;;) {
        *found = take_line(reader, line);
        if (line->length > MOST_TAKEN && !reader->cuts)
            return fail_overlong(reader, err);
        if (*found)
            return 0;
        if (line->length > MOST_TAKEN)
            strbuf_truncate(line, MOST_TAKEN + 1);
        if (fill(reader, err))
            return -1;
        if (reader->end == 0)
            return 0;
    }
}

/* Cuts an overlong line at a character boundary. */
static void cut_line(struct reader *reader, struct strbuf *line)
{
    strbuf_truncate(line, utf8_whole_bytes(line->text, LINE_MAX_BYTES));
    reader->cut++;
}

int reader_line(struct reader *reader, struct strbuf *line, struct err *err)
{
    bool found;
    strbuf_reset(line);
    if (reader->line == 0 && reader->end == 0 && !reader->gz && begin(reader, err))
        return -1;
    if (take_whole_line(reader, line, &found, err))
        return -1;
    if (!found && line->length == 0)
        return 0;
    if (found && !reader->verbatim && line->length && line->text[line->length - 1] == '\r') {
        reader->crlf++;
        strbuf_truncate(line, line->length - 1);
    }
    if (line->length > LINE_MAX_BYTES && !reader->cuts)
        return fail_overlong(reader, err);
    if (line->length > LINE_MAX_BYTES)
        cut_line(reader, line);
    if (reader->line++ == 0 && !reader->verbatim && line->length >= 3 &&
        !memcmp(line->text, "\xef\xbb\xbf", 3)) {
        reader->bom = true;
        memmove(line->text, line->text + 3, line->length - 3);
        strbuf_truncate(line, line->length - 3);
    }
    return 1;
}

bool reader_line_is_open(const struct reader *reader)
{
    return reader->line && reader->end == 0;
}

bool reader_has_line(const struct reader *reader)
{
    const size_t available = reader->end - reader->begin;
    return available && memchr(reader->buffer + reader->begin, '\n', available);
}

void reader_warn_cut(const struct reader *reader)
{
    if (reader->cut)
        log_warn("%lld line%s cut to %zu MiB", (long long)reader->cut, plural((double)reader->cut),
                 LINE_MAX_BYTES >> 20);
}

void reader_close(struct reader *reader)
{
    mem_untrack(reader);
    let_go(reader);
    xfree(reader->gz);
    xfree(reader->raw);
    xfree(reader->buffer);
    xfree(reader->path);
    *reader = (struct reader){.fd = -1};
}

/* Reads to the end of the file, and closes the reader. */
static int each_line(struct reader *reader, line_taker *take, void *context, struct err *err)
{
    struct strbuf line;
    strbuf_init(&line);
    int status;
    while ((status = reader_line(reader, &line, err)) > 0)
        if ((status = take(context, &line, reader->line, err)) != 0)
            break;
    strbuf_release(&line);
    reader_close(reader);
    return status;
}

int file_each_line(const char *path, line_taker *take, void *context, struct err *err)
{
    struct reader reader;
    return reader_open(&reader, path, err) ? -1 : each_line(&reader, take, context, err);
}

int file_each_own_line(const char *path, line_taker *take, void *context, struct err *err)
{
    struct reader reader;
    if (file_check_regular(path, err) || reader_open(&reader, path, err))
        return -1;
    reader.verbatim = true;
    return each_line(&reader, take, context, err);
}

/* ---- files of our own ---- */

int file_open_regular(const char *path, int flags, struct err *err)
{
    struct stat info;
    const bool writes = (flags & O_ACCMODE) != O_RDONLY;
    bool regular = stat(path, &info) != 0 || S_ISREG(info.st_mode);
    const int fd = regular ? open(path, flags | O_CLOEXEC | O_NONBLOCK, 0666) : -1;
    if (fd < 0 && regular)
        return err_set_errno(err, "cannot %s '%s'", writes ? "write" : "open", path);
    regular = regular && fstat(fd, &info) == 0 && S_ISREG(info.st_mode); /* it may have been replaced since */
    if (regular)
        return fd;
    if (fd >= 0)
        close(fd);
    return err_set(err, "cannot %s '%s': not a regular file", writes ? "write" : "read", path);
}

int file_check_regular(const char *path, struct err *err)
{
    const int fd = file_open_regular(path, O_RDONLY, err);
    if (fd >= 0)
        close(fd);
    return fd < 0 ? -1 : 0;
}

/* ---- locks ---- */

/* Sets an error that names the process which holds the file, if it wrote its number there. */
static int report_holder(int fd, const char *dir, struct err *err)
{
    char text[32] = "";
    const ssize_t bytes = pread(fd, text, sizeof text - 1, 0);
    const long process = bytes > 0 ? strtol(text, NULL, 10) : 0;
    if (process <= 0)
        return err_set(err, "'%s' is in use by another process", dir);
    return err_set(err, "'%s' is in use by process %ld", dir, process);
}

/* Some file systems give a file another inode number each time that they are asked. */
#define MOST_TRIES 1000

/* Is the open file the one at the path? Its last holder may have removed it. */
static bool is_at(int fd, const char *path)
{
    struct stat open_file, there;
    return !fstat(fd, &open_file) && !stat(path, &there) && open_file.st_dev == there.st_dev &&
           open_file.st_ino == there.st_ino;
}

/* Where there is no file and none could be made, the directory is the matter. */
static int refuse_unmade(const char *path, const char *dir, struct err *err)
{
    const int reason = errno;
    struct stat info;
    if (lstat(path, &info) == 0)
        return -1;
    errno = reason;
    return err_set_errno(err, "cannot write in directory '%s'", dir);
}

static int take_file(struct lock *lock, const char *dir, struct err *err)
{
    for (int tries = 0; tries < MOST_TRIES; tries++) {
        lock->fd = file_open_regular(lock->path, O_RDWR | O_CREAT | O_NOFOLLOW, err);
        if (lock->fd < 0)
            return refuse_unmade(lock->path, dir, err);
        if (flock(lock->fd, LOCK_EX | LOCK_NB) != 0)
            return errno == EWOULDBLOCK ? report_holder(lock->fd, dir, err)
                                        : err_set_errno(err, "cannot lock '%s'", lock->path);
        if (is_at(lock->fd, lock->path))
            return 0;
        close(lock->fd);
        lock->fd = -1;
    }
    return err_set(err, "cannot lock '%s': it is another file each time that it is looked at", lock->path);
}

static void forget(struct lock *lock)
{
    if (lock->fd >= 0)
        close(lock->fd);
    if (lock->made)
        folder_remove_empty(lock->made);
    xfree(lock->made);
    xfree(lock->path);
    *lock = (struct lock){.fd = -1};
}

int lock_take(struct lock *lock, const char *dir, struct err *err)
{
    const bool exists = file_exists(dir);
    *lock = (struct lock){.fd = -1};
    if (dir_make(dir, err))
        return -1;
    lock->path = path_join(dir, LOCK_FILE);
    lock->made = exists ? NULL : xstrdup(dir);
    if (take_file(lock, dir, err)) {
        forget(lock);
        return -1;
    }
    /* The number only helps other processes to report who holds the lock: a full disk is no failure. */
    if (ftruncate(lock->fd, 0) == 0)
        dprintf(lock->fd, "%ld\n", (long)getpid());
    return 0;
}

static bool is_in_place(const struct lock *lock)
{
    int tries = 0;
    while (tries < MOST_TRIES && !is_at(lock->fd, lock->path))
        tries++;
    return tries < MOST_TRIES;
}

int lock_check(const struct lock *lock, struct err *err)
{
    return is_in_place(lock)
               ? 0
               : err_set(err, "cannot go on: '%s' was moved, removed or replaced meanwhile", lock->path);
}

void lock_release(struct lock *lock)
{
    if (lock->fd >= 0 && is_in_place(lock))
        unlink(lock->path);
    forget(lock);
}

/* ---- whole files ---- */

/* -1 also if another process shortens the file meanwhile. */
static int read_all(const struct file_image *image, int fd, const char *path, struct err *err)
{
    for (size_t at = 0; at < image->bytes;) {
        const ssize_t count = read(fd, image->data + at, image->bytes - at);
        if (count == 0)
            return err_set(err, "cannot read '%s': it became shorter meanwhile", path);
        if (count < 0 && errno != EINTR)
            return err_set_errno(err, "cannot read '%s'", path);
        at += count > 0 ? (size_t)count : 0;
    }
    return 0;
}

/* The size of the file; -1 also if it is empty. */
static off_t size_of(int fd, const char *path, struct err *err)
{
    struct stat info;
    if (fstat(fd, &info) != 0)
        return err_set_errno(err, "cannot read '%s'", path);
    if (info.st_size == 0)
        return err_set(err, "cannot read '%s': the file is empty", path);
    return info.st_size;
}

static void free_image(void *context)
{
    const struct file_image *image = context;
    mem_pages_free(image->data, image->bytes);
}

int file_image_read(struct file_image *image, const char *path, struct err *err)
{
    memset(image, 0, sizeof *image);
    mem_track(image, free_image);
    const int fd = file_open_regular(path, O_RDONLY, err);
    if (fd < 0) {
        mem_untrack(image);
        return -1;
    }
    const off_t bytes = size_of(fd, path, err);
    int status = bytes < 0 ? -1 : 0;
    if (!status) {
        image->data = mem_pages((size_t)bytes, true);
        image->bytes = (size_t)bytes;
        status = image->data ? read_all(image, fd, path, err) : err_set_errno(err, "cannot read '%s'", path);
    }
    close(fd);
    if (status)
        file_image_release(image);
    return status;
}

void file_image_release(struct file_image *image)
{
    mem_untrack(image);
    free_image(image);
    memset(image, 0, sizeof *image);
}

/* Reads all that the reader still has. */
static int slurp(struct strbuf *text, struct reader *reader, struct err *err)
{
    int status = 0;
    do {
        strbuf_add(text, reader->buffer + reader->begin, reader->end - reader->begin);
        if (text->length > SLURP_MAX_BYTES)
            status =
                err_set(err, "cannot read '%s': larger than %zu MiB", reader->path, SLURP_MAX_BYTES >> 20);
        else
            status = fill(reader, err);
    } while (!status && reader->end > reader->begin);
    reader_close(reader);
    return status;
}

int file_slurp(struct strbuf *text, const char *path, struct err *err)
{
    struct reader reader;
    strbuf_reset(text);
    return open_raw(&reader, path, err) ? -1 : slurp(text, &reader, err);
}

int file_slurp_text(struct strbuf *text, const char *path, struct err *err)
{
    struct reader reader;
    strbuf_reset(text);
    if (open_raw(&reader, path, err))
        return -1;
    if (begin(&reader, err)) {
        reader_close(&reader);
        return -1;
    }
    return slurp(text, &reader, err);
}

/* ---- names ---- */

bool file_exists(const char *path)
{
    return access(path, F_OK) == 0;
}

int dir_make(const char *path, struct err *err)
{
    struct stat info;
    if (stat(path, &info) == 0) {
        if (S_ISDIR(info.st_mode))
            return 0;
        errno = ENOTDIR;
        return err_set_errno(err, "cannot make directory '%s'", path);
    }
    char *parent = path_dir(path);
    const int status = !strcmp(parent, path) ? 0 : dir_make(parent, err);
    xfree(parent);
    if (status)
        return status;
    if (mkdir(path, 0777) != 0 && errno != EEXIST)
        return err_set_errno(err, "cannot make directory '%s'", path);
    return 0;
}
