/* Sampling a word: frequencies, truncation, and weights that are NaN. */
#include "check.h"

#include "sample.h"

#include <math.h>

#define WORDS 4

static const real weights[WORDS] = {1, 0, 4, 5}; /* they sum to 10 */

/* Frequency of each word, over evenly spaced u. */
static void frequencies(double *part, double temperature, int top_k, double nucleus)
{
    const int draws = 10000;
    const struct sample_options options = {temperature, top_k, nucleus};
    struct weighted_word scratch[WORDS];
    for (int id = 0; id < WORDS; id++)
        part[id] = 0;
    for (int i = 0; i < draws; i++) {
        const int id = sample_word(scratch, weights, WORDS, &options, (i + 0.5) / draws);
        assert_true(id >= 0 && id <= WORDS - 1);
        part[id] += 1.0 / draws;
    }
}

static void expect(const double *part, double a, double b, double c, double d)
{
    const double right[WORDS] = {a, b, c, d};
    for (int id = 0; id < WORDS; id++)
        assert_true(fabs(part[id] - right[id]) < 1e-3);
}

static void words_come_by_their_probability(void **state)
{
    (void)state;
    double part[WORDS];
    frequencies(part, 1, 0, 1);
    expect(part, 0.1, 0, 0.4, 0.5);
    frequencies(part, 0.5, 0, 1); /* squared: 1, 16, 25 of 42 */
    expect(part, 1 / 42.0, 0, 16 / 42.0, 25 / 42.0);
}

static void the_last_word_ends_at_one(void **state)
{
    (void)state;
    const struct sample_options options = {1, 0, 1};
    struct weighted_word scratch[WORDS];
    assert_int_equal(sample_word(scratch, weights, WORDS, &options, 1), WORDS - 1);
}

static void few_words_are_left(void **state)
{
    (void)state;
    double part[WORDS];
    frequencies(part, 1, 1, 1);
    expect(part, 0, 0, 0, 1);
    frequencies(part, 1, 2, 1);
    expect(part, 0, 0, 4 / 9.0, 5 / 9.0);
    frequencies(part, 1, 0, 0.5);
    expect(part, 0, 0, 0, 1);
    frequencies(part, 1, 0, 0.6);
    expect(part, 0, 0, 4 / 9.0, 5 / 9.0);
    frequencies(part, 1, 0, 0);
    expect(part, 0, 0, 0, 1);
}

static void weights_that_are_not_numbers_give_no_word(void **state)
{
    (void)state;
    const real bad[2] = {NAN, NAN};
    const struct sample_options options = {1, 0, 1};
    struct weighted_word scratch[2];
    assert_int_equal(sample_word(scratch, bad, 2, &options, 0.5), -1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(words_come_by_their_probability),
        cmocka_unit_test(the_last_word_ends_at_one),
        cmocka_unit_test(few_words_are_left),
        cmocka_unit_test(weights_that_are_not_numbers_give_no_word),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
