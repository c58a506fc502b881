/* The translator: options out of a config. */
#include "unit/check.h"

#include "translate.h"

static void the_search_does_what_the_config_says(void **state)
{
    (void)state;
    static const char *const settings[] = {"decoding.beam=7",           "decoding.length_penalty=0.25",
                                           "decoding.normalization=wu", "decoding.min_length=2",
                                           "decoding.block_ngrams=3",   "decoding.coverage_penalty=0.5",
                                           "decoding.sample=true",      "decoding.temperature=2",
                                           "decoding.top_k=5",          "decoding.nucleus=0.75",
                                           "decoding.seed=9",           "decoding.max_length_ratio=3"};
    struct config config;
    struct err err;
    struct translate_options options;
    const struct beam_options *beam = &options.beam;
    config_init(&config);
    translate_options_init(&options, &config);
    assert_false(beam->wu || beam->sampled);
    for (size_t i = 0; i < sizeof settings / sizeof settings[0]; i++)
        assert_int_equal(config_set(&config, settings[i], &err), 0);
    translate_options_init(&options, &config);
    assert_true(beam->wu && beam->sampled);
    assert_true(beam->beam == 7 && beam->min_length == 2 && beam->block_ngrams == 3 && beam->seed == 9);
    assert_true(beam->length_penalty == 0.25 && beam->coverage_penalty == 0.5 && beam->max_length_ratio == 3);
    assert_true(beam->sample.temperature == 2 && beam->sample.top_k == 5 && beam->sample.nucleus == 0.75);
    config_release(&config);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_search_does_what_the_config_says)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
