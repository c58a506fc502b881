/* Vector functions against libm and plain loops, also at the ends of their range. */
#include "check.h"

#include "elementary.h"
#include "kernel.h"
#include "rng.h"
#include "vecmath.h"

#include <math.h>

#define COUNT 200001

static KERNEL(exp_of_each, (real *y, const real *x, size_t n), (y, x, n))
{
    for (size_t i = 0; i < n; i++)
        y[i] = real_exp(x[i]);
}

static KERNEL(sigmoid_of_each, (real *y, const real *x, size_t n), (y, x, n))
{
    for (size_t i = 0; i < n; i++)
        y[i] = real_sigmoid(x[i]);
}

/* Largest error over [-range, range], in units in the last place of a float. */
static double worst_ulps(void (*function)(real *, const real *, size_t), double (*exact)(double),
                         double range)
{
    static real x[COUNT], y[COUNT];
    for (int i = 0; i < COUNT; i++)
        x[i] = (real)(range * (2.0 * i / (COUNT - 1) - 1));
    function(y, x, COUNT);
    double worst = 0;
    for (int i = 0; i < COUNT; i++) {
        const double right = exact((double)x[i]);
        const float near = (float)right;
        const double ulp = fmax((double)(nextafterf(fabsf(near), INFINITY) - fabsf(near)), 1e-45);
        worst = fmax(worst, fabs((double)y[i] - right) / ulp);
    }
    return worst;
}

static double exact_sigmoid(double x)
{
    return 1 / (1 + exp(-x));
}

static void functions_agree_with_libm(void **state)
{
    (void)state;
    assert_true(worst_ulps(exp_of_each, exp, 87) < 2);
    assert_true(worst_ulps(vec_tanh, tanh, 20) < 6);
    assert_true(worst_ulps(vec_tanh, tanh, 0.7) < 6);
    assert_true(worst_ulps(sigmoid_of_each, exact_sigmoid, 80) < 3);
}

static void ends_are_sane(void **state)
{
    (void)state;
    real x[4] = {-INFINITY, INFINITY, NAN, 0}, y[4];
    vec_tanh(y, x, 4);
    assert_true(fabs(y[0] + 1) < 1e-6 && y[0] >= -1 && fabs(y[1] - 1) < 1e-6 && y[1] <= 1);
    assert_true(isnan(y[2]) && y[3] == 0);
    sigmoid_of_each(y, x, 4);
    assert_true(y[0] >= 0 && y[0] < 1e-30f && y[1] == 1 && isnan(y[2]) && y[3] == (real)0.5);
    exp_of_each(y, x, 4);
    assert_true(y[0] > 0 && isfinite(y[1]) && isnan(y[2]) && y[3] == 1);
}

static void sums_agree_with_plain_loops(void **state)
{
    (void)state;
    struct rng rng;
    real a[1003], b[1003], p[1003];
    double dot = 0, squares = 0, sum = 0, exps = 0;
    rng_init(&rng, 1, RNG_TEST, 0, 0);
    for (int i = 0; i < 1003; i++) {
        a[i] = (real)rng_normal(&rng);
        b[i] = (real)rng_normal(&rng);
        dot += (double)a[i] * (double)b[i];
        squares += (double)a[i] * (double)a[i];
        sum += (double)a[i];
        exps += exp((double)a[i]);
    }
    assert_true(fabs((double)vec_dot(a, b, 1003) - dot) < 1e-3);
    assert_true(fabs(vec_sum_squares(a, 1003) - squares) < 1e-6);
    assert_true(fabs(vec_sum(a, 1003) - sum) < 1e-6);
    assert_true(fabs(vec_log_sum_exp(a, vec_max(a, 1003), 1003) - log(exps)) < 1e-5);
    vec_softmax(p, a, 1003);
    assert_true(fabs(vec_sum(p, 1003) - 1) < 1e-5);
    a[500] = 99;
    assert_true(vec_max(a, 1003) == 99);
    a[7] = -INFINITY;
    assert_true(fabs(vec_log_sum_exp(a, vec_max(a, 1003), 1003) - 99) < 1e-5);
}

static void blocks_have_their_own_maxima(void **state)
{
    (void)state;
    struct rng rng;
    real x[1003], maxima[8];
    rng_init(&rng, 2, RNG_TEST, 0, 0);
    for (int i = 0; i < 1003; i++)
        x[i] = (real)rng_normal(&rng);
    vec_block_max(maxima, x, 1003);
    for (size_t i = 0; i < 1003; i += VEC_BLOCK)
        assert_true(maxima[i / VEC_BLOCK] == vec_max(x + i, i + VEC_BLOCK < 1003 ? VEC_BLOCK : 1003 - i));
}

static void four_rows_are_added_as_one_by_one(void **state)
{
    (void)state;
    struct rng rng;
    real x[4][101], y[101], one_by_one[101], a[4];
    rng_init(&rng, 3, RNG_TEST, 0, 0);
    for (int j = 0; j < 4; j++) {
        a[j] = (real)rng_normal(&rng);
        for (int i = 0; i < 101; i++)
            x[j][i] = (real)rng_normal(&rng);
    }
    for (int i = 0; i < 101; i++)
        y[i] = one_by_one[i] = (real)rng_normal(&rng);
    for (int j = 0; j < 4; j++)
        vec_axpy(one_by_one, a[j], x[j], 101);
    vec_axpy4(y, a, (const real *const[]){x[0], x[1], x[2], x[3]}, 101);
    for (int i = 0; i < 101; i++) /* compilers may fuse additions and products in one and not in the other */
        assert_true(fabs((double)(y[i] - one_by_one[i])) < 1e-5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(functions_agree_with_libm),         cmocka_unit_test(ends_are_sane),
        cmocka_unit_test(sums_agree_with_plain_loops),       cmocka_unit_test(blocks_have_their_own_maxima),
        cmocka_unit_test(four_rows_are_added_as_one_by_one),
    };
    int failed = 0;
    for (int set = (int)instruction_set; set >= INSTRUCTIONS_BASE; set--) {
        instruction_set = (enum instruction_set)set;
        failed |= cmocka_run_group_tests(tests, NULL, NULL);
    }
    return failed;
}
