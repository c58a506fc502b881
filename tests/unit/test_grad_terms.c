/* Gradient terms: products, sums and rows against values computed by hand, added in any number of parts,
 * from several shards, and for a subset of the tensors. */
#include "check.h"

#include "arena.h"
#include "grad_terms.h"
#include "kernel.h"
#include "mat.h"

/* A block of three tensors: W [2][3], a bias [2], a table [4][3]. */
enum { OUTPUTS = 2, INPUTS = 3, ROWS = 2, WORDS = 4 };
enum { WEIGHT = 0, BIAS = WEIGHT + OUTPUTS * INPUTS, TABLE = BIAS + OUTPUTS, TOTAL = TABLE + WORDS * INPUTS };

static const real dy[ROWS * OUTPUTS] = {1, 2, 3, -1};
static const real x[ROWS * INPUTS] = {1, 0, 2, 0, 4, -1};
static const int ids[ROWS] = {2, 2};

/* dyᵀ x; Σ dy; both rows of x in row 2 of the table */
static const real expected[TOTAL] = {1, 12, -1, 2, -4, 5, /**/ 4, 1, /**/ 0, 0, 0, 0, 0, 0, 1, 4, 1, 0, 0, 0};

static void defer_as(struct grad_terms *terms, enum product_kind products, struct arena *arena)
{
    grad_terms_begin(terms, products, arena);
    grad_terms_product(terms, WEIGHT, INPUTS, const_mat_of(dy, ROWS, OUTPUTS), const_mat_of(x, ROWS, INPUTS));
    grad_terms_sum(terms, BIAS, const_mat_of(dy, ROWS, OUTPUTS));
    grad_terms_rows(terms, TABLE, const_mat_of(x, ROWS, INPUTS), ids);
}

static void defer(struct grad_terms *terms, struct arena *arena)
{
    defer_as(terms, PRODUCTS_FLOAT32, arena);
}

static void assert_block(const real *block, double times, size_t begin, size_t end)
{
    for (size_t i = 0; i < TOTAL; i++)
        assert_true(block[i] == (i >= begin && i < end ? times * expected[i] : 0));
}

static void terms_are_what_was_worked_out(void **state)
{
    (void)state;
    static struct grad_terms terms;
    struct arena arena;
    real block[TOTAL] = {0};
    arena_init(&arena);
    defer(&terms, &arena);
    assert_block(block, 0, 0, 0); /* nothing has been added yet */
    grad_terms_add_all(block, &terms);
    assert_block(block, 1, 0, TOTAL);
    grad_terms_add_all(block, &terms);
    assert_block(block, 2, 0, TOTAL);
    arena_release(&arena);
}

/* The numbers here are the same in bfloat16. One that is not shows that it is rounded. */
static void products_may_be_rounded(void **state)
{
    (void)state;
    static struct grad_terms terms;
    struct arena arena;
    real block[TOTAL] = {0}, gradient = 0;
    const real fine = (real)1.001, one = 1;
    if (!has_bf16_instructions()) {
        print_message("skipped: this processor has no AVX512-BF16\n");
        skip();
    }
    arena_init(&arena);
    defer_as(&terms, PRODUCTS_BFLOAT16, &arena);
    grad_terms_add_all(block, &terms);
    assert_block(block, 1, 0, TOTAL);
    grad_terms_begin(&terms, PRODUCTS_BFLOAT16, &arena);
    grad_terms_product(&terms, 0, 1, const_mat_of(&fine, 1, 1), const_mat_of(&one, 1, 1));
    grad_terms_add_all(&gradient, &terms);
    assert_true(gradient == 1);
    arena_release(&arena);
}

static void shards_and_parts_add_up(void **state)
{
    (void)state;
    static struct grad_terms shards[3];
    struct arena arenas[3];
    for (int s = 0; s < 3; s++)
        arena_init(&arenas[s]);
    defer(&shards[0], &arenas[0]);
    grad_terms_begin(&shards[1], PRODUCTS_FLOAT32, &arenas[1]); /* a shard without sentences */
    defer(&shards[2], &arenas[2]);
    for (int parts = 1; parts < 4; parts++) {
        real block[TOTAL] = {0};
        for (int part = 0; part < parts; part++)
            grad_terms_add(block, 0, TOTAL, shards, 3, part, parts);
        assert_block(block, 2, 0, TOTAL);
    }
    for (int s = 0; s < 3; s++)
        arena_release(&arenas[s]);
}

static void tensors_outside_the_range_stay(void **state)
{
    (void)state;
    static struct grad_terms terms;
    struct arena arena;
    arena_init(&arena);
    defer(&terms, &arena);
    const size_t bounds[] = {WEIGHT, BIAS, TABLE, TOTAL};
    for (int tensor = 0; tensor < 3; tensor++) {
        real block[TOTAL] = {0};
        grad_terms_add(block, bounds[tensor], bounds[tensor + 1], &terms, 1, 0, 1);
        assert_block(block, 1, bounds[tensor], bounds[tensor + 1]);
    }
    arena_release(&arena);
}

/* Tensors larger than a cache line: each part adds its own rows or columns only. */
static void each_part_adds_its_own(void **state)
{
    (void)state;
    enum { WIDE = 40, PARTS = 3 };
    static struct grad_terms terms;
    struct arena arena;
    real wide_dy[WIDE], one = 1;
    for (int i = 0; i < WIDE; i++)
        wide_dy[i] = (real)(i + 1);
    arena_init(&arena);
    grad_terms_begin(&terms, PRODUCTS_FLOAT32, &arena);
    grad_terms_product(&terms, 0, 1, const_mat_of(wide_dy, 1, WIDE), const_mat_of(&one, 1, 1));
    grad_terms_sum(&terms, WIDE, const_mat_of(wide_dy, 1, WIDE));
    grad_terms_rows(&terms, WIDE + WIDE, const_mat_of(wide_dy, 1, WIDE), (const int[]){0});
    for (int part = 0; part < PARTS; part++) {
        real block[3 * WIDE] = {0};
        size_t begin, end;
        grad_terms_add(block, 0, 3 * WIDE, &terms, 1, part, PARTS);
        grad_terms_part(WIDE, part, PARTS, &begin, &end);
        for (size_t i = 0; i < 3 * WIDE; i++)
            assert_true(block[i] == (i % WIDE >= begin && i % WIDE < end ? wide_dy[i % WIDE] : 0));
    }
    arena_release(&arena);
}

/* A block of columns in the middle of a wider matrix. */
static void rows_may_lie_apart(void **state)
{
    (void)state;
    static struct grad_terms terms;
    struct arena arena;
    const real wide_dy[] = {9, 1, 2, 9, 3, -1}, wide_x[] = {1, 0, 9, 9, 0, 4, 9, 9};
    real block[2 * 5] = {0};
    arena_init(&arena);
    grad_terms_begin(&terms, PRODUCTS_FLOAT32, &arena);
    grad_terms_product(&terms, 1, 5, const_mat_ld(wide_dy + 1, 2, 2, 3), const_mat_ld(wide_x, 2, 2, 4));
    grad_terms_add_all(block, &terms);
    const real right[2 * 5] = {0, 1, 12, 0, 0, 0, 2, -4, 0, 0};
    for (int i = 0; i < 2 * 5; i++)
        assert_true(block[i] == right[i]);
    arena_release(&arena);
}

static void parts_follow_each_other_on_cache_lines(void **state)
{
    (void)state;
    for (size_t extent = 0; extent < 200; extent += 7)
        for (int parts = 1; parts < 8; parts++) {
            size_t next = 0;
            for (int part = 0; part < parts; part++) {
                size_t begin, end;
                grad_terms_part(extent, part, parts, &begin, &end);
                assert_true(begin >= end || (begin == next && begin % 16 == 0));
                next = end > next ? end : next;
            }
            assert_int_equal(next, extent);
        }
}

int main(void)
{
    mat_begin(1);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(terms_are_what_was_worked_out),
        cmocka_unit_test(products_may_be_rounded),
        cmocka_unit_test(shards_and_parts_add_up),
        cmocka_unit_test(tensors_outside_the_range_stay),
        cmocka_unit_test(each_part_adds_its_own),
        cmocka_unit_test(rows_may_lie_apart),
        cmocka_unit_test(parts_follow_each_other_on_cache_lines),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
