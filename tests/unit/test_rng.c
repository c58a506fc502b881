/* Random numbers: equal names give equal streams; moments; shuffles. */
#include "check.h"

#include "rng.h"

#include <math.h>

static void same_name_same_numbers(void **state)
{
    (void)state;
    struct rng a, b, c;
    rng_init(&a, 1, RNG_DROPOUT, 5, 0);
    rng_init(&b, 1, RNG_DROPOUT, 5, 0);
    rng_init(&c, 1, RNG_DROPOUT, 5, 1);
    int same = 0;
    for (int i = 0; i < 100; i++) {
        const uint64_t x = rng_next(&a);
        assert_true(x == rng_next(&b));
        same += x == rng_next(&c);
    }
    assert_int_equal(same, 0);
}

static void moments_are_right(void **state)
{
    (void)state;
    struct rng rng;
    rng_init(&rng, 3, RNG_TEST, 0, 0);
    double sum = 0, squares = 0, uniform = 0;
    const int n = 100000;
    for (int i = 0; i < n; i++) {
        const double x = rng_normal(&rng), u = rng_uniform(&rng);
        assert_true(u >= 0 && u < 1);
        sum += x;
        squares += x * x;
        uniform += u;
    }
    assert_true(fabs(sum / n) < 0.02);
    assert_true(fabs(squares / n - 1) < 0.02);
    assert_true(fabs(uniform / n - 0.5) < 0.01);
}

static void shuffle_is_a_permutation(void **state)
{
    (void)state;
    struct rng rng;
    int items[50], seen[50] = {0}, moved = 0;
    rng_init(&rng, 3, RNG_SHUFFLE, 0, 0);
    for (int i = 0; i < 50; i++)
        items[i] = i;
    rng_shuffle(&rng, items, 50);
    for (int i = 0; i < 50; i++) {
        seen[items[i]]++;
        moved += items[i] != i;
    }
    for (int i = 0; i < 50; i++)
        assert_int_equal(seen[i], 1);
    assert_true(moved > 30);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(same_name_same_numbers),
        cmocka_unit_test(moments_are_right),
        cmocka_unit_test(shuffle_is_a_permutation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
