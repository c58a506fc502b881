/* machine: facts about the machine. */
#ifndef NMT_MACHINE_H
#define NMT_MACHINE_H

#include <stddef.h>

/* The processor's name as the system reports it, or "unknown". */
void machine_processor(char *name, size_t bytes);
/* Free bytes of the file system that holds the path, or will hold it; -1: not known. */
double machine_free_disk(const char *path);
/* Processors whose time the control groups of a process (Linux, version 2) leave to it at most, rounded up;
 * 0: no limit is known. `own` is /proc/self/cgroup, `all` where the groups are mounted. */
int machine_processor_quota(const char *own, const char *all);
/* Bytes of memory that they leave to it at most; INFINITY: no limit is known. */
double machine_memory_limit(const char *own, const char *all);
/* Where a running system has these. */
#define MACHINE_OWN_GROUP "/proc/self/cgroup"
#define MACHINE_GROUPS "/sys/fs/cgroup"

#endif
