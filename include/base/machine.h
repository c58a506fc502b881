/* machine: facts about the machine, for logs. */
#ifndef NMT_MACHINE_H
#define NMT_MACHINE_H

#include <stddef.h>

/* The processor's name as the system reports it, or "unknown". */
void machine_processor(char *name, size_t bytes);

#endif
