/* paths: names of files, and where they lead. */
#ifndef NMT_PATHS_H
#define NMT_PATHS_H

/* "dir/name"; `name` itself if it is absolute or dir is empty. The caller frees. */
char *path_join(const char *dir, const char *name);
char *path_dir(const char *path);        /* "a/b" -> "a"; "b" -> "." */
const char *path_base(const char *path); /* "a/b" -> "b" */
/* An absolute path without links, "." and ".."; behind the last directory that is there, as it is written. */
char *path_absolute(const char *path);
/* The same file seen from a directory: "/home/me/data/a" from "/home/me/models" is "../data/a". Where both
 * have nothing but the root in common, or one is not absolute, the path as it is. */
char *path_relative(const char *path, const char *dir);
/* What the symbolic links that begin at `path` end at, whether it is there or not; NULL (errno) where they go
 * round in circles. */
char *path_follow(const char *path);

#endif
