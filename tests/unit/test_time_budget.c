/* Sizes by time: a rate and a text for which the widest network, a narrower or the narrowest fits. */
#include "check.h"

#include "config_auto.h"
#include "kernel.h"
#include "mat.h"
#include "time_budget.h"

#include <math.h>

static const struct epoch_text text = {.pairs = 20000, .tokens = 600000, .vocabulary = {4000, 4000}};
static const double rate = 1e11;

static void make(struct config *config, double minutes)
{
    config_init(config);
    config_auto_choose(config, &(struct text_facts){.pairs = text.pairs});
    config->training.max_minutes = minutes;
}

/* The minutes in which the untouched network makes that many epochs. */
static double minutes_for(double epochs)
{
    struct config config;
    make(&config, 1);
    const double minutes = epochs / time_budget_epochs(&config, &text, rate);
    config_release(&config);
    return minutes;
}

static void epochs_grow_with_time_rate_and_smallness(void **state)
{
    struct config config;
    (void)state;
    make(&config, 10);
    const double epochs = time_budget_epochs(&config, &text, rate);
    assert_true(time_budget_epochs(&config, &text, 2 * rate) > 1.99 * epochs);
    config.training.max_minutes = 20;
    assert_true(time_budget_epochs(&config, &text, rate) > 1.99 * epochs);
    config_auto_set_width(&config, 128);
    assert_true(time_budget_epochs(&config, &text, rate) > 4 * epochs);
    config_release(&config);
}

/* As large as the training text, the validation text takes as long, or longer with a beam. */
static void validations_take_time(void **state)
{
    struct config config;
    struct epoch_text validated = text;
    (void)state;
    make(&config, 10);
    const double epochs = time_budget_epochs(&config, &text, rate);
    validated.valid_pairs = text.pairs;
    validated.valid_tokens = text.tokens;
    assert_true(fabs(time_budget_epochs(&config, &validated, rate) / epochs - 1 / 2.0) < 1e-6);
    config.training.validation_beam = 3;
    assert_true(fabs(time_budget_epochs(&config, &validated, rate) / epochs - 1 / 3.0) < 1e-6);
    config.training.batch_tokens = (int)(text.tokens / 2 / 50); /* 50 updates */
    config.training.validate_every = 100;
    assert_true(fabs(time_budget_epochs(&config, &validated, rate) / epochs - 1 / 2.0) < 1e-6);
    config_release(&config);
}

/* What a thousand more target words take of the time, in epochs without them. */
static double cost_of_words(int width)
{
    struct config config;
    struct epoch_text more = text;
    more.vocabulary[1] += 1000;
    make(&config, 10);
    config_auto_set_width(&config, width);
    const double cost =
        1 / time_budget_epochs(&config, &more, rate) - 1 / time_budget_epochs(&config, &text, rate);
    config_release(&config);
    return cost;
}

static void the_softmax_of_a_narrow_network_costs_too(void **state)
{
    (void)state;
    const double half = cost_of_words(128) / cost_of_words(256);
    assert_true(half > 0.55 && half < 0.65); /* 0.5 by the products alone */
}

static void enough_time_leaves_the_network_as_it_is(void **state)
{
    struct config config;
    (void)state;
    make(&config, minutes_for(20.01));
    const int width = config.model.decoder.units;
    const double epochs = time_budget_choose(&config, &text, rate);
    assert_true(epochs > 20 && epochs < 20.1);
    assert_int_equal(config.model.decoder.units, width);
    assert_true(config.model.dropout.readout == 0.2); /* 40 epochs have 0.25 */
    config_release(&config);
}

static void little_time_has_a_short_warm_up(void **state)
{
    struct config config;
    (void)state;
    make(&config, minutes_for(20.01));
    config.training.batch_tokens = (int)(20 * text.tokens / 2 / 60); /* 60 updates */
    time_budget_choose(&config, &text, rate);
    assert_true(config.training.warmup == 10 || config.training.warmup == 11);
    config.training.batch_tokens = (int)(20 * text.tokens / 2 / 6000);
    time_budget_choose(&config, &text, rate);
    assert_int_equal(config.training.warmup, 200);
    config.training.batch_tokens = 0;
    config.training.batch_sentences = (int)(20 * text.pairs / 60);
    time_budget_choose(&config, &text, rate);
    assert_true(config.training.warmup == 10 || config.training.warmup == 11);
    config_release(&config);
}

/* Five epochs, or half of an epoch's updates, need no smaller network. */
static void other_limits_leave_the_network_as_it_is(void **state)
{
    struct config config;
    (void)state;
    make(&config, minutes_for(10));
    const int width = config.model.decoder.units;
    config.training.max_epochs = 5;
    time_budget_choose(&config, &text, rate);
    assert_int_equal(config.model.decoder.units, width);
    config.training.max_epochs = 0;
    config.training.batch_sentences = 64;
    config.training.max_updates = (int)(text.pairs / 128);
    time_budget_choose(&config, &text, rate);
    assert_int_equal(config.model.decoder.units, width);
    config.training.max_updates = 0;
    time_budget_choose(&config, &text, rate);
    assert_true(config.model.decoder.units < width);
    config_release(&config);
}

/* Half an epoch, or one of sixty updates, is a short training also without a limit of time. */
static void limits_alone_mean_little_dropout_and_warmup(void **state)
{
    struct config config;
    (void)state;
    make(&config, 0);
    config.training.max_epochs = 0;
    config.training.batch_tokens = (int)(text.tokens / 2 / 600);
    config.training.max_updates = 300;
    time_budget_fit(&config, &text, INFINITY);
    assert_true(config.model.dropout.readout == 0);
    assert_int_equal(config.training.warmup, 50);
    config.training.max_updates = 0;
    config.training.max_epochs = 1;
    config.training.batch_tokens = (int)(text.tokens / 2 / 60);
    time_budget_fit(&config, &text, INFINITY);
    assert_true(config.model.dropout.readout == 0);
    assert_int_equal(config.training.warmup, 10);
    config.training.max_epochs = 80;
    time_budget_fit(&config, &text, INFINITY);
    assert_true(config.model.dropout.readout == 0.25);
    assert_int_equal(config.training.warmup, 200);
    config_release(&config);
}

static void less_time_makes_a_smaller_network(void **state)
{
    struct config config;
    (void)state;
    make(&config, minutes_for(19.99));
    const int width = config.model.decoder.units;
    assert_true(time_budget_choose(&config, &text, rate) >= 20);
    assert_true(config.model.decoder.units < width);
    assert_int_equal(config.model.embedding, config.model.decoder.units / 2);
    config_release(&config);
}

static void of_large_text_an_epoch_may_be_enough(void **state)
{
    const struct epoch_text large = {.pairs = 480000, .tokens = 1.2e7, .vocabulary = {4000, 4000}};
    struct config config;
    (void)state;
    make(&config, minutes_for(1.01 * 6e6 / (text.tokens / 2))); /* for as much text as the large one has */
    config.training.max_minutes *= 1.01;                        /* more sentences for as many tokens */
    const int width = config.model.decoder.units;
    double epochs = time_budget_choose(&config, &large, rate);
    assert_true(epochs > 1 && epochs < 1.1);
    assert_int_equal(config.model.decoder.units, width);
    config.training.max_minutes *= 0.95;
    epochs = time_budget_choose(&config, &large, rate);
    assert_true(epochs > 1 && epochs < 2);
    assert_true(config.model.decoder.units < width);
    config_release(&config);
}

static void little_time_means_little_dropout(void **state)
{
    struct config config;
    (void)state;
    make(&config, minutes_for(0.01));
    const double dropout = config.model.dropout.readout;
    assert_true(time_budget_choose(&config, &text, rate) < 6);
    assert_int_equal(config.model.decoder.units, 128);
    assert_true(dropout > 0.2 && config.model.dropout.readout == 0);
    config_release(&config);
}

static void given_sizes_stay(void **state)
{
    struct config config;
    struct err err;
    (void)state;
    make(&config, minutes_for(0.01));
    assert_true(time_budget_matters(&config));
    assert_int_equal(config_set(&config, "model.encoder.units=300", &err), 0);
    time_budget_choose(&config, &text, rate);
    assert_int_equal(config.model.encoder.units, 300);
    assert_true(config.model.decoder.units > 128);
    assert_true(time_budget_matters(&config)); /* for dropout */
    config_auto_settle(&config, NULL);
    assert_false(time_budget_matters(&config));
    config_release(&config);
    make(&config, 0);
    assert_false(time_budget_matters(&config));
    config_release(&config);
}

static void bfloat16_has_to_be_faster_by_a_quarter(void **state)
{
    const double float32 = time_budget_training_rate(rate, rate);
    struct config config;
    struct err err;
    (void)state;
    config_init(&config);
    assert_true(time_budget_take_faster(&config, rate, 1.24 * rate) == float32);
    assert_int_equal(config.training.precision, TRAIN_FLOAT32);
    assert_true(time_budget_take_faster(&config, rate, 1.26 * rate) > 1.15 * float32);
    assert_int_equal(config.training.precision, TRAIN_BFLOAT16);
    assert_int_equal(config_set(&config, "training.precision=float32", &err), 0);
    assert_true(time_budget_take_faster(&config, rate, 9 * rate) == float32);
    assert_int_equal(config.training.precision, TRAIN_FLOAT32);
    assert_int_equal(config_set(&config, "training.precision=bfloat16", &err), 0);
    assert_true(time_budget_take_faster(&config, rate, 0.5 * rate) < 0.6 * float32);
    assert_int_equal(config.training.precision, TRAIN_BFLOAT16);
    config_release(&config);
}

/* Rates of products in float32 and bfloat16, and how much faster trainings were, by scripts/bench/run --only
 * bf16 and train-default, on one thread: a Zen 4 and a Xeon with AMX. */
static void faster_products_leave_the_rest_of_a_training_as_it_is(void **state)
{
    static const struct {
        double float32, bf16, faster;
    } machines[] = {{92e9, 196e9, 1.6}, {113e9, 521e9, 2.6}};
    (void)state;
    for (size_t i = 0; i < sizeof machines / sizeof machines[0]; i++) {
        const double float32 = machines[i].float32,
                     faster = time_budget_training_rate(float32, machines[i].bf16) /
                              time_budget_training_rate(float32, float32);
        assert_true(fabs(faster / machines[i].faster - 1) < 0.12);
    }
}

static void bfloat16_needs_the_instruction(void **state)
{
    const enum instruction_set set = instruction_set;
    struct config config;
    (void)state;
    config_init(&config);
    mat_begin(1);
    instruction_set = INSTRUCTIONS_BASE;
    assert_true(time_budget_choose_products(&config, 1, &RANKS_ALONE) > 1e7);
    instruction_set = set;
    assert_int_equal(config.training.precision, TRAIN_FLOAT32);
    config_release(&config);
}

static void the_machine_has_a_rate(void **state)
{
    (void)state;
    mat_begin(2);
    const double one = time_budget_rate(1, PRODUCTS_FLOAT32, &RANKS_ALONE);
    assert_true(one > 1e7 && one < 1e14);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(epochs_grow_with_time_rate_and_smallness),
        cmocka_unit_test(validations_take_time),
        cmocka_unit_test(the_softmax_of_a_narrow_network_costs_too),
        cmocka_unit_test(enough_time_leaves_the_network_as_it_is),
        cmocka_unit_test(little_time_has_a_short_warm_up),
        cmocka_unit_test(other_limits_leave_the_network_as_it_is),
        cmocka_unit_test(limits_alone_mean_little_dropout_and_warmup),
        cmocka_unit_test(less_time_makes_a_smaller_network),
        cmocka_unit_test(of_large_text_an_epoch_may_be_enough),
        cmocka_unit_test(little_time_means_little_dropout),
        cmocka_unit_test(given_sizes_stay),
        cmocka_unit_test(bfloat16_has_to_be_faster_by_a_quarter),
        cmocka_unit_test(faster_products_leave_the_rest_of_a_training_as_it_is),
        cmocka_unit_test(bfloat16_needs_the_instruction),
        cmocka_unit_test(the_machine_has_a_rate),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
