/* Makes the input of a fuzz target a file in memory, for functions that read paths. */
#define _GNU_SOURCE /* memfd_create */
#include "fuzz.h"

#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

const char *fuzz_path(const uint8_t *data, size_t bytes)
{
    static int fds[2] = {-1, -1}, which;
    static char paths[2][64];
    which = !which;
    if (fds[which] >= 0)
        close(fds[which]);
    const int fd = fds[which] = memfd_create("input", 0);
    MUST(fd >= 0);
    for (size_t done = 0; done < bytes;) {
        const ssize_t count = write(fd, data + done, bytes - done);
        MUST(count > 0);
        done += (size_t)count;
    }
    snprintf(paths[which], sizeof paths[which], "/proc/self/fd/%d", fd);
    return paths[which];
}
