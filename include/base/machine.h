/* machine: what the program runs on, for logs. */
#ifndef NMT_MACHINE_H
#define NMT_MACHINE_H

#include <stddef.h>

/* The processor's name as the system tells it, or "unknown". */
void machine_processor(char *name, size_t bytes);

#endif
