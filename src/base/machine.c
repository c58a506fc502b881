/* Asks the system for the name of the processor, how much of its time may be used, and the room on a disk. */
#include "machine.h"

#include "mem.h"
#include "paths.h"
#include "strbuf.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
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

/* ---- control groups ---- */

/* Reads up to two numbers of a group's file, which has "max" in the place of one that is no limit; returns
 * how many there are. */
static int read_limit(const char *group, const char *name, long numbers[2])
{
    char *path = path_join(group, name);
    FILE *file = fopen(path, "r");
    const int count = file ? fscanf(file, "%ld %ld", &numbers[0], &numbers[1]) : 0;
    if (file)
        fclose(file);
    xfree(path);
    return count;
}

/* Processors that one group may use; INFINITY without a limit. The file says "MICROSECONDS PERIOD" or "max
 * PERIOD". */
static double group_quota(const char *group)
{
    long n[2];
    const bool limited = read_limit(group, "cpu.max", n) == 2 && n[0] > 0 && n[1] > 0;
    return limited ? (double)n[0] / (double)n[1] : INFINITY;
}

/* Bytes likewise. */
static double group_memory(const char *group)
{
    long n[2];
    return read_limit(group, "memory.max", n) == 1 ? (double)n[0] : INFINITY;
}

/* Adds the group of the line "0::/a/b"; in a container, that is "/" or a folder that is not mounted. */
static void add_own_group(struct strbuf *path, const char *own)
{
    char line[4096] = "";
    FILE *file = fopen(own, "r");
    bool found = false;
    while (file && !found && fgets(line, sizeof line, file))
        found = !strncmp(line, "0::/", 4);
    if (file)
        fclose(file);
    if (found)
        strbuf_add(path, line + 3, strcspn(line + 3, "\n"));
}

/* The least limit of the groups of a process: that of a group holds for those inside. */
static double least_limit(const char *own, const char *all, double (*limit_of)(const char *group))
{
    struct strbuf path;
    strbuf_init(&path);
    strbuf_adds(&path, all);
    add_own_group(&path, own);
    double least = limit_of(all);
    for (; path.length > strlen(all); strbuf_truncate(&path, (size_t)(strrchr(path.text, '/') - path.text)))
        least = fmin(least, limit_of(path.text));
    strbuf_release(&path);
    return least;
}

int machine_processor_quota(const char *own, const char *all)
{
    const double quota = least_limit(own, all, group_quota);
    return isfinite(quota) ? (int)fmin(ceil(quota), INT_MAX) : 0;
}

double machine_memory_limit(const char *own, const char *all)
{
    return least_limit(own, all, group_memory);
}
