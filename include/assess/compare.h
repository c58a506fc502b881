/* compare: a table of several translations of one test set, with the significance of their differences
 * from the first. */
#ifndef NMT_COMPARE_H
#define NMT_COMPARE_H

#include "lines.h"
#include "metrics.h"
#include "test_set.h"

#include <stdbool.h>

/* One translation of the whole test set. */
struct compared {
    const char *name;
    struct lines text;
};

/* Appends a table or, with `json`, an object a line for each system. All texts have as many lines as the
 * references. `empty` comes from metrics_init. */
void compare_systems(struct strbuf *out, const struct compared *systems, int count,
                     const struct test_set *set, const struct metrics *empty, bool json);

#endif
