/* hashset: a set of byte strings of which it keeps 64 bits each, so that it has room for those of a large
 * corpus: 11 to 22 bytes a string, however long. Two strings may be taken for the same: among forty million
 * that happens with a chance of 1 in 20,000. */
#ifndef NMT_HASHSET_H
#define NMT_HASHSET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* All zero is an empty one. */
struct hashset {
    uint64_t *slots; /* open addressing; 0 is free */
    size_t count, mask;
};

void hashset_release(struct hashset *set);
/* True where it was not there before. */
bool hashset_add(struct hashset *set, const char *text, size_t bytes);
bool hashset_has(const struct hashset *set, const char *text, size_t bytes);

#endif
