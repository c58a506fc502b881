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

/* Processors that one group may use; INFINITY without a limit. The file says "MICROSECONDS PERIOD" or "max
 * PERIOD". */
static double group_quota(const char *group)
{
    long used = 0, period = 0;
    char *path = path_join(group, "cpu.max");
    FILE *file = fopen(path, "r");
    const bool limited = file && fscanf(file, "%ld %ld", &used, &period) == 2 && used > 0 && period > 0;
    if (file)
        fclose(file);
    xfree(path);
    return limited ? (double)used / (double)period : INFINITY;
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

int machine_processor_quota(const char *own, const char *all)
{
    struct strbuf path;
    strbuf_init(&path);
    strbuf_adds(&path, all);
    add_own_group(&path, own);
    /* The limit of a group holds for those inside. */
    double quota = group_quota(all);
    for (; path.length > strlen(all); strbuf_truncate(&path, (size_t)(strrchr(path.text, '/') - path.text)))
        quota = fmin(quota, group_quota(path.text));
    strbuf_release(&path);
    return isfinite(quota) ? (int)fmin(ceil(quota), INT_MAX) : 0;
}
