/* arena: memory for one batch. Pieces are handed out one after the other, and all are freed at once by
 * arena_reset.
 *
 * An arena that runs full adds blocks; the next reset merges them into one of the largest size ever
 * needed, so that a steady state allocates nothing. Under AddressSanitizer a poisoned red zone follows
 * every piece.
 *
 * Under a guard (mem_guard.h): if the work fails, an arena that began there is released, and must not have
 * moved; an older one keeps its blocks, and may be reset or released as ever. */
#ifndef NMT_ARENA_H
#define NMT_ARENA_H

#include <stdbool.h>
#include <stddef.h>

struct arena_block;

struct arena {
    struct arena_block *last; /* the block in use; links to the older, full ones */
    size_t used_bytes;        /* in the last block */
    size_t peak_bytes;        /* the most ever in use */
    bool counting;
};

struct arena_mark {
    struct arena_block *block;
    size_t used_bytes;
};

void arena_init(struct arena *arena);
/* A counting arena allocates nothing: its peak_bytes are what a real one would need. Pointers that it
 * returns must not be dereferenced. */
void arena_init_counting(struct arena *arena);
/* Allocates the first block of an empty arena, where the size is known in advance. */
void arena_reserve(struct arena *arena, size_t bytes);
void arena_release(struct arena *arena);
/* Frees all pieces; pointers to them become invalid. */
void arena_reset(struct arena *arena);
/* arena_rewind frees what was allocated after the mark. */
struct arena_mark arena_mark(const struct arena *arena);
void arena_rewind(struct arena *arena, struct arena_mark mark);
/* Allocates count * size bytes, aligned to 64, not cleared; arena_zalloc clears them. */
void *arena_alloc(struct arena *arena, size_t count, size_t size);
void *arena_zalloc(struct arena *arena, size_t count, size_t size);

/* `ARENA_NEW(arena, n, real)` is n reals. */
#define ARENA_NEW(arena, count, type) ((type *)arena_alloc((arena), (size_t)(count), sizeof(type)))
#define ARENA_ZERO(arena, count, type) ((type *)arena_zalloc((arena), (size_t)(count), sizeof(type)))

#endif
