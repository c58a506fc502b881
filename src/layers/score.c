/* The table of scores. Each is defined in a file of its own, but for none, which has no functions. */
#include "score.h"

const struct score score_none = {.forward = NULL};

#define ENTRY(constant, name) [constant] = &score_##name,
const struct score *const score_kinds[] = {SCORES(ENTRY)};
