/* Products over the distinct words of a batch: finding the words, spreading rows, and summing rows. */
#include "check.h"

#include "unique.h"

static void words_are_found_spread_and_summed(void **state)
{
    (void)state;
    const int ids[] = {4, 0, 4, 7, 0, 4};
    const size_t which[] = {0, 1, 0, 2, 1, 0};
    const real x[] = {1, 2, 3, 4, 5, 6};
    real y[12], sums[6];
    struct arena arena;
    struct unique words;
    arena_init(&arena);
    unique_init(&words, ids, 6, 8, &arena);
    assert_int_equal(words.count, 3);
    assert_memory_equal(words.ids, ((const int[]){4, 0, 7}), 3 * sizeof(int));
    assert_memory_equal(words.index, which, sizeof which);

    unique_spread(mat_of(y, 6, 2), const_mat_of(x, words.count, 2), &words, false);
    for (int i = 0; i < 6; i++)
        assert_memory_equal(y + 2 * i, x + 2 * which[i], 2 * sizeof *x);
    unique_spread(mat_of(y, 6, 2), const_mat_of(x, words.count, 2), &words, true);
    assert_true(y[0] == 2 && y[1] == 4 && y[7] == 12);

    unique_gather(mat_of(sums, words.count, 2), const_mat_of(y, 6, 2), &words);
    assert_memory_equal(sums, ((const real[]){6, 12, 12, 16, 10, 12}), sizeof sums);
    arena_release(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(words_are_found_spread_and_summed)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
