/* To be preloaded: the read() number FAIL_READ, from 1, of files below the working directory fails, or with
 * FAIL_SHORT finds the end of the file. With FAIL_READDIR, the second readdir() of each directory fails. With
 * UNSTABLE, stat() finds another file each time that a path has that ending. With FAIL_LINK, no file gets
 * another name. */
#define _GNU_SOURCE /* RTLD_NEXT */
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool is_ours(int fd)
{
    char link[64], path[PATH_MAX], here[PATH_MAX];
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    const ssize_t length = readlink(link, path, sizeof path - 1);
    if (length < 0 || !getcwd(here, sizeof here))
        return false;
    path[length] = '\0';
    return !strncmp(path, here, strlen(here));
}

ssize_t read(int fd, void *buffer, size_t bytes)
{
    static atomic_int calls;
    ssize_t (*real)(int, void *, size_t);
    void *found = dlsym(RTLD_NEXT, "read");
    memcpy(&real, &found, sizeof real);
    const char *number = getenv("FAIL_READ");
    if (number && is_ours(fd) && atomic_fetch_add(&calls, 1) + 1 == strtol(number, NULL, 10)) {
        FILE *fired = fopen("fired", "w"); /* says that there was such a read */
        if (fired)
            fclose(fired);
        errno = EIO;
        return getenv("FAIL_SHORT") ? 0 : -1;
    }
    return real(fd, buffer, bytes);
}

struct dirent *readdir(DIR *dir)
{
    static atomic_int calls;
    struct dirent *(*real)(DIR *);
    void *found = dlsym(RTLD_NEXT, "readdir");
    memcpy(&real, &found, sizeof real);
    if (getenv("FAIL_READDIR") && is_ours(dirfd(dir)) && atomic_fetch_add(&calls, 1) == 1) {
        errno = EIO;
        return NULL;
    }
    return real(dir);
}

int linkat(int old_dir, const char *old_path, int new_dir, const char *new_path, int flags)
{
    int (*real)(int, const char *, int, const char *, int);
    void *found = dlsym(RTLD_NEXT, "linkat");
    memcpy(&real, &found, sizeof real);
    if (getenv("FAIL_LINK")) {
        errno = EPERM;
        return -1;
    }
    return real(old_dir, old_path, new_dir, new_path, flags);
}

int stat(const char *restrict path, struct stat *restrict info)
{
    int (*real)(const char *, struct stat *);
    void *found = dlsym(RTLD_NEXT, "stat");
    memcpy(&real, &found, sizeof real);
    const int status = real(path, info);
    const char *ending = getenv("UNSTABLE");
    if (ending && strlen(path) > strlen(ending) && !strcmp(path + strlen(path) - strlen(ending), ending))
        info->st_ino++;
    return status;
}
