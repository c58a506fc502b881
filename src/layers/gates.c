/* The table of gates, which are in gates_*.c. */
#include "gates.h"

#define ENTRY(constant, name) [constant] = &gates_##name,
const struct gates *const gates_kinds[] = {CELLS(ENTRY)};
