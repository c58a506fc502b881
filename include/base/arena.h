/* arena: memory of one batch. Pieces are handed out in a row and all given back at once by arena_reset.
 *
 * An arena that was too small takes further blocks, and the next reset makes one of the largest size ever
 * needed, so a steady state allocates nothing. Under AddressSanitizer every piece is followed by a poisoned
 * red zone. */
#ifndef NMT_ARENA_H
#define NMT_ARENA_H

#include <stddef.h>

struct arena_block;

struct arena {
    struct arena_block *last; /* the block in use; older, full ones hang behind it */
    size_t used_bytes;        /* in the last block */
    size_t peak_bytes;        /* most ever in use */
};

struct arena_mark {
    struct arena_block *block;
    size_t used_bytes;
};

void arena_init(struct arena *arena);
/* The first block of an empty arena, where one knows how much it will hold: fewer, larger pages. */
void arena_reserve(struct arena *arena, size_t bytes);
void arena_release(struct arena *arena);
/* Gives everything back; earlier pointers are dead. */
void arena_reset(struct arena *arena);
/* What is taken between a mark and its rewind is given back by the rewind. */
struct arena_mark arena_mark(const struct arena *arena);
void arena_rewind(struct arena *arena, struct arena_mark mark);
/* count * size bytes, aligned to 64, not cleared. */
void *arena_alloc(struct arena *arena, size_t count, size_t size);
void *arena_zalloc(struct arena *arena, size_t count, size_t size);

/* `ARENA_NEW(arena, n, real)` is n reals. */
#define ARENA_NEW(arena, count, type) ((type *)arena_alloc((arena), (size_t)(count), sizeof(type)))
#define ARENA_ZERO(arena, count, type) ((type *)arena_zalloc((arena), (size_t)(count), sizeof(type)))

#endif
