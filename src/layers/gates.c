/* The table of gates; each cell's gates are in a file of their own. */
#include "gates.h"

#define ENTRY(constant, name) [constant] = &gates_##name,
const struct gates *const gates_kinds[] = {CELLS(ENTRY)};
