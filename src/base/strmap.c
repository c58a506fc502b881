/* Open addressing from strings to numbers, with the strings in one block. */
#include "strmap.h"

#include "err.h"
#include "hash.h"
#include "mem.h"

#include <stdlib.h>
#include <string.h>

#define FIRST_SLOTS 64

void strmap_init(struct strmap *map)
{
    memset(map, 0, sizeof *map);
}

void strmap_release(struct strmap *map)
{
    xfree(map->bytes);
    xfree(map->keys);
    xfree(map->slots);
    strmap_init(map);
}

static uint32_t hash_of(const char *text, size_t bytes)
{
    return (uint32_t)hash_text(text, bytes);
}

/* The slot that holds the string, or the free one where it belongs. */
static size_t slot_of(const struct strmap *map, const char *text, size_t bytes, uint32_t hash)
{
    for (size_t slot = hash & map->slots_mask;; slot = (slot + 1) & map->slots_mask) {
        const int32_t number = map->slots[slot];
        if (number < 0)
            return slot;
        const struct strmap_key *key = &map->keys[number];
        if (key->hash == hash && key->length == bytes && !memcmp(map->bytes + key->offset, text, bytes))
            return slot;
    }
}

static void grow_slots(struct strmap *map)
{
    const size_t count = map->slots ? 2 * (map->slots_mask + 1) : FIRST_SLOTS;
    map->slots = xrealloc(map->slots, count, sizeof *map->slots);
    map->slots_mask = count - 1;
    memset(map->slots, 0xff, count * sizeof *map->slots);
    for (size_t number = 0; number < map->count; number++) {
        size_t slot = map->keys[number].hash & map->slots_mask;
        while (map->slots[slot] >= 0)
            slot = (slot + 1) & map->slots_mask;
        map->slots[slot] = (int32_t)number;
    }
}

int strmap_find(const struct strmap *map, const char *text, size_t bytes)
{
    return map->slots ? map->slots[slot_of(map, text, bytes, hash_of(text, bytes))] : -1;
}

int strmap_intern(struct strmap *map, const char *text, size_t bytes)
{
    ASSERT(bytes < UINT32_MAX);
    if (!map->slots || 2 * (map->count + 1) > map->slots_mask + 1)
        grow_slots(map);
    const uint32_t hash = hash_of(text, bytes);
    const size_t slot = slot_of(map, text, bytes, hash);
    if (map->slots[slot] >= 0)
        return map->slots[slot];
    ASSERT(map->count < INT32_MAX);
    GROW(map->keys, map->count + 1, map->keys_capacity);
    GROW(map->bytes, map->bytes_used + bytes + 1, map->bytes_capacity);
    map->keys[map->count] = (struct strmap_key){map->bytes_used, (uint32_t)bytes, hash};
    memcpy(map->bytes + map->bytes_used, text, bytes);
    map->bytes[map->bytes_used + bytes] = '\0';
    map->bytes_used += bytes + 1;
    map->slots[slot] = (int32_t)map->count;
    return (int)map->count++;
}

const char *strmap_text(const struct strmap *map, int number)
{
    ASSERT(number >= 0 && (size_t)number < map->count);
    return map->bytes + map->keys[number].offset;
}

size_t strmap_length(const struct strmap *map, int number)
{
    ASSERT(number >= 0 && (size_t)number < map->count);
    return map->keys[number].length;
}

struct ranked {
    const char *text;
    int64_t count;
    int number;
};

static int by_count(const void *a, const void *b)
{
    const struct ranked *x = a, *y = b;
    if (x->count != y->count)
        return x->count > y->count ? -1 : 1;
    return strcmp(x->text, y->text);
}

int *strmap_rank(size_t *count, const struct strmap *map, const int64_t *counts)
{
    struct ranked *ranked = xmalloc(map->count, sizeof *ranked);
    int *numbers = xmalloc(map->count, sizeof *numbers);
    *count = 0;
    for (int i = 0; i < (int)map->count; i++)
        if (counts[i] > 0)
            ranked[(*count)++] = (struct ranked){strmap_text(map, i), counts[i], i};
    qsort(ranked, *count, sizeof *ranked, by_count);
    for (size_t i = 0; i < *count; i++)
        numbers[i] = ranked[i].number;
    xfree(ranked);
    return numbers;
}
