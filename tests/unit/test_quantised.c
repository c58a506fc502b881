/* Quantised weights: rounding, and the look-up of tensors. */
#include "quantised.h"

#include "check.h"
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rounding_is_to_nearest_even),
        cmocka_unit_test(quantising_again_changes_nothing),
        cmocka_unit_test(rows_without_a_scale),
        cmocka_unit_test(tensors_are_found_by_their_place),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
