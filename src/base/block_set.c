/* Open addressing over addresses. It lies below xmalloc, and so uses malloc itself; what a missing block of
 * memory means is up to the caller. */
#include "block_set.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define FIRST_SLOTS ((size_t)64)

static size_t home_of(const struct block_set *set, const void *block)
{
    return (size_t)(((uintptr_t)block >> 4) * 0x9e3779b97f4a7c15u >> 20) & set->mask;
}

void block_set_add(struct block_set *set, void *block)
{
    size_t slot = home_of(set, block);
    while (set->slots[slot])
        slot = (slot + 1) & set->mask;
    set->slots[slot] = block;
    set->count++;
}

bool block_set_reserve(struct block_set *set, size_t more)
{
    size_t slots = set->slots ? set->mask + 1 : FIRST_SLOTS;
    while (slots < 2 * (set->count + more))
        slots *= 2;
    if (set->slots && slots == set->mask + 1)
        return true;
    struct block_set larger = {calloc(slots, sizeof *larger.slots), slots - 1, 0};
    if (!larger.slots)
        return false;
    for (size_t i = 0; set->slots && i <= set->mask; i++)
        if (set->slots[i])
            block_set_add(&larger, set->slots[i]);
    free(set->slots);
    *set = larger;
    return true;
}

/* Moves the blocks behind a freed slot to where a search for them begins or passes. */
static void close_gap(struct block_set *set, size_t gap)
{
    for (size_t slot = (gap + 1) & set->mask; set->slots[slot]; slot = (slot + 1) & set->mask) {
        const size_t from_home = (slot - home_of(set, set->slots[slot])) & set->mask;
        if (from_home < ((slot - gap) & set->mask))
            continue;
        set->slots[gap] = set->slots[slot];
        gap = slot;
    }
    set->slots[gap] = NULL;
}

bool block_set_remove(struct block_set *set, const void *block)
{
    if (!set->slots)
        return false;
    size_t slot = home_of(set, block);
    while (set->slots[slot] && set->slots[slot] != block)
        slot = (slot + 1) & set->mask;
    if (!set->slots[slot])
        return false;
    close_gap(set, slot);
    set->count--;
    return true;
}

void block_set_release(struct block_set *set)
{
    free(set->slots);
    memset(set, 0, sizeof *set);
}

void block_set_free_all(struct block_set *set)
{
    for (size_t i = 0; set->slots && i <= set->mask; i++)
        free(set->slots[i]);
    block_set_release(set);
}
