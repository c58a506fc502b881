/* Events: the log's objects, member by member. */
#include "check.h"

#include "events.h"

#include <math.h>

static double number(const struct json *event, const char *key)
{
    const struct json *value = json_member(event, key);
    assert_non_null(value);
    return json_number(value);
}

static void an_update_is_told_per_token(void **unused)
{
    (void)unused;
    struct train_state state;
    train_state_init(&state);
    state.update = 7;
    state.epoch = 2;
    state.batch = 1;
    state.seconds = 12.34567;
    const struct update_result result = {
        .loss = {.sums = {.loss = 60, .nll = 40}, .target_tokens = 20, .source_tokens = 25},
        .gradient_norm = 1.5};
    struct json *event = event_update(&state, &result, 0.003, 0.5);
    assert_string_equal(json_string(json_member(event, "event")), "update");
    assert_true(number(event, "update") == 7);
    assert_true(number(event, "epoch") == 3); /* counted from 1 */
    assert_true(number(event, "loss") == 3);
    assert_true(fabs(number(event, "perplexity") - 7.38905609893065) < 1e-12); /* e² */
    assert_true(number(event, "learning_rate") == 0.003);
    assert_true(number(event, "gradient_norm") == 1.5);
    assert_true(number(event, "target_tokens") == 20);
    assert_true(number(event, "target_tokens_per_second") == 40);
    assert_true(number(event, "seconds") == 12.346);
    json_free(event);
}

static void a_checkpoint_is_of_the_epoch_of_its_update(void **unused)
{
    (void)unused;
    struct train_state state;
    train_state_init(&state);
    state.update = 7;
    state.epoch = 3; /* that update was the last one of the third */
    struct json *event = event_checkpoint(&state);
    assert_true(number(event, "update") == 7 && number(event, "epoch") == 3);
    json_free(event);
    state.batch = 1;
    event = event_checkpoint(&state);
    assert_true(number(event, "epoch") == 4);
    json_free(event);
}

static void a_validation_is_told_with_its_samples(void **unused)
{
    (void)unused;
    struct train_state state;
    train_state_init(&state);
    state.update = 3;
    char text_of[][2] = {"a", "b", "c", "x", "y", "z"};
    char *source[] = {text_of[0], text_of[1], text_of[2]}, *target[] = {text_of[3], text_of[4], text_of[5]};
    int64_t numbers[] = {1, 2, 4}; /* a blank line between the last two */
    const struct valid_set set = {.raw = {{.text = source, .count = 3}, {.text = target, .count = 3}},
                                  .numbers = numbers};
    struct validation validation = {.perplexity = 2,
                                    .perplexity_per_character = 1.5,
                                    .bleu = 30,
                                    .chrf = 50,
                                    .seconds = 4,
                                    .sample_count = VALIDATION_SAMPLES};
    for (size_t s = 0; s < VALIDATION_SAMPLES; s++) {
        validation.samples[s] = text_of[1];
        validation.sample_lines[s] = 2;
    }
    struct json *event = event_validation(&state, &validation, &set);
    assert_true(number(event, "update") == 3 && number(event, "perplexity") == 2);
    assert_true(number(event, "perplexity_per_character") == 1.5);
    assert_true(number(event, "bleu") == 30 && number(event, "chrf") == 50 && number(event, "seconds") == 4);
    struct strbuf text;
    strbuf_init(&text);
    json_print(event, false, &text);
    assert_non_null(
        strstr(text.text, "{\"line\":4,\"source\":\"c\",\"translation\":\"b\",\"reference\":\"z\"}"));
    strbuf_release(&text);
    json_free(event);
}

static void choices_are_told_by_key(void **unused)
{
    (void)unused;
    struct strbuf text;
    struct json *event = json_new_object();
    strbuf_init(&text);
    event_add_choices(event, "");
    json_print(event, false, &text);
    assert_string_equal(text.text, "{}");
    strbuf_reset(&text);
    event_add_choices(event, "text.merges 4000\nmodel.tie all\n");
    json_print(event, false, &text);
    assert_string_equal(text.text, "{\"chosen\":{\"text.merges\":\"4000\",\"model.tie\":\"all\"}}");
    strbuf_release(&text);
    json_free(event);
}

static void an_end_is_told_with_its_reason(void **unused)
{
    (void)unused;
    struct train_state state;
    train_state_init(&state);
    state.update = 9;
    state.target_tokens = 1234;
    state.rate_factor = 0.25;
    struct json *stop = event_stop(&state, "patience"), *back = event_rollback(&state, 12);
    assert_string_equal(json_string(json_member(stop, "reason")), "patience");
    assert_true(number(stop, "update") == 9 && number(stop, "target_tokens") == 1234);
    assert_true(number(back, "from") == 12 && number(back, "update") == 9 &&
                number(back, "rate_factor") == 0.25);
    json_free(stop);
    json_free(back);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_update_is_told_per_token),
        cmocka_unit_test(a_checkpoint_is_of_the_epoch_of_its_update),
        cmocka_unit_test(a_validation_is_told_with_its_samples),
        cmocka_unit_test(choices_are_told_by_key),
        cmocka_unit_test(an_end_is_told_with_its_reason),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
