/* The course of a training as its log shows it: learning rates, patience, rollbacks. */
#include "train/twenty_pairs.h"

#include "safetensors.h"

#include <math.h>

/* The cooldown is three quarters of two epochs of four updates. */
static void the_rate_cools_down_by_the_epoch(void **state)
{
    (void)state;
    static double rates[MOST_NUMBERS];
    run_new("epochs", SETTINGS("training.max_epochs", "2", "training.cooldown", "0.75"));
    assert_int_equal(numbers_in_log(rates, "epochs", "update", "learning_rate"), 8);
    for (int i = 0; i < 8; i++)
        assert_true(fabs(rates[i] - 0.01 * (i <= 2 ? 1 : (1 - i / 8.0) / 0.75)) < 1e-9);
}

/* The cooldown is the whole of two seconds: each rate depends on the clock, at a time between the previous
 * update and its own entry in the log. Even on a busy machine there is more than one update. */
static void the_rate_cools_down_by_the_clock(void **state)
{
    (void)state;
    const double limit = 2;
    static double rates[MOST_NUMBERS], seconds[MOST_NUMBERS];
    run_new("clock", SETTINGS("training.max_minutes", "0.0333333333", "training.cooldown", "1",
                              "training.validate_every", "1000000"));
    const int count = numbers_in_log(rates, "clock", "update", "learning_rate");
    assert_int_equal(numbers_in_log(seconds, "clock", "update", "seconds"), count);
    assert_true(count > 1);
    for (int i = 1; i < count; i++) {
        const double slack = 1e-3; /* the log rounds seconds */
        const double highest = 0.01 * (1 - (seconds[i - 1] - slack) / limit);
        const double lowest = 0.01 * (1 - (seconds[i] + slack) / limit);
        assert_true(rates[i] < highest && rates[i] > lowest);
    }
    assert_true(seconds[count - 1] >= limit - 0.001);
}

/* Nothing is learned: a validation every four updates, and each two in a row halve the rate. */
static void the_plateau_halves_the_rate(void **state)
{
    (void)state;
    static double rates[MOST_NUMBERS];
    run_new("plateau", SETTINGS("training.learning_rate", "1e-9", "training.schedule", "plateau",
                                "training.halve_patience", "2", "training.max_updates", "28"));
    const int count = numbers_in_log(rates, "plateau", "update", "learning_rate");
    assert_int_equal(count, 28);
    for (int i = 0; i < count; i++)
        assert_true(rates[i] == (i < 12 ? 1e-9 : i < 20 ? 5e-10 : 2.5e-10));
}

/* Nothing is learned: the first validation stays the best. */
static void out_of_patience_the_rate_cools_down(void **state)
{
    (void)state;
    struct config config;
    static double rates[MOST_NUMBERS], validated[MOST_NUMBERS];
    make_config(&config, "patience",
                SETTINGS("training.learning_rate", "1e-9", "training.patience", "2", "training.cooldown",
                         "0.3", "training.max_epochs", "0"));
    train(&config, TRAIN_NEW);
    train(&config, TRAIN_RESUME); /* notices that training is over */
    /* 0.3 of 18 updates are the six after the third validation. */
    const int count = numbers_in_log(rates, "patience", "update", "learning_rate");
    assert_int_equal(count, 18);
    for (int i = 0; i < count; i++)
        assert_true(fabs(rates[i] - 1e-9 * (i <= 12 ? 1 : (1 - i / 18.0) / 0.3)) < 1e-15);
    assert_int_equal(numbers_in_log(validated, "patience", "validation", "update"), 5);
    assert_true(validated[4] == 18);
    config.training.patience = 6;
    train(&config, TRAIN_RESUME); /* goes on: the sixth bad one is that of update 24 of 35 */
    assert_int_equal(numbers_in_log(rates, "patience", "update", "learning_rate"), 35);
    config_release(&config);
}

/* BLEU stays 0, but the network learns. */
static void patience_lasts_while_perplexity_falls(void **state)
{
    (void)state;
    static double scores[MOST_NUMBERS], updates[MOST_NUMBERS];
    run_new("perplexity", SETTINGS("training.learning_rate", "0.0003", "training.patience", "2",
                                   "training.max_updates", "32"));
    assert_int_equal(numbers_in_log(updates, "perplexity", "update", "update"), 32);
    const int count = numbers_in_log(scores, "perplexity", "validation", "bleu");
    assert_int_equal(count, 8);
    for (int i = 0; i < count; i++)
        assert_true(scores[i] < 1);
}

static void expect_three_rollbacks(const char *checkpoint_every)
{
    static const volatile sig_atomic_t no_signal = 0;
    struct config config;
    struct err err;
    static double from[MOST_NUMBERS], to[MOST_NUMBERS];
    make_config(&config, "diverge",
                SETTINGS("training.max_updates", "40", "training.learning_rate", "10", "training.clip_norm",
                         "0", "model.tie", "none", "training.checkpoint_every", checkpoint_every));
    assert_int_equal(trainer_run(&config, TRAIN_RESTART, "test", &nobody, &no_signal, &alone, &err), -1);
    assert_non_null(strstr(err.text, "training diverged at update"));
    assert_int_equal(numbers_in_log(from, "diverge", "rollback", "from"), 3);
    assert_int_equal(numbers_in_log(to, "diverge", "rollback", "update"), 3);
    for (int i = 0; i < 3; i++)
        assert_true(to[i] < from[i] - 1);
    config_release(&config);
}

/* What a rollback takes back was validated: the model is still its best one. */
static void a_rollback_keeps_the_best_score(void **state)
{
    (void)state;
    static const volatile sig_atomic_t no_signal = 0;
    static double scores[MOST_NUMBERS], saved[MOST_NUMBERS];
    struct config config;
    struct safetensors checkpoint;
    struct err err;
    double highest = 0, best;
    make_config(&config, "best",
                SETTINGS("training.max_updates", "40", "training.learning_rate", "10", "training.clip_norm",
                         "0", "model.tie", "none", "training.checkpoint_every", "1",
                         "training.validate_every", "1", "training.metric", "chrf"));
    assert_int_equal(trainer_run(&config, TRAIN_RESTART, "test", &nobody, &no_signal, &alone, &err), -1);
    const int count = numbers_in_log(scores, "best", "validation", "chrf");
    for (int i = 0; i < count; i++)
        highest = fmax(highest, scores[i]);
    assert_int_equal(numbers_in_log(saved, "best", "rollback", "update"), 3);
    const int newest = numbers_in_log(saved, "best", "checkpoint", "update") - 1;
    char *path = xasprintf("%s/best/checkpoints/update-%08d.safetensors", temporary_dir, (int)saved[newest]);
    assert_int_equal(safetensors_open(&checkpoint, path, &err), 0);
    assert_int_equal(sscanf(safetensors_metadata(&checkpoint, "best"), "%*d:%lf", &best), 1);
    assert_true(fabs(best / highest - 1) < 1e-9);
    safetensors_close(&checkpoint);
    free(path);
    config_release(&config);
}

/* Diverges at once and always: with a checkpoint after each update, the checkpoint diverges, too. */
static void divergence_rolls_back_three_times_and_stops(void **state)
{
    (void)state;
    expect_three_rollbacks("7");
    expect_three_rollbacks("1");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_rate_cools_down_by_the_epoch),
        cmocka_unit_test(the_rate_cools_down_by_the_clock),
        cmocka_unit_test(the_plateau_halves_the_rate),
        cmocka_unit_test(out_of_patience_the_rate_cools_down),
        cmocka_unit_test(patience_lasts_while_perplexity_falls),
        cmocka_unit_test(a_rollback_keeps_the_best_score),
        cmocka_unit_test(divergence_rolls_back_three_times_and_stops),
    };
    return cmocka_run_group_tests(tests, set_up, clear_temporary_dir);
}
