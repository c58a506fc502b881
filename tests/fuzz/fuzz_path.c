#define _GNU_SOURCE /* memfd_create */
#include "fuzz.h"

#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

const char *fuzz_path(const uint8_t *data, size_t bytes)
{
    static int fd = -1;
    static char path[64];
    if (fd >= 0)
        close(fd);
    fd = memfd_create("input", 0);
    MUST(fd >= 0);
    for (size_t done = 0; done < bytes;) {
        const ssize_t count = write(fd, data + done, bytes - done);
        MUST(count > 0);
        done += (size_t)count;
    }
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    return path;
}
