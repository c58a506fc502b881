/* paths: operations on file names. The caller frees what is not const. */
#ifndef NMT_PATHS_H
#define NMT_PATHS_H

#include <stdbool.h>

/* "dir/name"; `name` itself if it is absolute or dir is empty. */
char *path_join(const char *dir, const char *name);
char *path_dir(const char *path);        /* "a/b" -> "a"; "b" -> "." */
const char *path_base(const char *path); /* "a/b" -> "b" */
/* An absolute path without links, "." and ".."; the part after the last existing directory stays as
 * written. */
char *path_absolute(const char *path);
/* The path relative to a directory: "/home/me/data/a" from "/home/me/models" is "../data/a". Unchanged if
 * the two share only the root, or one is not absolute. */
char *path_relative(const char *path, const char *dir);
/* Follows symbolic links to their end, which need not exist; NULL (errno) if they form a loop. */
char *path_follow(const char *path);
/* Do both lead to one file or directory, which exists? */
bool paths_are_same(const char *a, const char *b);

#endif
