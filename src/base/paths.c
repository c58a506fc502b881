/* Joins, splits, follows and resolves file names. Reading and writing the files is in fileio.c and
 * writer.c. */
#include "paths.h"

#include "mem.h"
#include "strbuf.h"

#include <errno.h>
#include <limits.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define MOST_LINKS 40 /* Linux's own limit */

char *path_join(const char *dir, const char *name)
{
    if (name[0] == '/' || dir[0] == '\0')
        return xstrdup(name);
    const size_t length = strlen(dir);
    return xasprintf("%s%s%s", dir, dir[length - 1] == '/' ? "" : "/", name);
}

char *path_dir(const char *path)
{
    size_t length = strlen(path);
    while (length > 1 && path[length - 1] == '/')
        length--;
    while (length > 0 && path[length - 1] != '/')
        length--;
    if (length == 0)
        return xstrdup(".");
    while (length > 1 && path[length - 1] == '/')
        length--;
    return xstrndup(path, length);
}

const char *path_base(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* realpath; NULL if there is no such file. */
static char *real_path(const char *path)
{
    errno = 0;
    char *real = realpath(path, NULL);
    return real || errno == ENOMEM ? xadopt(real, PATH_MAX) : NULL;
}

char *path_absolute(const char *path)
{
    char *at = path[0] == '/' ? xstrdup("/") : real_path(".");
    if (!at)
        return xstrdup(path);
    while (*path) {
        const size_t length = strcspn(path, "/");
        char *name = xstrndup(path, length), *next;
        if (!length || !strcmp(name, ".")) {
            next = xstrdup(at);
        } else if (!strcmp(name, "..")) {
            next = path_dir(at);
        } else {
            char *joined = path_join(at, name);
            next = real_path(joined);
            if (!next)
                next = xstrdup(joined);
            xfree(joined);
        }
        xfree(name);
        xfree(at);
        at = next;
        path += length + (path[length] == '/');
    }
    return at;
}

char *path_follow(const char *path)
{
    char *at = xstrdup(path);
    for (int links = 0; links < MOST_LINKS; links++) {
        char to[PATH_MAX];
        const ssize_t length = readlink(at, to, sizeof to - 1);
        if (length < 0)
            return at;
        to[length] = '\0';
        char *dir = path_dir(at);
        xfree(at);
        at = path_join(dir, to);
        xfree(dir);
    }
    xfree(at);
    errno = ELOOP;
    return NULL;
}

/* Length of the common beginning of two paths, in whole components. */
static size_t common_directory(const char *a, const char *b)
{
    size_t common = 0, i = 0;
    for (; a[i] && a[i] == b[i]; i++)
        if (a[i] == '/')
            common = i;
    return (!a[i] || a[i] == '/') && (!b[i] || b[i] == '/') ? i : common;
}

char *path_relative(const char *path, const char *dir)
{
    const size_t common = common_directory(path, dir);
    if (path[0] != '/' || dir[0] != '/' || common == 0)
        return xstrdup(path);
    struct strbuf relative;
    strbuf_init(&relative);
    for (const char *up = dir + common; (up = strchr(up, '/')); up++)
        if (up[1])
            strbuf_adds(&relative, relative.length ? "/.." : "..");
    if (path[common])
        strbuf_addf(&relative, "%s%s", relative.length ? "/" : "", path + common + 1);
    if (!relative.length)
        strbuf_adds(&relative, ".");
    return strbuf_detach(&relative);
}

bool paths_are_same(const char *a, const char *b)
{
    struct stat x, y;
    return !stat(a, &x) && !stat(b, &y) && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}
