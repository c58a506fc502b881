/* Which of several validations is the best; and which epoch an update was part of. */
#include "check.h"

#include "train_state.h"

#include <float.h>
#include <math.h>

static void higher_scores_are_better(void **state)
{
    struct train_state training;
    (void)state;
    train_state_init(&training);
    training.update = 1;
    assert_true(train_state_enter(&training, 20, 9, 2));
    training.update = 2;
    assert_false(train_state_enter(&training, 19, 8, 2));
    assert_int_equal(training.bad_validations, 0); /* perplexity is lower */
    training.update = 3;
    assert_false(train_state_enter(&training, 19, 8, 2));
    assert_int_equal(training.bad_validations, 1);
    training.update = 4;
    assert_true(train_state_enter(&training, 21, 8, 2));
    assert_int_equal(training.best[0].update, 4);
    assert_int_equal(training.best[1].update, 1);
}

/* Sentences of fewer than four words always have BLEU 0. */
static void where_no_score_is_a_lower_perplexity_is_better(void **state)
{
    struct train_state training;
    (void)state;
    train_state_init(&training);
    training.update = 1;
    assert_true(train_state_enter(&training, 0, 9, 1));
    training.update = 2;
    assert_true(train_state_enter(&training, 0, 5, 1));
    training.update = 3;
    assert_false(train_state_enter(&training, 0, 6, 1));
    assert_int_equal(training.best[0].update, 2);
    training.update = 4;
    assert_false(train_state_enter(&training, 0.9, 5.5, 1)); /* by chance */
    training.update = 5;
    assert_true(train_state_enter(&training, 0.04, 4, 1));
    training.update = 6;
    assert_true(train_state_enter(&training, 30, 6, 1));
    training.update = 7;
    assert_false(train_state_enter(&training, 30, 3, 1)); /* the first of equals */
}

/* Each against each: what was entered third is better than what was kept second. */
static void without_scores_the_lowest_perplexities_are_kept(void **state)
{
    static const double entered[] = {10, 8, 6, 6.003, 6.001, 5.999};
    static const long kept[] = {6, 3, 5};
    struct train_state training;
    (void)state;
    train_state_init(&training);
    for (size_t i = 0; i < sizeof entered / sizeof entered[0]; i++) {
        training.update = (long)i + 1;
        train_state_enter(&training, 0, entered[i], 3);
    }
    assert_int_equal(training.best_count, 3);
    for (int i = 0; i < 3; i++)
        assert_int_equal(training.best[i].update, kept[i]);
    assert_int_equal(training.bad_validations, 3); /* for patience, 5.999 is as good as 6 */
    assert_int_equal(training.since_halving, 3);
}

static void a_rate_may_be_halved_without_end(void **state)
{
    struct train_state training;
    (void)state;
    train_state_init(&training);
    train_state_halve_rate(&training);
    assert_true(training.rate_factor == 0.5);
    for (int i = 0; i < 2000; i++)
        train_state_halve_rate(&training);
    assert_true(training.rate_factor >= DBL_MIN); /* or no checkpoint could be read again */
}

/* Perplexities, as scores, are negative. */
static void perplexity_may_be_the_score(void **state)
{
    struct train_state training;
    (void)state;
    train_state_init(&training);
    assert_true(train_state_enter(&training, -9, 9, 1));
    assert_true(train_state_enter(&training, -8.9999, 8.9999, 1));
    assert_false(train_state_enter(&training, -9.5, 9.5, 1));
}

/* Where perplexity decides, the best stays the best. */
static void patience_begins_anew(void **state)
{
    struct train_state training;
    (void)state;
    train_state_init(&training);
    train_state_enter(&training, 20, 5, 1);
    train_state_enter(&training, 19, 6, 1);
    assert_int_equal(training.bad_validations, 1);
    train_state_restart_patience(&training);
    assert_int_equal(training.bad_validations, 0);
    assert_false(train_state_enter(&training, 10, 9, 1));
    assert_int_equal(training.bad_validations, 0);
    assert_false(train_state_enter(&training, 10, 9, 1));
    assert_int_equal(training.bad_validations, 1);
    train_state_init(&training);
    train_state_enter(&training, 0, 5, 1);
    train_state_restart_patience(&training);
    assert_false(train_state_enter(&training, 0, 9, 1));
}

/* Of a training that is resumed, training.keep_best may have become less. */
static void no_more_are_kept_than_wanted(void **state)
{
    struct train_state training;
    (void)state;
    train_state_init(&training);
    for (int i = 1; i <= 3; i++) {
        training.update = i;
        train_state_enter(&training, i, 9, 3);
    }
    assert_int_equal(training.best_count, 3);
    assert_false(train_state_enter(&training, 1, 9, 2));
    assert_int_equal(training.best_count, 2);
    assert_int_equal(training.best[1].update, 2);
}

static void an_epoch_ends_with_its_last_part(void **state)
{
    struct train_state training;
    (void)state;
    train_state_init(&training);
    assert_int_equal(train_state_epoch(&training), 0);
    training.batch = 5;
    assert_int_equal(train_state_epoch(&training), 1);
    training.part = 1; /* the next update is the first one of the second part */
    training.batch = 0;
    assert_int_equal(train_state_epoch(&training), 1);
    training.part = 0;
    training.epoch = 1;
    assert_int_equal(train_state_epoch(&training), 1);
    training.batch = 1;
    assert_int_equal(train_state_epoch(&training), 2);
}

static void expect_better(double score, double perplexity, double than_score, double than_perplexity)
{
    const struct scored_update a = {1, score, perplexity}, b = {2, than_score, than_perplexity};
    assert_true(scored_update_is_better(&a, &b));
    assert_false(scored_update_is_better(&b, &a));
}

static void perplexity_decides_where_scores_tell_nothing(void **state)
{
    (void)state;
    expect_better(0, 5, 0, 9);
    expect_better(0, 5, 0.9, 7);
    expect_better(20, 30, 0, 5);
    expect_better(0, 9, -INFINITY, INFINITY);
    expect_better(-5, 5, -9, 9);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(perplexity_decides_where_scores_tell_nothing),
        cmocka_unit_test(higher_scores_are_better),
        cmocka_unit_test(where_no_score_is_a_lower_perplexity_is_better),
        cmocka_unit_test(without_scores_the_lowest_perplexities_are_kept),
        cmocka_unit_test(perplexity_may_be_the_score),
        cmocka_unit_test(a_rate_may_be_halved_without_end),
        cmocka_unit_test(patience_begins_anew),
        cmocka_unit_test(no_more_are_kept_than_wanted),
        cmocka_unit_test(an_epoch_ends_with_its_last_part),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
