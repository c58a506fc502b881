/* Open addressing over 64-bit hashes; the strings themselves are not kept. */
#include "hashset.h"

#include "hash.h"
#include "mem.h"

#include <string.h>

#define FIRST_SLOTS 64

void hashset_release(struct hashset *set)
{
    xfree(set->slots);
    memset(set, 0, sizeof *set);
}

/* The slot that holds the hash, or the free one where it belongs. */
static uint64_t *slot_of(const struct hashset *set, uint64_t hash)
{
    size_t slot = hash & set->mask;
    while (set->slots[slot] && set->slots[slot] != hash)
        slot = (slot + 1) & set->mask;
    return &set->slots[slot];
}

static void grow(struct hashset *set)
{
    const struct hashset old = *set;
    const size_t count = old.slots ? 2 * (old.mask + 1) : FIRST_SLOTS;
    set->slots = xcalloc(count, sizeof *set->slots);
    set->mask = count - 1;
    for (size_t i = 0; old.slots && i <= old.mask; i++)
        if (old.slots[i])
            *slot_of(set, old.slots[i]) = old.slots[i];
    xfree(old.slots);
}

static uint64_t hash_of(const char *text, size_t bytes)
{
    const uint64_t hash = hash_text(text, bytes);
    return hash ? hash : 1;
}

bool hashset_add(struct hashset *set, const char *text, size_t bytes)
{
    if (!set->slots || 4 * (set->count + 1) > 3 * (set->mask + 1))
        grow(set);
    const uint64_t hash = hash_of(text, bytes);
    uint64_t *slot = slot_of(set, hash);
    const bool is_new = !*slot;
    *slot = hash;
    set->count += is_new;
    return is_new;
}

bool hashset_has(const struct hashset *set, const char *text, size_t bytes)
{
    return set->slots && *slot_of(set, hash_of(text, bytes));
}
