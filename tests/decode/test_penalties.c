/* The ranking of hypotheses, and the attention returned with them. */
#include "networks.h"

#include "vecmath.h"

#include <math.h>

/* Penalties matter more if translations are long and not repetitive. */
static void look_for_long_ones(struct network *f)
{
    f->options.beam = 3;
    f->options.min_length = 7;
    f->options.block_ngrams = 3;
}

static void scores_by_wu(void **state)
{
    struct network *f = *state;
    struct hypothesis best[SENTS];
    int found[SENTS];
    look_for_long_ones(f);
    f->options.wu = true;
    f->options.length_penalty = 0.7;
    beam_search(best, found, &f->one, f->sentences, SENTS, &f->options, &f->arena);
    for (int b = 0; b < SENTS; b++) {
        const int words = best[b].length + (best[b].end == END_MARK); /* with the end mark */
        const double expected = best[b].terms.log_probability / pow((5.0 + words) / 6, 0.7);
        assert_true(fabs(best[b].score - expected) < 1e-9);
    }
}

/* The total attention to each source word; more than 1 earns nothing (Wu et al. 2016). */
static void scores_with_coverage(void **state)
{
    struct network *f = *state;
    struct hypothesis best[SENTS];
    int found[SENTS];
    if (!config_has_attention(&f->config))
        return;
    look_for_long_ones(f);
    struct beam_options options = f->options;
    options.coverage_penalty = 0.5;
    options.alignment = true;
    beam_search(best, found, &f->one, f->sentences, SENTS, &options, &f->arena);
    for (int b = 0; b < SENTS; b++) {
        /* With the end mark, or without it if cut off. */
        const bool closed = best[b].alpha[best[b].length] != NULL;
        const int words = best[b].length + closed;
        double expected = best[b].terms.log_probability / words;
        for (size_t j = 0; j < f->sentences[b].length; j++) {
            double covered = 0;
            for (int i = 0; i < words; i++)
                covered += (double)best[b].alpha[i][j];
            expected += 0.5 * log(fmin(fmax(covered, 1e-10), 1));
        }
        assert_true(fabs(best[b].score - expected) < 1e-5 * fabs(expected));
    }
}

/* A search with other penalties finds the best of an n-best list, ranked by these penalties. */
static void penalties_only_rank(void **state)
{
    struct network *f = *state;
    enum { BEAM = 6 };
    struct hypothesis all[SENTS][BEAM], best[SENTS];
    int found[SENTS], one[SENTS], other = 0;
    look_for_long_ones(f);
    struct beam_options options = f->options;
    if (!config_has_attention(&f->config))
        return;
    options.beam = options.n_best = BEAM;
    options.coverage = true;
    beam_search(all[0], found, &f->one, f->sentences, SENTS, &options, &f->arena);
    for (int wu = 0; wu < 2; wu++) {
        options.n_best = 1;
        options.coverage = false;
        options.wu = wu;
        options.length_penalty = 0.3;
        options.coverage_penalty = 50;
        beam_search(best, one, &f->one, f->sentences, SENTS, &options, &f->arena);
        for (int b = 0; b < SENTS; b++) {
            int first = 0;
            for (int k = 1; k < found[b]; k++)
                if (beam_score(&all[b][k].terms, &options) > beam_score(&all[b][first].terms, &options))
                    first = k;
            assert_true(fabs(best[b].score - beam_score(&all[b][first].terms, &options)) < 1e-9);
            other += first > 0;
        }
    }
    if (f->config.model.attention.kind == ATTENTION_SOFT) /* else each word is covered or not */
        assert_true(other >= 1 && other <= 2 * SENTS);
}

static void alignments_are_distributions(void **state)
{
    struct network *f = *state;
    struct hypothesis best[SENTS];
    int found[SENTS];
    struct step_weights members[2] = {f->weights, f->weights};
    look_for_long_ones(f);
    f->options.alignment = true;
    /* Without attention there is none; local_p's Gaussian reduces the weights. */
    const bool none = !config_has_attention(&f->config);
    const double most = none ? 0 : 1, least = none                                               ? 0
                                              : f->config.model.attention.scope == SCOPE_LOCAL_P ? 0.1
                                                                                                 : 1;
    for (int count = 1; count <= 2; count++) { /* with two networks, the mean */
        beam_search(best, found, &(struct ensemble){.members = members, .count = count}, f->sentences, SENTS,
                    &f->options, &f->arena);
        for (int b = 0; b < SENTS; b++)
            for (int i = 0; i < best[b].length; i++) {
                const double sum = vec_sum(best[b].alpha[i], (size_t)f->sentences[b].length);
                assert_true(sum > least - 1e-5 && sum < most + 1e-5);
            }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        NETWORK_TEST(scores_by_wu),
        NETWORK_TEST(scores_with_coverage),
        NETWORK_TEST(penalties_only_rank),
        NETWORK_TEST(alignments_are_distributions),
    };
    int failed = 0;
    for (const char *name; (name = networks_next());)
        failed += cmocka_run_group_tests_name(name, tests, network_set_up, network_tear_down);
    return failed;
}
