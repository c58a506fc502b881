#include "line_output.h"

#include "fileio.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Counts lines, and the bytes to behind the last one's end. */
static int count_lines(long *lines, long long *bytes, const char *path, struct err *err)
{
    char piece[1 << 16];
    size_t count;
    long long at = 0;
    FILE *file = fopen(path, "rb");
    if (!file)
        return err_set_errno(err, "cannot open '%s'", path);
    while ((count = fread(piece, 1, sizeof piece, file)) > 0) {
        for (const char *end = piece; (end = memchr(end, '\n', count - (size_t)(end - piece))); end++) {
            *bytes = at + (end - piece) + 1;
            ++*lines;
        }
        at += (long long)count;
    }
    const int status = ferror(file) ? err_set_errno(err, "cannot read '%s'", path) : 0;
    fclose(file);
    return status;
}

int line_output_begin(long *lines, const char *path, bool resume, struct err *err)
{
    long long bytes = 0;
    *lines = 0;
    if (resume && file_exists(path)) {
        if (count_lines(lines, &bytes, path, err))
            return -1;
        if (truncate(path, bytes) != 0)
            return err_set_errno(err, "cannot write '%s'", path);
    }
    if (!freopen(path, resume ? "ab" : "wb", stdout))
        return err_set_errno(err, "cannot write '%s'", path);
    return 0;
}
