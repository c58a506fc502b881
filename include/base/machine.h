/* machine: facts about the machine. */
#ifndef NMT_MACHINE_H
#define NMT_MACHINE_H

#include <stddef.h>

/* The processor's name as the system reports it, or "unknown". */
void machine_processor(char *name, size_t bytes);
/* Free bytes of the file system that holds the path, or will hold it; -1: not known. */
double machine_free_disk(const char *path);

#endif
