/* The log-probability of each token against the training network's, for one network and for two; what ends
 * a hypothesis; a search that is cancelled. */
#include "networks.h"

#include "mem.h"
#include "params.h"
#include "vecmath.h"
#include "vocab.h"

#include <math.h>

enum { MOST = 4 * STEPS, NETWORKS = 2 };

/* The network of the fixture, and one of another size. */
struct two_networks {
    const struct seq2seq *model[NETWORKS];
    const real *params[NETWORKS];
    struct seq2seq other;
    real *other_params;
    struct step_weights members[NETWORKS];
};

static void two_networks_init(struct two_networks *two, struct network *f)
{
    struct err err;
    assert_int_equal(config_set(&f->config, "model.decoder.units=22", &err), 0);
    seq2seq_init(&two->other, &f->config, VOCABULARY, VOCABULARY);
    two->other_params = xmalloc(two->other.layout.total, sizeof(real));
    params_randomize(two->other_params, &two->other.layout, 8);
    two->model[0] = &f->model;
    two->params[0] = f->params;
    two->model[1] = &two->other;
    two->params[1] = two->other_params;
    two->members[0] = f->weights;
    step_weights_init(&two->members[1], &two->other, two->other_params, NULL, &f->shared);
}

/* log p of each of the target words by teacher forcing with the first `networks` ones, as the mean of
 * their probabilities. With `excluded`, the begin mark and the unknown word have none. */
static void expected(double *log_p, const struct two_networks *two, int networks, struct network *f, int b,
                     const struct sentence *words, bool excluded)
{
    const int *ids = words->ids, length = (int)words->length;
    int target[MOST + 2] = {VOCAB_BEGIN};
    memcpy(target + 1, ids, (size_t)length * sizeof *ids);
    const struct sentence pair = {target, (size_t)length + 1};
    const struct batch batch = {.source = &f->sentences[b], .target = &pair, .sents = 1};
    double p[MOST + 1] = {0}, mass[MOST + 1] = {0};
    for (int m = 0; m < networks; m++) {
        struct packed_seq seq;
        const real *logits = seq2seq_logits(&seq, two->model[m], two->params[m], &batch, &f->arena);
        for (int t = 0; t < length; t++) {
            const real *row = logits + t * VOCABULARY;
            const double all = vec_log_sum_exp(row, vec_max(row, VOCABULARY), VOCABULARY);
            p[t] += exp((double)row[ids[t]] - all) / networks;
            for (int v = 0; v < VOCABULARY; v++)
                if (!excluded || (v != VOCAB_BEGIN && v != VOCAB_UNKNOWN))
                    mass[t] += exp((double)row[v] - all) / networks;
        }
    }
    for (int t = 0; t < length; t++)
        log_p[t] = log(p[t] / mass[t]);
}

static void expect_tokens(const struct hypothesis *h, const double *log_p)
{
    const int length = h->length + (h->end == END_MARK);
    double sum = 0;
    for (int t = 0; t < length; t++) {
        assert_true(fabs((double)h->token_log_probabilities[t] - log_p[t]) < 1e-4);
        sum += (double)h->token_log_probabilities[t];
    }
    assert_true(fabs(sum - h->terms.log_probability) < 1e-4);
    if (h->end != END_MARK)
        assert_true(h->token_log_probabilities[h->length] == 0);
}

static void tokens_have_the_probabilities_of_the_training_network(void **state)
{
    struct network *f = *state;
    struct two_networks two;
    two_networks_init(&two, f);
    f->options.beam = f->options.n_best = 3;
    f->options.sample = (struct sample_options){1, 0, 1};
    for (int networks = 1; networks <= NETWORKS; networks++)
        for (int sampled = 0; sampled < 2; sampled++) {
            const struct ensemble ensemble = {.members = two.members, .count = networks};
            struct hypothesis best[SENTS * 3];
            int found[SENTS];
            f->options.sampled = sampled;
            beam_search(best, found, &ensemble, f->sentences, SENTS, &f->options, &f->arena);
            for (int b = 0; b < SENTS; b++)
                for (int k = 0; k < found[b]; k++) {
                    const struct hypothesis *h = &best[b * 3 + k];
                    int ids[MOST + 1];
                    double log_p[MOST + 1] = {0};
                    memcpy(ids, h->ids, (size_t)h->length * sizeof *ids);
                    ids[h->length] = VOCAB_END;
                    expected(log_p, &two, networks, f, b, &(struct sentence){ids, (size_t)h->length + 1},
                             true);
                    expect_tokens(h, log_p);
                }
        }
    free(two.other_params);
}

/* Any words, the unknown one too, and none excluded; the attention is that of the training network. */
static void given_translations_are_scored(void **state)
{
    struct network *f = *state;
    struct two_networks two;
    struct hypothesis scored[SENTS];
    struct sentence given[SENTS];
    int ids[SENTS][STEPS], found[SENTS];
    struct rng rng;
    two_networks_init(&two, f);
    rng_init(&rng, 3, RNG_TEST, 0, 0);
    for (int b = 0; b < SENTS; b++) {
        given[b] = (struct sentence){ids[b], 1 + (size_t)b % STEPS};
        for (size_t t = 0; t < given[b].length; t++)
            ids[b][t] = (int)rng_below(&rng, VOCABULARY);
        ids[b][0] = b == 1 ? VOCAB_UNKNOWN : ids[b][0];
        for (size_t t = 0; t + 1 < given[b].length; t++)
            ids[b][t] += ids[b][t] == VOCAB_END;
        ids[b][given[b].length - 1] = VOCAB_END;
    }
    f->options.scored = f->options.alignment = true;
    f->options.prefixes = given;
    f->options.min_length = 5; /* for searches alone */
    f->options.block_ngrams = 1;
    for (int networks = 1; networks <= NETWORKS; networks++) {
        const struct ensemble ensemble = {.members = two.members, .count = networks};
        beam_search(scored, found, &ensemble, f->sentences, SENTS, &f->options, &f->arena);
        for (int b = 0; b < SENTS; b++) {
            double log_p[STEPS] = {0};
            assert_true(found[b] == 1 && scored[b].end == END_MARK);
            assert_int_equal(scored[b].length, given[b].length - 1);
            assert_memory_equal(scored[b].ids, ids[b], (given[b].length - 1) * sizeof(int));
            expected(log_p, &two, networks, f, b, &given[b], false);
            expect_tokens(&scored[b], log_p);
        }
    }
    free(two.other_params);
}

static void the_attention_of_a_given_translation_is_the_training_networks(void **state)
{
    struct network *f = *state;
    const int target[] = {VOCAB_BEGIN, VOCAB_SPECIALS + 4, VOCAB_UNKNOWN, VOCAB_SPECIALS + 1, VOCAB_END};
    const struct sentence pair = {target, 5}, given = {target + 1, 4};
    struct pass_options none;
    pass_options_none(&none);
    struct beam_options options = f->options;
    options.scored = options.alignment = true;
    options.prefixes = &given;
    for (int b = 0; b < SENTS; b++) {
        const struct batch batch = {.source = &f->sentences[b], .target = &pair, .sents = 1};
        const size_t width = f->sentences[b].length;
        struct hypothesis scored;
        int found;
        real *weights = ARENA_ZERO(&f->arena, 4 * width, real);
        beam_search(&scored, &found, &f->one, &f->sentences[b], 1, &options, &f->arena);
        if (!config_has_attention(&f->config))
            continue;
        struct pass_weights prepacked;
        pass_weights_init(&prepacked, &f->model, f->params, FORWARD, PRODUCTS_FLOAT32, &f->arena);
        for (size_t i = 0; i < prepacked.list.count; i++)
            prepack_list_fill(&prepacked.list, (int)i, (int)prepacked.list.count);
        seq2seq_attention(weights, seq2seq_forward(&f->model, &prepacked, &batch, &none, &f->arena), 0, 0);
        for (size_t i = 0; i < 4; i++)
            for (size_t j = 0; j < width; j++)
                assert_true(fabs((double)scored.alpha[i][j] - (double)weights[i * width + j]) < 1e-5);
    }
}

static void the_end_has_a_reason(void **state)
{
    struct network *f = *state;
    struct hypothesis best[SENTS];
    int found[SENTS];
    real *end_bias = &f->params[f->model.readout.output.bias + VOCAB_END];
    for (int likely = 0; likely < 2; likely++) { /* the end mark, or it is forbidden up to the limit */
        f->options.min_length = likely ? 0 : 1000;
        *end_bias += likely ? 30 : 0;
        beam_search(best, found, &f->one, f->sentences, SENTS, &f->options, &f->arena);
        for (int b = 0; b < SENTS; b++)
            assert_int_equal(best[b].end, likely ? END_MARK : END_LIMIT);
    }
    *end_bias -= 30;
}

static bool counts_down(void *context)
{
    int *left = context;
    return (*left)-- == 0;
}

/* It is asked before each step, and what was asked in vain changes nothing. */
static void a_search_can_be_cancelled(void **state)
{
    struct network *f = *state;
    struct hypothesis best[SENTS], uninterrupted[SENTS];
    int found[SENTS], steps = 0;
    f->options.min_length = 1000;
    f->options.beam = 2;
    assert_int_equal(beam_search(uninterrupted, found, &f->one, f->sentences, SENTS, &f->options, &f->arena),
                     0);
    for (int b = 0; b < SENTS; b++)
        steps = uninterrupted[b].length > steps ? uninterrupted[b].length : steps;
    f->options.cancelled = counts_down;
    for (int left = 0; left <= steps; left++) {
        int asked = left;
        f->options.cancel_context = &asked;
        const int status = beam_search(best, found, &f->one, f->sentences, SENTS, &f->options, &f->arena);
        assert_int_equal(status, left < steps ? -1 : 0);
    }
    for (int b = 0; b < SENTS; b++)
        expect_same(&best[b], &uninterrupted[b]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        NETWORK_TEST(tokens_have_the_probabilities_of_the_training_network),
        NETWORK_TEST(given_translations_are_scored),
        NETWORK_TEST(the_attention_of_a_given_translation_is_the_training_networks),
        NETWORK_TEST(the_end_has_a_reason),
        NETWORK_TEST(a_search_can_be_cancelled),
    };
    int failed = 0;
    for (const char *name; (name = networks_next());)
        failed += cmocka_run_group_tests_name(name, tests, network_set_up, network_tear_down);
    return failed;
}
