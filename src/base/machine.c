/* Asks the system for the name of the processor and the room on a disk. */
#include "machine.h"

#include "mem.h"
#include "paths.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/statvfs.h>

void machine_processor(char *name, size_t bytes)
{
    char line[256];
    FILE *file = fopen("/proc/cpuinfo", "r");
    snprintf(name, bytes, "unknown");
    while (file && fgets(line, sizeof line, file)) {
        const char *value = strchr(line, ':');
        if (strncmp(line, "model name", 10) != 0 || !value)
            continue;
        value += 1 + strspn(value + 1, " \t");
        snprintf(name, bytes, "%.*s", (int)strcspn(value, "\n"), value);
        break;
    }
    if (file)
        fclose(file);
}

double machine_free_disk(const char *path)
{
    struct statvfs disk;
    if (!statvfs(path, &disk))
        return (double)disk.f_bavail * (double)disk.f_frsize;
    const bool missing = errno == ENOENT;
    char *above = path_dir(path);
    const double bytes = missing && strcmp(above, path) ? machine_free_disk(above) : -1;
    xfree(above);
    return bytes;
}
