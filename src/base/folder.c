/* Reads the names in a directory; an error between two of them is not the end. */
#include "folder.h"

#include <dirent.h>
#include <errno.h>

int folder_each(const char *path, folder_taker *take, void *context, struct err *err)
{
    DIR *dir = opendir(path);
    if (!dir)
        return errno == ENOENT || errno == ENOTDIR ? 0 : err_set_errno(err, "cannot read '%s'", path);
    const struct dirent *entry;
    for (errno = 0; (entry = readdir(dir)); errno = 0)
        take(context, entry->d_name);
    const int status = errno ? err_set_errno(err, "cannot read '%s'", path) : 0;
    closedir(dir);
    return status;
}
