/* hashset: a set of byte strings that keeps only a 64-bit hash of each, so that the strings of a large
 * corpus fit in memory: 11 to 22 bytes a string. Two strings with the same hash count as one: among forty
 * million strings, the chance is 1 in 20,000. */
#ifndef NMT_HASHSET_H
#define NMT_HASHSET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* All zero is an empty set. */
struct hashset {
    uint64_t *slots; /* open addressing; 0 is free */
    size_t count, mask;
};

void hashset_release(struct hashset *set);
/* Adds a string; true if it was not there before. */
bool hashset_add(struct hashset *set, const char *text, size_t bytes);
bool hashset_has(const struct hashset *set, const char *text, size_t bytes);

#endif
