/* Allocates the blocks of an arena and hands out pieces of them. What an arena holds, and when it is
 * reset, is up to its owner. */
#include "arena.h"

#include "mem.h"
#include "mem_guard.h"

#include <stdint.h>
#include <string.h>

#if defined(__SANITIZE_ADDRESS__)
#define RED_ZONES 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define RED_ZONES 1
#endif
#endif
#ifdef RED_ZONES
#include <sanitizer/asan_interface.h>
#define POISON(at, bytes) ASAN_POISON_MEMORY_REGION((at), (bytes))
#define UNPOISON(at, bytes) ASAN_UNPOISON_MEMORY_REGION((at), (bytes))
#define RED_ZONE_BYTES 64
#else
#define POISON(at, bytes) ((void)(at), (void)(bytes))
#define UNPOISON(at, bytes) ((void)(at), (void)(bytes))
#define RED_ZONE_BYTES 0
#endif

#define ALIGNMENT 64
#define FIRST_BYTES ((size_t)1 << 20)
/* The addresses of a counting arena start here, where no process has memory. */
#define NOWHERE ((uintptr_t)1 << 62)

struct arena_block {
    struct arena_block *older;
    size_t size_bytes;
    size_t before_bytes; /* in use in all older blocks together */
    _Alignas(ALIGNMENT) char data[];
};

static void block_free(struct arena_block *block)
{
    UNPOISON(block->data, block->size_bytes);
    xfree(block);
}

/* Leaves the arena empty. */
static void free_blocks(struct arena *arena)
{
    while (arena->last) {
        struct arena_block *older = arena->last->older;
        block_free(arena->last);
        arena->last = older;
    }
    arena->used_bytes = 0;
}

static void let_go(void *arena)
{
    free_blocks(arena);
}

void arena_init(struct arena *arena)
{
    memset(arena, 0, sizeof *arena);
    mem_track(arena, let_go);
}

void arena_init_counting(struct arena *arena)
{
    memset(arena, 0, sizeof *arena);
    arena->counting = true;
}

void arena_release(struct arena *arena)
{
    mem_untrack(arena);
    free_blocks(arena);
    memset(arena, 0, sizeof *arena);
}

static void add_block(struct arena *arena, size_t bytes)
{
    struct arena_block *block = xmalloc_unguarded(1, sizeof *block + bytes);
    block->older = arena->last;
    block->size_bytes = bytes;
    block->before_bytes = arena->last ? arena->last->before_bytes + arena->used_bytes : 0;
    POISON(block->data, bytes);
    arena->used_bytes = 0;
    arena->last = block;
}

void arena_reserve(struct arena *arena, size_t bytes)
{
    if (!arena->last && !arena->counting)
        add_block(arena, bytes);
}

void arena_reset(struct arena *arena)
{
    if (arena->counting)
        arena->used_bytes = 0;
    if (!arena->last)
        return;
    const size_t peak = arena->peak_bytes;
    if (arena->last->older || arena->last->size_bytes < peak) {
        free_blocks(arena);
        add_block(arena, peak + peak / 8);
    }
    arena->used_bytes = 0;
    POISON(arena->last->data, arena->last->size_bytes);
}

struct arena_mark arena_mark(const struct arena *arena)
{
    return (struct arena_mark){arena->last, arena->used_bytes};
}

void arena_rewind(struct arena *arena, struct arena_mark mark)
{
    while (arena->last != mark.block) {
        struct arena_block *older = arena->last->older;
        block_free(arena->last);
        arena->last = older;
    }
    arena->used_bytes = mark.used_bytes;
    if (arena->last)
        POISON(arena->last->data + mark.used_bytes, arena->last->size_bytes - mark.used_bytes);
}

static char *nowhere(size_t offset)
{
    const uintptr_t address = NOWHERE + offset;
    char *pointer;
    memcpy(&pointer, &address, sizeof pointer);
    return pointer;
}

/* The address of the next piece, in the last block or a new one. */
static char *take(struct arena *arena, size_t bytes)
{
    if (arena->counting)
        return nowhere(arena->used_bytes);
    if (!arena->last || arena->last->size_bytes - arena->used_bytes < bytes) {
        const size_t twice = arena->last ? arena->last->size_bytes : FIRST_BYTES;
        add_block(arena, bytes > twice ? bytes : twice);
    }
    return arena->last->data + arena->used_bytes;
}

void *arena_alloc(struct arena *arena, size_t count, size_t size)
{
    size_t wanted;
    if (__builtin_mul_overflow(count, size, &wanted) || wanted > ((size_t)1 << 62))
        return xmalloc(count, size); /* too large: does not return */
    const size_t bytes = (wanted + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT + RED_ZONE_BYTES;
    char *piece = take(arena, bytes);
    arena->used_bytes += bytes;
    const size_t in_use = arena->used_bytes + (arena->last ? arena->last->before_bytes : 0);
    arena->peak_bytes = in_use > arena->peak_bytes ? in_use : arena->peak_bytes;
    if (!arena->counting)
        UNPOISON(piece, wanted);
    return piece;
}

void *arena_zalloc(struct arena *arena, size_t count, size_t size)
{
    void *piece = arena_alloc(arena, count, size);
    return arena->counting ? piece : memset(piece, 0, count * size);
}
