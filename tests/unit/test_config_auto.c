/* Keys that are auto: what they become at the edges of the table, what the user gives stays, how they are
 * printed, taken from another config and settled. */
#include "check.h"

#include "config_auto.h"
#include "mem.h"

#include <math.h>

static void set(struct config *config, const char *assignment)
{
    struct err err;
    if (config_set(config, assignment, &err))
        fail_msg("%s", err.text);
}

static void expect_is(const struct config *config, const char *path, const char *wanted)
{
    struct err err;
    char *value = config_get(config, path, &err);
    if (strcmp(value, wanted))
        fail_msg("%s is %s, not %s", path, value, wanted);
    xfree(value);
}

/* A fresh config, chosen for so many pairs of languages that share this part of their letters. */
static void choose(struct config *config, double pairs, double shared)
{
    config_auto_choose(config, &(struct text_facts){pairs, shared});
}

/* A whole number of a fresh config that is chosen for so many pairs. */
static int value_for(double pairs, size_t offset)
{
    struct config config;
    config_init(&config);
    choose(&config, pairs, 0);
    const int value = *(const int *)((const char *)&config + offset);
    config_release(&config);
    return value;
}

static int batch_for(double pairs)
{
    return value_for(pairs, offsetof(struct config, training.batch_tokens));
}

static int merges_for(double pairs)
{
    return value_for(pairs, offsetof(struct config, text.merges));
}

static void a_row_ends_with_its_last_pair(void **state)
{
    static const double edges[] = {10000, 30000, 80000};
    (void)state;
    assert_int_equal(batch_for(0), batch_for(1));
    for (size_t i = 0; i < sizeof edges / sizeof edges[0]; i++) {
        assert_true(batch_for(edges[i]) < batch_for(edges[i] + 0.5));
        assert_int_equal(batch_for(edges[i]), batch_for(edges[i] - 1));
    }
    assert_int_equal(batch_for(80001), batch_for(1e9));
    assert_int_equal(merges_for(20000), merges_for(10000));
    assert_int_equal(merges_for(20001), merges_for(30000));
    assert_true(merges_for(20000) < merges_for(20001));
}

/* Fewer epochs, but never a shorter training, to the rounding of epochs. */
static void more_text_has_no_shorter_training(void **state)
{
    int before = config_auto_epochs(0);
    double longest = 0;
    (void)state;
    assert_int_equal(config_auto_epochs(1), before);
    for (double pairs = 1; pairs < 1e6; pairs *= 1.001) {
        const int epochs = config_auto_epochs(pairs);
        assert_true(epochs == before || epochs == before - 1);
        assert_true((epochs + 1) * pairs > longest);
        longest = fmax(longest, epochs * pairs);
        before = epochs;
    }
    assert_int_equal(config_auto_epochs(INFINITY), before);
}

static void until_the_text_is_known_it_is_typical(void **state)
{
    struct config fresh, typical;
    (void)state;
    config_init(&fresh);
    config_init(&typical);
    choose(&typical, TYPICAL_PAIRS, 0);
    assert_int_equal(fresh.text.merges, typical.text.merges);
    assert_true(fresh.training.learning_rate == typical.training.learning_rate);
    assert_int_equal(fresh.training.batch_tokens, typical.training.batch_tokens);
    assert_int_equal(fresh.training.batch_sentences, 0);
    expect_is(&fresh, "text.merges", "auto");
    config_release(&fresh);
    config_release(&typical);
}

static void what_is_given_stays(void **state)
{
    struct config config;
    (void)state;
    config_init(&config);
    set(&config, "text.merges=77");
    set(&config, "model.encoder.lexical=false");
    set(&config, "model.dropout.state=0.4");
    assert_false(config_is_auto(&config, "text.merges"));
    choose(&config, 500000, 1);
    expect_is(&config, "text.merges", "77");
    assert_int_equal(config.model.tie, TIE_ALL);
    assert_false(config.model.encoder.lexical);
    assert_true(config.model.dropout.state == 0.4 && config.model.dropout.readout < 0.3);
    set(&config, "text.merges=auto");
    assert_true(config_is_auto(&config, "text.merges"));
    choose(&config, 1000, 1);
    assert_int_equal(config.text.merges, 4000);
    config_release(&config);
}

static void precision_is_chosen_by_measuring_alone(void **state)
{
    struct config config;
    (void)state;
    config_init(&config);
    choose(&config, 1000, 0);
    assert_int_equal(config.training.precision, TRAIN_FLOAT32);
    config_auto_set_precision(&config, TRAIN_BFLOAT16);
    assert_int_equal(config.training.precision, TRAIN_BFLOAT16);
    set(&config, "training.precision=float32");
    config_auto_set_precision(&config, TRAIN_BFLOAT16);
    assert_int_equal(config.training.precision, TRAIN_FLOAT32);
    config_release(&config);
}

static void one_limit_of_a_batch_is_zero(void **state)
{
    struct config config;
    (void)state;
    config_init(&config);
    set(&config, "training.batch_sentences=64");
    assert_int_equal(config.training.batch_tokens, 0);
    choose(&config, 1000, 0);
    assert_int_equal(config.training.batch_sentences, 64);
    assert_int_equal(config.training.batch_tokens, 0);
    set(&config, "training.batch_sentences=0");
    choose(&config, 1000, 0);
    assert_true(config.training.batch_tokens > 0);
    set(&config, "training.batch_tokens=500");
    set(&config, "training.batch_sentences=auto");
    choose(&config, 1000, 0);
    assert_int_equal(config.training.batch_sentences, 0);
    assert_int_equal(config.training.batch_tokens, 500);
    config_release(&config);
}

static void another_limit_ends_the_training(void **state)
{
    static const char *const limits[] = {"training.max_minutes=3", "training.max_updates=9"};
    (void)state;
    for (size_t i = 0; i < 2; i++) {
        struct config config;
        config_init(&config);
        choose(&config, 1000, 0);
        assert_true(config.training.max_epochs > 0);
        set(&config, limits[i]);
        choose(&config, 1000, 0);
        assert_int_equal(config.training.max_epochs, 0);
        set(&config, "training.max_epochs=5");
        choose(&config, 1000, 0);
        assert_int_equal(config.training.max_epochs, 5);
        config_release(&config);
    }
}

static void languages_that_share_letters_share_embeddings(void **state)
{
    struct config config;
    (void)state;
    config_init(&config);
    choose(&config, 1000, 0.49);
    assert_true(config.model.tie == TIE_TARGET && !config.model.encoder.lexical);
    choose(&config, 1000, 0.5);
    assert_true(config.model.tie == TIE_ALL && config.model.encoder.lexical);
    set(&config, "model.attention.score=dot"); /* annotations must be as wide as states */
    choose(&config, 1000, 1);
    assert_true(config.model.tie == TIE_ALL && !config.model.encoder.lexical);
    set(&config, "model.attention.score=additive");
    set(&config, "text.joint=false");
    choose(&config, 1000, 1);
    assert_true(config.model.tie == TIE_TARGET && !config.model.encoder.lexical);
    set(&config, "text.joint=true");
    set(&config, "model.tie=all");
    choose(&config, 1000, 1);
    assert_false(config.model.encoder.lexical);
    config_release(&config);
}

static void weight_decay_lets_a_high_rate_learn(void **state)
{
    struct config config;
    struct err err;
    (void)state;
    config_init(&config);
    set(&config, "model_dir=m");
    set(&config, "data.train.tsv=a");
    set(&config, "training.learning_rate=1");
    assert_int_equal(config_check(&config, &err), 0);
    choose(&config, 1e6, 0);
    assert_int_equal(config_check(&config, &err), 0);
    assert_true(config.training.weight_decay > 0);
    config_release(&config);
}

/* dropout.readout and dropout.state for that many pairs, units and epochs. */
static void smaller_networks_and_short_trainings_have_less_dropout(void **state)
{
    static const struct {
        double pairs, epochs;
        const char *units;
        double readout, state;
    } cases[] = {
        {30000, INFINITY, "512", 0.25, 0.15},
        {30000, INFINITY, "1024", 0.25, 0.15},
        {30000, 80, "512", 0.25, 0.15},
        {30000, 20, "512", 0.2, 0.1},
        {30000, 7, "512", 0.1, 0},
        {30000, INFINITY, "384", 0.2, 0.1},
        {30000, INFINITY, "256", 0.15, 0.05},
        {30000, 20, "256", 0.1, 0},
        {10000, INFINITY, "256", 0.3, 0.2},
        {10000, INFINITY, "128", 0.2, 0.1},
        {10000, 40, "256", 0.3, 0.2},
        {10000, 20, "256", 0.25, 0.15},
        {20000, 40, "512", 0.25, 0.15},
        {1e6, INFINITY, "128", 0, 0},
        {1e6, 0.01, "512", 0, 0},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct config config;
        char setting[64];
        config_init(&config);
        snprintf(setting, sizeof setting, "model.decoder.units=%s", cases[i].units);
        set(&config, setting);
        set(&config, "model.dropout.annotation=0.45");
        choose(&config, cases[i].pairs, 0);
        config_auto_set_dropout(&config, cases[i].pairs, cases[i].epochs);
        assert_true(config.model.dropout.readout == cases[i].readout);
        assert_true(config.model.dropout.embedding == cases[i].readout);
        assert_true(config.model.dropout.state == cases[i].state);
        assert_true(config.model.dropout.annotation == 0.45);
        config_release(&config);
    }
}

/* training.max_epochs, given or of the table, is the length of the training. */
static void given_epochs_decide_dropout(void **state)
{
    struct config config;
    (void)state;
    config_init(&config);
    choose(&config, 30000, 0);
    assert_true(config.model.dropout.readout == 0.25);
    set(&config, "training.max_epochs=10");
    choose(&config, 30000, 0);
    assert_true(config.model.dropout.readout == 0.15);
    set(&config, "training.max_epochs=0");
    choose(&config, 30000, 0);
    assert_true(config.model.dropout.readout == 0.25);
    set(&config, "training.max_epochs=10");
    set(&config, "training.init_from=models/before");
    choose(&config, 30000, 0);
    assert_true(config.model.dropout.readout == 0.25);
    config_release(&config);
}

static void a_width_is_that_of_all_parts(void **state)
{
    struct config config;
    (void)state;
    config_init(&config);
    set(&config, "model.embedding=30");
    config_auto_set_width(&config, 192);
    expect_is(&config, "model.embedding", "30");
    assert_int_equal(config.model.decoder.units, 192);
    assert_int_equal(config.model.encoder.units, 96);
    assert_int_equal(config.model.attention.units, 96);
    config_release(&config);
}

static void settled_values_are_printed_as_numbers(void **state)
{
    struct config config;
    struct strbuf text, chosen;
    (void)state;
    strbuf_init(&text);
    strbuf_init(&chosen);
    config_init(&config);
    set(&config, "training.learning_rate=0.25");
    config_print(&config, &text);
    assert_non_null(strstr(text.text, "\"merges\":\t\"auto\""));
    assert_non_null(strstr(text.text, "\"lexical\":\t\"auto\""));
    choose(&config, 25000, 0);
    config_auto_settle(&config, &chosen);
    strbuf_reset(&text);
    config_print(&config, &text);
    assert_non_null(strstr(text.text, "\"merges\":\t8000"));
    assert_non_null(strstr(text.text, "\"lexical\":\tfalse"));
    assert_non_null(strstr(chosen.text, "text.merges 8000\n"));
    assert_non_null(strstr(chosen.text, "model.tie target\n"));
    assert_null(strstr(chosen.text, "learning_rate"));
    assert_null(strstr(chosen.text, "batch_sentences")); /* 0: nothing that would say anything */
    assert_int_equal(config.automatic, 0);
    strbuf_release(&text);
    strbuf_release(&chosen);
    config_release(&config);
}

static void values_of_another_config_are_taken(void **state)
{
    struct config config, begun;
    (void)state;
    config_init(&config);
    config_init(&begun);
    set(&begun, "text.merges=123");
    set(&begun, "model.embedding=60");
    set(&begun, "model.tie=all");
    set(&begun, "training.batch_tokens=700");
    set(&begun, "model.dropout.state=0.05");
    config_auto_settle(&begun, NULL);
    config_auto_take(&config, &begun, AUTO_NETWORK);
    expect_is(&config, "model.embedding", "60");
    expect_is(&config, "model.tie", "all");
    expect_is(&config, "text.merges", "auto");
    expect_is(&config, "model.dropout.state", "auto");
    set(&config, "training.batch_sentences=16");
    config_auto_take(&config, &begun, AUTO_ALL);
    expect_is(&config, "text.merges", "123");
    expect_is(&config, "model.dropout.state", "0.05");
    expect_is(&config, "training.batch_sentences", "16");
    expect_is(&config, "training.batch_tokens", "0");
    assert_int_equal(config.automatic, 0);
    config_release(&config);
    config_release(&begun);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(more_text_has_no_shorter_training),
        cmocka_unit_test(a_row_ends_with_its_last_pair),
        cmocka_unit_test(until_the_text_is_known_it_is_typical),
        cmocka_unit_test(what_is_given_stays),
        cmocka_unit_test(precision_is_chosen_by_measuring_alone),
        cmocka_unit_test(one_limit_of_a_batch_is_zero),
        cmocka_unit_test(another_limit_ends_the_training),
        cmocka_unit_test(languages_that_share_letters_share_embeddings),
        cmocka_unit_test(weight_decay_lets_a_high_rate_learn),
        cmocka_unit_test(smaller_networks_and_short_trainings_have_less_dropout),
        cmocka_unit_test(given_epochs_decide_dropout),
        cmocka_unit_test(a_width_is_that_of_all_parts),
        cmocka_unit_test(settled_values_are_printed_as_numbers),
        cmocka_unit_test(values_of_another_config_are_taken),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
