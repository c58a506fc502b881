/* The table of scores, which are in score_*.c, except none, which has no functions. */
#include "score.h"

const struct score score_none = {.forward = NULL};

#define ENTRY(constant, name) [constant] = &score_##name,
const struct score *const score_kinds[] = {SCORES(ENTRY)};
