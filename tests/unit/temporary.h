/* temporary: files and folders in /tmp for tests, made in the setup of a group and removed in its
 * teardown. */
#ifndef NMT_TEST_TEMPORARY_H
#define NMT_TEST_TEMPORARY_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Makes an empty file; `path` "…XXXXXX" becomes its name. 0, or -1. */
static inline int temporary_file(char *path)
{
    const int fd = mkstemp(path);
    return fd < 0 ? -1 : close(fd);
}

static char temporary_dir[64];

static inline int make_temporary_dir(void **state)
{
    (void)state;
    strcpy(temporary_dir, "/tmp/nmt-unit-XXXXXX");
    return mkdtemp(temporary_dir) ? 0 : -1;
}

/* Fails unless the tests have left it empty. */
static inline int remove_temporary_dir(void **state)
{
    (void)state;
    return rmdir(temporary_dir);
}

/* Removes it with all that the tests have left in it. */
static inline int clear_temporary_dir(void **state)
{
    char command[sizeof temporary_dir + 16];
    (void)state;
    snprintf(command, sizeof command, "rm -rf '%s'", temporary_dir);
    return system(command);
}

#endif
