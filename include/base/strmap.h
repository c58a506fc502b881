/* strmap: maps byte strings to numbers 0, 1, 2, … in order of first appearance.
 *
 * Open addressing; the strings are copied and may contain any bytes. */
#ifndef NMT_STRMAP_H
#define NMT_STRMAP_H

#include <stddef.h>
#include <stdint.h>

struct strmap_key {
    size_t offset; /* in `bytes` */
    uint32_t length;
    uint32_t hash;
};

struct strmap {
    char *bytes; /* the strings, each ended by a NUL */
    size_t bytes_used, bytes_capacity;
    struct strmap_key *keys; /* by number */
    size_t count, keys_capacity;
    int32_t *slots; /* hash table of numbers; -1 is free */
    size_t slots_mask;
};

void strmap_init(struct strmap *map);
void strmap_release(struct strmap *map);
/* The string's number, or -1. */
int strmap_find(const struct strmap *map, const char *text, size_t bytes);
/* The string's number; a new string gets the next one. */
int strmap_intern(struct strmap *map, const char *text, size_t bytes);
/* The string with that number, ended by a NUL; valid until the next strmap_intern. */
const char *strmap_text(const struct strmap *map, int number);
size_t strmap_length(const struct strmap *map, int number);

/* The numbers of strings with a count [map->count] above 0, the largest first, equal ones in the order of
 * their bytes. The caller frees. */
int *strmap_rank(size_t *count, const struct strmap *map, const int64_t *counts);

#endif
