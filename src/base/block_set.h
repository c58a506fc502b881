/* block_set: a set of addresses of memory blocks. All zeros is an empty set. */
#ifndef NMT_BLOCK_SET_H
#define NMT_BLOCK_SET_H

#include <stdbool.h>
#include <stddef.h>

struct block_set {
    void **slots; /* [mask + 1]; free ones are NULL */
    size_t mask, count;
};

/* Makes room for `more` blocks; false if there is no memory. */
bool block_set_reserve(struct block_set *set, size_t more);
/* Adds a block that is not in the set, for which there must be room. */
void block_set_add(struct block_set *set, void *block);
/* False if the block is not in the set. Leaves its room. */
bool block_set_remove(struct block_set *set, const void *block);
/* Empties the set without freeing its blocks. */
void block_set_release(struct block_set *set);
/* Calls free for all blocks, and empties the set. */
void block_set_free_all(struct block_set *set);

#endif
