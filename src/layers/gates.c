/* The table of cells' gates, each in a file of its own. */
#include "gates.h"

#define ENTRY(constant, name) [constant] = &gates_##name,
const struct gates *const gates_kinds[] = {CELLS(ENTRY)};
