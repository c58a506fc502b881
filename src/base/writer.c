/* Writes to descriptors, and replaces files atomically through a temporary file. Reading is in fileio.c. */
#define _GNU_SOURCE /* O_TMPFILE, fchown, symlink */
#include "writer.h"

#include "folder.h"
#include "mem.h"
#include "paths.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define BUFFER_BYTES ((size_t)1 << 16)
#define TEMPORARY_BEGIN "nmt-"
#define TEMPORARY_END ".tmp"
#define MOST_ATTEMPTS 100
#define MOST_SENT ((size_t)1 << 24) /* bytes of a copy at once */

/* ---- descriptors ---- */

void sink_init(struct sink *sink, int fd)
{
    *sink = (struct sink){.fd = fd};
}

static void write_all(struct sink *sink, const char *data, size_t bytes)
{
    while (bytes && !sink->failure) {
        const ssize_t count = write(sink->fd, data, bytes);
        if (count >= 0) {
            data += count;
            bytes -= (size_t)count;
        } else if (errno == EAGAIN || errno == EWOULDBLOCK) {
            poll(&(struct pollfd){.fd = sink->fd, .events = POLLOUT}, 1, -1);
        } else if (errno != EINTR) {
            sink->failure = errno;
        }
    }
}

int sink_flush(struct sink *sink)
{
    write_all(sink, sink->buffer, sink->count);
    sink->count = 0;
    errno = sink->failure;
    return sink->failure ? -1 : 0;
}

void sink_add(struct sink *sink, const void *data, size_t bytes)
{
    if (sink->count + bytes > BUFFER_BYTES)
        sink_flush(sink);
    if (bytes > BUFFER_BYTES) {
        write_all(sink, data, bytes);
        return;
    }
    if (!bytes)
        return;
    if (!sink->buffer)
        sink->buffer = xmalloc(BUFFER_BYTES, 1);
    memcpy(sink->buffer + sink->count, data, bytes);
    sink->count += bytes;
}

int sink_close(struct sink *sink)
{
    sink_flush(sink);
    if (sink->fd >= 0 && close(sink->fd) != 0 && !sink->failure)
        sink->failure = errno;
    xfree(sink->buffer);
    errno = sink->failure;
    sink_init(sink, -1);
    return errno ? -1 : 0;
}

/* ---- temporary names ---- */

/* What is made under a temporary name: an empty file with that mode, or a link to what is there. */
struct made {
    enum { NEW_FILE, SYMBOLIC_LINK, HARD_LINK } kind;
    const char *target;
    unsigned mode;
};

static int make(const struct made *made, const char *path)
{
    return made->kind == SYMBOLIC_LINK ? symlink(made->target, path)
           : made->kind == HARD_LINK
               ? linkat(AT_FDCWD, made->target, AT_FDCWD, path, AT_SYMLINK_FOLLOW)
               : open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, (mode_t)made->mode);
}

/* Makes it under an unused name. */
static int make_temporary(char **path, const char *dir, const struct made *what)
{
    int result = -1;
    *path = NULL;
    for (int i = 0; i < MOST_ATTEMPTS; i++) {
        struct timespec now;
        char name[64];
        clock_gettime(CLOCK_REALTIME, &now);
        snprintf(name, sizeof name, TEMPORARY_BEGIN "%ld-%09ld" TEMPORARY_END, (long)getpid(), now.tv_nsec);
        xfree(*path);
        *path = path_join(dir, name);
        result = make(what, *path);
        if (result >= 0 || errno != EEXIST)
            break;
    }
    return result;
}

int temporary_open(char **path, const char *dir, unsigned mode)
{
    return make_temporary(path, dir, &(struct made){.kind = NEW_FILE, .mode = mode});
}

int link_replace(const char *target, const char *link)
{
    char *dir = path_dir(link), *temporary;
    int status = make_temporary(&temporary, dir, &(struct made){.kind = SYMBOLIC_LINK, .target = target});
    if (!status && rename(temporary, link) != 0) {
        const int failure = errno;
        unlink(temporary);
        errno = failure;
        status = -1;
    }
    xfree(temporary);
    xfree(dir);
    return status;
}

bool temporary_is_left_over(const char *name)
{
    const size_t length = strlen(name), begin = strlen(TEMPORARY_BEGIN), end = strlen(TEMPORARY_END);
    char *rest;
    if (length < begin + end || strncmp(name, TEMPORARY_BEGIN, begin) != 0 ||
        strcmp(name + length - end, TEMPORARY_END) != 0)
        return false;
    const long process = strtol(name + begin, &rest, 10);
    if (rest == name + begin || *rest != '-' || process <= 0)
        return false;
    /* Process numbers are reused, in containers even at once: a file with our own number is stale, too. */
    return process == (long)getpid() || (kill((pid_t)process, 0) != 0 && errno == ESRCH);
}

static void remove_left_over(void *context, const char *name)
{
    const char *const *folder = context;
    if (!temporary_is_left_over(name))
        return;
    char *path = path_join(*folder, name);
    unlink(path);
    xfree(path);
}

void temporaries_remove(const char *folder)
{
    struct err err; /* what cannot be read is left */
    folder_each(folder, remove_left_over, &folder, &err);
}

/* ---- whole files ---- */

static int fail(struct writer *writer, struct err *err)
{
    err_set_errno(err, "cannot write '%s'", writer->path);
    writer_abort(writer);
    return -1;
}

static bool is_same(const struct stat *a, const struct stat *b)
{
    return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

bool is_standard_output(const char *path)
{
    struct stat info, out;
    return !strcmp(path, "-") || (!stat(path, &info) && !S_ISCHR(info.st_mode) &&
                                  !fstat(STDOUT_FILENO, &out) && is_same(&info, &out));
}

/* Opens a device, pipe or standard output, which is written to directly. */
static int open_directly(struct writer *writer, const char *path, bool standard, struct err *err)
{
    const int fd = standard ? fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1)
                            : open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY);
    sink_init(&writer->sink, fd);
    return fd < 0 ? fail(writer, err) : 0;
}

/* Forgets a temporary name that could not be used; keeps errno. */
static int forget_temporary(struct writer *writer)
{
    const int failure = errno;
    xfree(writer->temporary);
    writer->temporary = NULL;
    errno = failure;
    return -1;
}

#define DESCRIPTOR "/proc/self/fd/%d" /* a name of an open file, if it has another or not */

/* Opens a file that has no name yet, and so is gone however this process ends. -1 if the file system has no
 * such files, or the file could not get a name later. */
static int open_nameless(const char *dir, unsigned mode)
{
    char name[32];
    const int fd = open(dir, O_TMPFILE | O_RDWR | O_CLOEXEC, (mode_t)mode);
    snprintf(name, sizeof name, DESCRIPTOR, fd);
    if (fd < 0 || !access(name, F_OK))
        return fd;
    close(fd);
    return -1;
}

/* Gives a file an owner and a mode: best effort, since the file system or the user's rights may not allow
 * it. */
static void take_rights(int fd, const struct stat *info)
{
    if (fchown(fd, info->st_uid, info->st_gid) != 0)
        errno = 0;
    fchmod(fd, info->st_mode & 07777);
}

static int copy_file(int to, int from)
{
    off_t at = 0;
    ssize_t bytes;
    do
        bytes = sendfile(to, from, &at, MOST_SENT);
    while (bytes > 0 || (bytes < 0 && errno == EINTR));
    return bytes ? -1 : fsync(to);
}

/* Takes a copy with a temporary name into the place of a file that has none. */
static int copy_to_temporary(struct writer *writer, const char *dir)
{
    struct stat info;
    const int fd = fstat(writer->sink.fd, &info) ? -1 : temporary_open(&writer->temporary, dir, 0600);
    if (fd < 0)
        return forget_temporary(writer);
    take_rights(fd, &info);
    const int status = copy_file(fd, writer->sink.fd), failure = errno;
    close(writer->sink.fd);
    writer->sink.fd = fd;
    errno = failure;
    return status;
}

/* Gives a temporary name to a file that has none, or, where links are forbidden, to a copy of it. */
static int name_temporary(struct writer *writer)
{
    char name[32], *dir = path_dir(writer->end);
    snprintf(name, sizeof name, DESCRIPTOR, writer->sink.fd);
    int status = make_temporary(&writer->temporary, dir, &(struct made){.kind = HARD_LINK, .target = name});
    if (status) {
        forget_temporary(writer);
        status = copy_to_temporary(writer, dir);
    }
    xfree(dir);
    return status;
}

/* Opens a temporary file beside the one to replace, with its owner and mode if it exists. A user's output
 * gets its name at the end: no lock of its directory tells what a killed process has left from what another
 * one writes. */
static int open_temporary_beside(struct writer *writer, const struct stat *old, bool output, struct err *err)
{
    char *dir = path_dir(writer->end);
    const unsigned mode = old ? 0600 : 0666;
    int fd = output ? open_nameless(dir, mode) : -1;
    if (fd < 0)
        fd = temporary_open(&writer->temporary, dir, mode);
    xfree(dir);
    sink_init(&writer->sink, fd);
    if (fd < 0) {
        forget_temporary(writer);
        return fail(writer, err);
    }
    if (old)
        take_rights(fd, old);
    return 0;
}

static int open_writer(struct writer *writer, const char *path, bool output, struct err *err)
{
    struct stat info, end;
    memset(writer, 0, sizeof *writer);
    sink_init(&writer->sink, -1);
    writer->path = xstrdup(output && !strcmp(path, "-") ? "standard output" : path);
    if (output && is_standard_output(path))
        return open_directly(writer, path, true, err);
    const bool exists = !stat(path, &info);
    if (!exists && (errno != ENOENT || !*path))
        return fail(writer, err);
    if (exists ? S_ISDIR(info.st_mode) : path[strlen(path) - 1] == '/') {
        errno = EISDIR;
        return fail(writer, err);
    }
    if (exists && !S_ISREG(info.st_mode) && !output) {
        err_set(err, "cannot write '%s': not a regular file", path);
        writer_abort(writer);
        return -1;
    }
    if (exists && !S_ISREG(info.st_mode))
        return open_directly(writer, path, false, err);
    writer->end = path_follow(path);
    if (!writer->end)
        return fail(writer, err);
    if (exists && (lstat(writer->end, &end) != 0 || !is_same(&info, &end))) {
        errno = ESTALE; /* a descriptor under /proc whose file has been deleted */
        return fail(writer, err);
    }
    return open_temporary_beside(writer, exists ? &info : NULL, output, err);
}

int writer_open(struct writer *writer, const char *path, struct err *err)
{
    return open_writer(writer, path, false, err);
}

int writer_open_output(struct writer *writer, const char *path, struct err *err)
{
    return open_writer(writer, path, true, err);
}

int writer_write(struct writer *writer, const void *data, size_t bytes, struct err *err)
{
    sink_add(&writer->sink, data, bytes);
    errno = writer->sink.failure;
    return errno ? err_set_errno(err, "cannot write '%s'", writer->path) : 0;
}

/* A rename is durable only once the directory is synced. */
static void sync_directory(const char *path)
{
    char *dir = path_dir(path);
    const int fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    xfree(dir);
    if (fd < 0)
        return;
    fsync(fd);
    close(fd);
}

static void release(struct writer *writer)
{
    xfree(writer->path);
    xfree(writer->end);
    xfree(writer->temporary);
    memset(writer, 0, sizeof *writer);
    sink_init(&writer->sink, -1);
}

int writer_commit(struct writer *writer, struct err *err)
{
    bool bad = sink_flush(&writer->sink) != 0 || (writer->end && fsync(writer->sink.fd) != 0) ||
               (writer->end && !writer->temporary && name_temporary(writer) != 0);
    bad = bad || sink_close(&writer->sink) != 0;
    if (bad || (writer->end && rename(writer->temporary, writer->end) != 0))
        return fail(writer, err);
    if (writer->end)
        sync_directory(writer->end);
    release(writer);
    return 0;
}

void writer_abort(struct writer *writer)
{
    writer->sink.count = 0;
    sink_close(&writer->sink);
    if (writer->temporary)
        unlink(writer->temporary);
    release(writer);
}

int writer_end(struct writer *writer, int status, struct err *err)
{
    if (!status)
        return writer_commit(writer, err);
    writer_abort(writer);
    return -1;
}

static int write_whole(const char *path, const char *text, size_t bytes, bool output, struct err *err)
{
    struct writer writer;
    if (open_writer(&writer, path, output, err))
        return -1;
    return writer_end(&writer, writer_write(&writer, text, bytes, err), err);
}

int file_replace(const char *path, const char *text, size_t bytes, struct err *err)
{
    return write_whole(path, text, bytes, false, err);
}

int file_output(const char *path, const char *text, size_t bytes, struct err *err)
{
    return write_whole(path, text, bytes, true, err);
}

int file_check_writable(const char *path, struct err *err)
{
    struct writer writer;
    struct stat info;
    if (is_standard_output(path))
        return 0;
    if (!stat(path, &info) && !S_ISREG(info.st_mode) &&
        !S_ISDIR(info.st_mode)) /* opening a pipe only to test it would end it for its reader */
        return 0;
    if (writer_open(&writer, path, err))
        return -1;
    writer_abort(&writer);
    return 0;
}
