/* Arenas: alignment of pieces, marks and resets, and when blocks are allocated. */
#include "check.h"

#include "arena.h"

static void pieces_are_aligned_and_apart(void **state)
{
    (void)state;
    struct arena arena;
    arena_init(&arena);
    char *a = ARENA_NEW(&arena, 3, char), *b = ARENA_NEW(&arena, 100, char);
    assert_int_equal((uintptr_t)a % 64, 0);
    assert_int_equal((uintptr_t)b % 64, 0);
    assert_true(b >= a + 3);
    double *zeros = ARENA_ZERO(&arena, 1000, double);
    for (int i = 0; i < 1000; i++)
        assert_true(zeros[i] == 0);
    arena_release(&arena);
}

static void reset_joins_blocks_so_that_the_next_round_needs_one(void **state)
{
    (void)state;
    struct arena arena;
    arena_init(&arena);
    for (int i = 0; i < 50; i++)
        memset(ARENA_NEW(&arena, 100000, char), i, 100000);
    arena_reset(&arena);
    const struct arena_block *block = arena.last;
    for (int round = 0; round < 3; round++) {
        for (int i = 0; i < 50; i++)
            memset(ARENA_NEW(&arena, 100000, char), i, 100000);
        assert_ptr_equal(arena.last, block);
        arena_reset(&arena);
    }
    assert_true(arena.peak_bytes >= 5000000);
    arena_release(&arena);
}

static void reserved_room_is_one_block(void **state)
{
    (void)state;
    struct arena arena;
    arena_init(&arena);
    arena_reserve(&arena, 5000000);
    const struct arena_block *block = arena.last;
    for (int i = 0; i < 49; i++)
        memset(ARENA_NEW(&arena, 100000, char), i, 100000);
    assert_ptr_equal(arena.last, block);
    arena_release(&arena);
}

static void rewind_gives_back_what_came_after_the_mark(void **state)
{
    (void)state;
    struct arena arena;
    arena_init(&arena);
    const struct arena_mark empty = arena_mark(&arena);
    char *kept = ARENA_NEW(&arena, 1000, char);
    memset(kept, 7, 1000);
    const struct arena_mark mark = arena_mark(&arena);
    char *first = ARENA_NEW(&arena, 1000, char);
    memset(ARENA_NEW(&arena, 5000000, char), 1, 5000000); /* needs a block of its own */
    arena_rewind(&arena, mark);
    assert_ptr_equal(ARENA_NEW(&arena, 1000, char), first);
    assert_int_equal(kept[999], 7);
    arena_rewind(&arena, empty);
    assert_null(arena.last);

    /* After a reset, one block holds all that was in use at once. */
    arena_reset(&arena);
    ARENA_NEW(&arena, 1, char);
    arena_reset(&arena);
    const struct arena_block *block = arena.last;
    ARENA_NEW(&arena, 1000, char);
    ARENA_NEW(&arena, 5000000, char);
    assert_ptr_equal(arena.last, block);
    arena_release(&arena);
}

/* Allocates a few pieces, some of which are freed in between. */
static size_t peak_of_some_pieces(struct arena *arena)
{
    ARENA_NEW(arena, 1000, double);
    const struct arena_mark mark = arena_mark(arena);
    char *piece = ARENA_ZERO(arena, 5000001, char);
    assert_int_equal((uintptr_t)piece % 64, 0);
    assert_true((char *)arena_alloc(arena, 1, 1) >= piece + 5000001 || !arena->counting);
    arena_rewind(arena, mark);
    ARENA_NEW(arena, 3000, int);
    const size_t peak = arena->peak_bytes;
    arena_reset(arena);
    assert_int_equal(arena->used_bytes, 0);
    return peak;
}

static void counting_counts_what_others_take(void **state)
{
    (void)state;
    struct arena arena, counting;
    arena_init(&arena);
    arena_init_counting(&counting);
    const size_t peak = peak_of_some_pieces(&arena);
    assert_true(peak >= 5000001 + 8000);
    assert_int_equal(peak_of_some_pieces(&counting), peak);
    assert_null(counting.last);
    assert_non_null(ARENA_ZERO(&counting, (size_t)1 << 50, char)); /* more than any machine has */
    assert_true(counting.peak_bytes >= (size_t)1 << 50);
    arena_release(&arena);
    arena_release(&counting);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pieces_are_aligned_and_apart),
        cmocka_unit_test(rewind_gives_back_what_came_after_the_mark),
        cmocka_unit_test(reserved_room_is_one_block),
        cmocka_unit_test(counting_counts_what_others_take),
        cmocka_unit_test(reset_joins_blocks_so_that_the_next_round_needs_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
