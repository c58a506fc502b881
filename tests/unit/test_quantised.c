/* Quantised weights: rounding, look-up of tensors, and products with panels of eight bits. */
#include "quantised.h"

#include "arena.h"
#include "check.h"
#include "mem.h"
#include "prepacked.h"
#include "rng.h"

#include <float.h>
#include <math.h>

static void fill_random(real *x, size_t count, double scale, uint64_t seed)
{
    struct rng rng;
    rng_init(&rng, seed, RNG_TEST, 0, 0);
    for (size_t i = 0; i < count; i++)
        x[i] = (real)(scale * (rng_uniform(&rng) - 0.5));
}

static void rounding_is_to_nearest_even(void **state)
{
    const real x[2][7] = {{127, -127, 0.5f, 1.5f, -2.5f, 2.51f, 0},
                          {0.125f, -0.25f, 0.25f, 0, 0, 0, -0.125f}};
    const int8_t expected[2][7] = {{127, -127, 0, 2, -2, 3, 0}, {64, -127, 127, 0, 0, 0, -64}};
    int8_t values[2 * 7];
    float scales[2];
    (void)state;
    quantise(values, scales, const_mat_of(x[0], 2, 7));
    assert_memory_equal(values, expected, sizeof values);
    assert_true(scales[0] == 1 && scales[1] == 0.25f / 127);
}

static void quantising_again_changes_nothing(void **state)
{
    enum { ROWS = 50, COLS = 37 };
    static real x[ROWS * COLS], again[ROWS * COLS];
    static int8_t values[ROWS * COLS], values_again[ROWS * COLS];
    float scales[ROWS], scales_again[ROWS];
    const struct quantised w = {ROWS, COLS, values, scales};
    (void)state;
    for (int power = -40; power <= 40; power++) {
        fill_random(x, ROWS * COLS, ldexp(1, power * 3 / 2), (uint64_t)(power + 100));
        quantise(values, scales, const_mat_of(x, ROWS, COLS));
        for (size_t i = 0; i < ROWS; i++) {
            dequantise_row(again + i * COLS, &w, i);
            for (size_t j = i * COLS; j < (i + 1) * COLS; j++)
                assert_true(fabsf((float)(x[j] - again[j])) <= scales[i] * 0.50001f);
        }
        quantise(values_again, scales_again, const_mat_of(again, ROWS, COLS));
        assert_memory_equal(values, values_again, sizeof values);
    }
}

static void rows_without_a_scale(void **state)
{
    const real x[][3] = {{0, -0.0f, 0},     {1e-36f, -FLT_TRUE_MIN, 0}, {1, NAN, 2},
                         {1, 2, -INFINITY}, {FLT_MAX, -FLT_MAX, 0},     {1, 2, 3}};
    const int8_t expected[][3] = {{0}, {0}, {0}, {0}, {127, -127, 0}, {42, 85, 127}};
    enum { ROWS = sizeof x / sizeof x[0] };
    int8_t values[ROWS][3];
    float scales[ROWS];
    (void)state;
    quantise(values[0], scales, const_mat_of(x[0], ROWS, 3));
    assert_memory_equal(values, expected, sizeof expected);
    assert_true(scales[0] == 0 && scales[1] == 0 && isnan(scales[2]) && isnan(scales[3]));
    assert_true(scales[4] == FLT_MAX / 127 && scales[5] == 3.0f / 127);
}

static void tensors_are_found_by_their_place(void **state)
{
    static const real params[100];
    const size_t offsets[] = {10, 16, 40};
    const struct quantised tensors[] = {{2, 3, NULL, NULL}, {4, 2, NULL, NULL}, {1, 5, NULL, NULL}};
    const struct quantised_params some = {params, 3, offsets, tensors}, none = {params, 0, NULL, NULL};
    (void)state;
    for (size_t i = 0; i < 100; i++) {
        const struct quantised *expected = i >= 10 && i < 16   ? &tensors[0]
                                           : i >= 16 && i < 24 ? &tensors[1]
                                           : i >= 40 && i < 45 ? &tensors[2]
                                                               : NULL;
        assert_ptr_equal(quantised_find(&some, params + i), expected);
        assert_null(quantised_find(&none, params + i));
    }
    assert_ptr_equal(quantised_begin(&some, &tensors[1]), params + 16);
}

/* A part of a tensor of ROWS x COLS, and the activations that it is multiplied by. */
enum { ROWS = 70, COLS = 45, MOST_M = 13, MORE_A = 3, MORE_C = 1 };

struct product {
    size_t m, row, col, n, k;
    bool add;
};

static struct {
    real a[MOST_M * (COLS + MORE_A)], c[MOST_M * (ROWS + MORE_C)], before[MOST_M * (ROWS + MORE_C)];
    int8_t values[ROWS * COLS];
    float scales[ROWS];
} numbers;

static void multiply(const struct product *p)
{
    static const size_t offset = 7;
    static const real params[7 + ROWS * COLS]; /* never read */
    const struct quantised tensor = {ROWS, COLS, numbers.values, numbers.scales};
    const struct quantised_params quantised = {params, 1, &offset, &tensor};
    struct arena arena;
    struct prepacked prepacked;
    struct prepack_list list;
    arena_init(&arena);
    prepack_list_init(&list, FORWARD, &quantised, &arena);
    prepack(&prepacked, const_mat_ld(params + offset + p->row * COLS + p->col, p->n, p->k, COLS), &list);
    for (int part = 2; part >= 0; part--)
        prepack_list_fill(&list, part, 3);
    assert_false(prepacked_reads_weights(&prepacked));
    prepacked_product(mat_ld(numbers.c, p->m, p->n, p->n + MORE_C),
                      const_mat_ld(numbers.a, p->m, p->k, p->k + MORE_A), &prepacked, p->add);
    arena_release(&arena);
}

/* c by the definition, from numbers that were quantised apart. */
static void expect_product(const struct product *p)
{
    int8_t q[COLS];
    float scale;
    for (size_t i = 0; i < p->m; i++) {
        quantise(q, &scale, const_mat_of(numbers.a + i * (p->k + MORE_A), 1, p->k));
        for (size_t j = 0; j < p->n + MORE_C; j++) {
            const double before = numbers.before[i * (p->n + MORE_C) + j];
            long sum = 0;
            for (size_t l = 0; l < p->k && j < p->n; l++)
                sum += q[l] * numbers.values[(p->row + j) * COLS + p->col + l];
            const double product = j < p->n ? (double)sum * scale * numbers.scales[p->row + j] : before,
                         expected = p->add && j < p->n ? before + product : product;
            assert_true(fabs(expected - numbers.c[i * (p->n + MORE_C) + j]) <= 1e-6 * (1 + fabs(product)));
        }
    }
}

static void products_agree_with_their_definition(void **state)
{
    real *w = xmalloc(ROWS * COLS, sizeof *w);
    (void)state;
    fill_random(w, ROWS * COLS, 1, 1);
    quantise(numbers.values, numbers.scales, const_mat_of(w, ROWS, COLS));
    fill_random(numbers.a, sizeof numbers.a / sizeof *numbers.a, 1, 2);
    fill_random(numbers.before, sizeof numbers.before / sizeof *numbers.before, 1, 3);
    for (size_t m = 1; m <= MOST_M; m += 4)
        for (size_t n = 1; n <= ROWS; n += 23)
            for (size_t k = 1; k <= COLS; k += 11)
                for (int add = 0; add < 2; add++) {
                    const struct product p = {m, (ROWS - n) / 2, (COLS - k) / 2, n, k, add};
                    memcpy(numbers.c, numbers.before, sizeof numbers.c);
                    multiply(&p);
                    expect_product(&p);
                }
    xfree(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rounding_is_to_nearest_even),
        cmocka_unit_test(quantising_again_changes_nothing),
        cmocka_unit_test(rows_without_a_scale),
        cmocka_unit_test(tensors_are_found_by_their_place),
        cmocka_unit_test(products_agree_with_their_definition),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
