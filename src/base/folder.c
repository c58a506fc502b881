/* Reads the names in a directory; an error between two of them is not the end. */
#include "folder.h"

#include "mem.h"
#include "paths.h"

#include <dirent.h>
#include <errno.h>
#include <stddef.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int folder_each(const char *path, folder_taker *take, void *context, struct err *err)
{
    DIR *dir = opendir(path);
    if (!dir)
        return errno == ENOENT || errno == ENOTDIR ? 0 : err_set_errno(err, "cannot read '%s'", path);
    const struct dirent *entry;
    for (errno = 0; (entry = readdir(dir)); errno = 0)
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
            take(context, entry->d_name);
    const int status = errno ? err_set_errno(err, "cannot read '%s'", path) : 0;
    closedir(dir);
    return status;
}

struct removal {
    const char *dir;
    double *bytes;
    struct err *err;
    int status;
};

/* Removes an entry of a directory, unless an earlier one has failed. */
static void remove_entry(void *context, const char *name)
{
    struct removal *removal = context;
    if (removal->status)
        return;
    char *path = path_join(removal->dir, name);
    removal->status = folder_remove(path, removal->bytes, removal->err);
    xfree(path);
}

int folder_remove(const char *path, double *bytes, struct err *err)
{
    struct stat info;
    struct removal removal = {path, bytes, err, 0};
    if (lstat(path, &info))
        return errno == ENOENT ? 0 : err_set_errno(err, "cannot remove '%s'", path);
    if (!S_ISDIR(info.st_mode)) {
        *bytes += S_ISREG(info.st_mode) ? (double)info.st_size : 0;
        return unlink(path) && errno != ENOENT ? err_set_errno(err, "cannot remove '%s'", path) : 0;
    }
    if (folder_each(path, remove_entry, &removal, err) || removal.status)
        return -1;
    return rmdir(path) && errno != ENOENT ? err_set_errno(err, "cannot remove '%s'", path) : 0;
}

struct sum {
    const char *dir;
    double bytes;
};

static void add_entry(void *context, const char *name)
{
    struct sum *sum = context;
    char *path = path_join(sum->dir, name);
    sum->bytes += folder_bytes(path);
    xfree(path);
}

double folder_bytes(const char *path)
{
    struct stat info;
    struct err ignored;
    struct sum sum = {path, 0};
    if (lstat(path, &info))
        return 0;
    if (!S_ISDIR(info.st_mode))
        return S_ISREG(info.st_mode) ? (double)info.st_size : 0;
    (void)folder_each(path, add_entry, &sum, &ignored);
    return sum.bytes;
}

void folder_remove_empty(const char *path)
{
    rmdir(path);
}
