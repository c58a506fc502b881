/* The weights and the memory of a search: numbers that overflow, weights that are read once, the estimate. */
#include "networks.h"

#include "mem.h"

#include <math.h>

/* Searches with all weights multiplied by `factor`: hypotheses that overflow must be marked, with finite
 * scores. Returns how many did. */
static int overflowed_with(struct network *f, real factor)
{
    struct hypothesis best[SENTS];
    int found[SENTS], overflowed = 0;
    real *bad = xmalloc(f->model.layout.total, sizeof *bad);
    for (size_t i = 0; i < f->model.layout.total; i++)
        bad[i] = f->params[i] * factor;
    struct step_weights weights;
    step_weights_init(&weights, &f->model, bad, NULL, &f->shared);
    beam_search(best, found, &(struct ensemble){.members = &weights, .count = 1}, f->sentences, SENTS,
                &f->options, &f->arena);
    for (int b = 0; b < SENTS; b++) {
        assert_int_equal(found[b], 1);
        assert_true(isfinite(best[b].score));
        overflowed += best[b].end == END_OVERFLOW;
    }
    free(bad);
    return overflowed;
}

static void weights_that_are_too_large_end_a_translation(void **state)
{
    struct network *f = *state;
    for (int sampled = 0; sampled < 2; sampled++) {
        f->options.beam = 3;
        f->options.sampled = sampled;
        f->options.sample = (struct sample_options){1, 0, 1};
        assert_int_equal(overflowed_with(f, 1), 0);
        assert_int_equal(overflowed_with(f, NAN), SENTS);
        assert_int_equal(overflowed_with(f, (real)3e38), SENTS);
    }
}

/* The memory of prepacked weights is freed once a model only translates. */
static void prepacked_weights_are_not_read_again(void **state)
{
    struct network *f = *state;
    struct hypothesis best[SENTS * 3], again[SENTS * 3];
    int found[SENTS], found_again[SENTS], unread = 0;
    f->options.beam = f->options.n_best = 3;
    f->options.alignment = true;
    beam_search(best, found, &f->one, f->sentences, SENTS, &f->options, &f->arena);
    for (size_t i = 0; i < f->model.layout.count; i++) {
        const struct param *param = &f->model.layout.params[i];
        unread += f->weights.unread[i];
        for (size_t k = 0; f->weights.unread[i] && k < param_size(param); k++)
            f->params[param->offset + k] = NAN;
    }
    assert_true(unread > 0 || !f->weights.output.panels);
    beam_search(again, found_again, &f->one, f->sentences, SENTS, &f->options, &f->arena);
    for (int b = 0; b < SENTS; b++) {
        assert_int_equal(found[b], found_again[b]);
        for (int k = 0; k < found[b]; k++)
            expect_same(&best[b * 3 + k], &again[b * 3 + k]);
    }
}

static void estimate_of_the_search_holds(void **state)
{
    struct network *f = *state;
    struct arena arena;
    struct hypothesis best[SENTS];
    int found[SENTS];
    arena_init(&arena);
    f->options.beam = 5;
    f->options.max_length_ratio = 0; /* few words: so that many hypotheses are as long as they may be */
    f->options.extra_length = 4;
    beam_search(best, found, &f->one, f->sentences, SENTS, &f->options, &arena);
    const double estimate = beam_search_bytes(&f->model, f->sentences, SENTS, &f->options),
                 ratio = estimate / (double)arena.peak_bytes;
    print_message("used %zu, estimated %.0f: %.3f\n", arena.peak_bytes, estimate, ratio);
    assert_true(ratio >= 1 && ratio <= 1.15);
    arena_release(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        NETWORK_TEST(weights_that_are_too_large_end_a_translation),
        cmocka_unit_test_setup_teardown(prepacked_weights_are_not_read_again, network_set_up,
                                        network_tear_down),
        NETWORK_TEST(estimate_of_the_search_holds),
    };
    int failed = 0;
    for (const char *name; (name = networks_next());)
        failed += cmocka_run_group_tests_name(name, tests, network_set_up, network_tear_down);
    return failed;
}
