/* Tuning: the search finds the maximum of a known surface. */
#include "check.h"
#include "log.h"
#include "rng.h"
#include "tuning_search.h"

#include <math.h>

/* BLEU is 60 at the summit and falls evenly on all sides; chrF is highest at beam 2. */
struct hill {
    double length_penalty, coverage_penalty, beam;
    double error; /* standard error of the difference between any two settings */
    int trials, widest;
};

static void climb(struct tuning_trial *trial, void *context)
{
    struct hill *hill = context;
    struct rng rng;
    const struct config_decoding *d = &trial->decoding;
    const double off = fabs(d->length_penalty - hill->length_penalty) +
                       fabs(d->coverage_penalty - hill->coverage_penalty) + fabs(d->beam - hill->beam) / 10;
    rng_init(&rng, 1, RNG_TEST, (uint64_t)hill->trials, 0);
    trial->scores[PLACE_BLEU] = 60 - off;
    trial->scores[PLACE_CHRF] = 80 - fabs(d->beam - 2.0);
    trial->scores[PLACE_TER] = 20;
    for (int m = 0; m < PLACE_COUNT; m++)
        for (int i = 0; i < BOOTSTRAP_SAMPLES; i++)
            trial->bootstrap.scores[m][i] = trial->scores[m] + rng_normal(&rng) * hill->error / sqrt(2);
    hill->trials++;
    hill->widest = d->beam > hill->widest ? d->beam : hill->widest;
}

/* The settings chosen on a hill. */
static struct config_decoding tuned(struct hill *hill, int max_beam, enum metric_kind metric)
{
    struct config config;
    config_init(&config);
    config.training.metric = metric;
    config.decoding.beam = 30; /* not the start of the search */
    config.decoding.length_penalty = 0;
    config.decoding.min_length = 7;
    tuning_search(&config, &(struct tuning_limits){max_beam, NULL}, climb, hill);
    const struct config_decoding chosen = config.decoding;
    config_release(&config);
    return chosen;
}

static void expect_settings(const struct config_decoding *d, int beam, double length_penalty,
                            double coverage_penalty)
{
    assert_int_equal(d->beam, beam);
    assert_true(d->length_penalty == length_penalty && d->coverage_penalty == coverage_penalty);
    assert_int_equal(d->min_length, 7);
}

static void the_summit_is_chosen_where_scores_are_sure(void **state)
{
    (void)state;
    struct hill beyond = {1.6, 0.2, 8, 0, 0, 0}, below = {0.4, 0, 3, 0, 0, 0};
    struct config_decoding chosen = tuned(&beyond, 12, METRIC_BLEU);
    expect_settings(&chosen, 8, 1.6, 0.2);
    chosen = tuned(&below, 12, METRIC_PERPLEXITY);
    expect_settings(&chosen, 3, 0.4, 0);
    chosen = tuned(&below, 12, METRIC_CHRF);
    expect_settings(&chosen, 2, 1.2, 0);
}

/* 0.2 below the summit at 1.6, 0.4 below it at 1.4. */
static void the_nearest_to_the_defaults_within_one_error_is_chosen(void **state)
{
    (void)state;
    const double errors[] = {0.1, 0.3, 0.5, 2}, expected[] = {1.8, 1.6, 1.4, 1.2};
    for (int i = 0; i < 4; i++) {
        struct hill hill = {1.8, 0, 5, errors[i], 0, 0};
        const struct config_decoding chosen = tuned(&hill, 12, METRIC_BLEU);
        expect_settings(&chosen, 5, expected[i], 0);
    }
}

static void of_settings_equally_near_the_better_is_chosen(void **state)
{
    (void)state;
    /* Best at 1.4 with beam 8, three steps from the defaults. Two steps away are beam 6, worse by 0.2, and
     * 1.2 with beam 8, tried later, worse by 0.1. */
    struct hill hill = {1.35, 0, 8, 0.22, 0, 0};
    const struct config_decoding chosen = tuned(&hill, 12, METRIC_BLEU);
    expect_settings(&chosen, 8, 1.2, 0);
}

static void no_beam_is_wider_than_asked_for(void **state)
{
    (void)state;
    struct hill hill = {1.2, 0, 20, 0, 0, 0};
    struct config_decoding chosen = tuned(&hill, 3, METRIC_BLEU);
    expect_settings(&chosen, 3, 1.2, 0);
    assert_int_equal(hill.widest, 3);
    chosen = tuned(&hill, 16, METRIC_BLEU);
    expect_settings(&chosen, 16, 1.2, 0);
    assert_int_equal(hill.widest, 16);
}

/* Two worse settings on each side of the summit; nothing is tried twice. */
static void two_worse_settings_end_a_direction(void **state)
{
    (void)state;
    struct hill hill = {1.2, 0, 5, 0, 0, 0};
    tuned(&hill, 12, METRIC_BLEU);
    assert_int_equal(hill.trials, 1 + 4 + 2 + 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_summit_is_chosen_where_scores_are_sure),
        cmocka_unit_test(the_nearest_to_the_defaults_within_one_error_is_chosen),
        cmocka_unit_test(of_settings_equally_near_the_better_is_chosen),
        cmocka_unit_test(no_beam_is_wider_than_asked_for),
        cmocka_unit_test(two_worse_settings_end_a_direction),
    };
    log_set_level(LOG_QUIET);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
