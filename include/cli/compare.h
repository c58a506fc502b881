/* compare: the table of nmt eval --compare: several translations of one text side by side, with the
 * significance of their differences from the first one. */
#ifndef NMT_COMPARE_H
#define NMT_COMPARE_H

#include "lines.h"
#include "metrics.h"

#include <stdbool.h>

/* A translation of the whole text. */
struct compared {
    const char *name;
    struct lines text;
};

/* All texts and references have the same number of lines, at least one. `empty` is of metrics_init. */
void compare_systems(const struct compared *systems, int count, const struct lines *references,
                     int reference_count, const struct metrics *empty, bool json);

#endif
