/* Decoding against slower ways to the same answer, on a random network. */
#include "unit/check.h"

#include "arena.h"
#include "beam.h"
#include "mat.h"
#include "mem.h"
#include "params.h"
#include "rng.h"
#include "scheduled.h"
#include "stepper.h"
#include "translate.h"
#include "vecmath.h"
#include "vocab.h"

#include <math.h>

#define SENTS 7
#define STEPS 9
#define VOCABULARY 29

struct fixture {
    struct config config;
    struct seq2seq model;
    real *params;
    int ids[SENTS][STEPS];
    struct sentence sentences[SENTS];
    struct arena arena, shared;
    struct step_weights weights;
    struct ensemble one; /* of these */
    struct beam_options options;
};

/* Networks that each test is run with. */
static const struct variant {
    const char *name, *settings[8];
} variants[] = {
    {"input feed", {"model.attention.feed=input", "model.layer_norm=false"}},
    {"conditional", {"model.attention.feed=conditional", "model.layer_norm=false"}},
    {"layers",
     {"model.attention.feed=input", "model.layer_norm=false", "model.encoder.layers=3",
      "model.decoder.layers=3"}},
    {"deep",
     {"model.attention.feed=conditional", "model.encoder.transitions=2", "model.decoder.transitions=3",
      "model.decoder.layers=2", "model.layer_norm=true"}},
    {"LSTM",
     {"model.attention.feed=conditional", "model.encoder.cell=lstm", "model.decoder.cell=lstm",
      "model.decoder.transitions=2", "model.decoder.layers=2", "model.layer_norm=true"}},
    {"reset gate before",
     {"model.attention.feed=input", "model.encoder.cell=rnn_relu", "model.decoder.cell=gru_reset_before",
      "model.decoder.layers=2", "model.layer_norm=true"}},
    {"no attention", {"model.attention.score=none", "model.decoder.init=last", "model.attention.feed=input"}},
    {"heads",
     {"model.attention.heads=4", "model.attention.units=8", "model.attention.score=scaled_dot",
      "model.attention.scope=local_m", "model.attention.window=2", "model.attention.normalizer=sparsemax"}},
    {"input feeding",
     {"model.attention.feed=output", "model.attention.input_feeding=true", "model.attention.score=general",
      "model.decoder.cell=lstm", "model.decoder.transitions=2"}},
    {"output",
     {"model.attention.feed=output", "model.attention.heads=2", "model.decoder.layers=2",
      "model.decoder.init=last"}},
    {"replace",
     {"model.attention.feed=replace", "model.attention.scope=local_p", "model.attention.window=2",
      "model.decoder.init=zero"}},
    {"coverage",
     {"model.attention.coverage=fertility", "model.attention.feed=input", "model.layer_norm=false"}},
    {"covered output",
     {"model.attention.coverage=sum", "model.attention.feed=output", "model.attention.input_feeding=true",
      "model.attention.score=concat"}},
    {"hard", {"model.attention.kind=hard", "model.attention.heads=2", "model.attention.units=8"}},
};

static const struct variant *variant; /* the one whose turn it is */

static int set_up(void **state)
{
    struct fixture *f = xcalloc(1, sizeof *f);
    struct err err;
    struct rng rng;
    const char *settings[] = {"model.embedding=12", "model.encoder.units=10", "model.decoder.units=14",
                              "model.attention.units=9"};
    mat_begin(1);
    config_init(&f->config);
    for (size_t i = 0; i < sizeof settings / sizeof settings[0]; i++)
        assert_int_equal(config_set(&f->config, settings[i], &err), 0);
    for (int i = 0; variant->settings[i]; i++)
        assert_int_equal(config_set(&f->config, variant->settings[i], &err), 0);
    seq2seq_init(&f->model, &f->config, VOCABULARY, VOCABULARY);
    f->params = xmalloc(f->model.layout.total, sizeof(real));
    params_randomize(f->params, &f->model.layout, 5);
    rng_init(&rng, 9, RNG_TEST, 0, 0);
    for (size_t i = 0; i < f->model.layout.total; i++)
        f->params[i] += (real)(0.5 * rng_normal(&rng));
    for (int b = 0; b < SENTS; b++) {
        for (int t = 0; t < STEPS; t++)
            f->ids[b][t] = VOCAB_SPECIALS + (int)rng_below(&rng, VOCABULARY - VOCAB_SPECIALS);
        f->sentences[b] = (struct sentence){f->ids[b], 1 + (int)rng_below(&rng, STEPS)};
        f->ids[b][f->sentences[b].length - 1] = VOCAB_END;
    }
    arena_init(&f->arena);
    arena_init(&f->shared);
    step_weights_init(&f->weights, &f->model, f->params, &f->shared);
    f->one = (struct ensemble){&f->weights, 1};
    f->options = (struct beam_options){
        .beam = 1, .n_best = 1, .length_penalty = 1, .max_length_ratio = 2, .extra_length = 10};
    *state = f;
    return 0;
}

static int tear_down(void **state)
{
    struct fixture *f = *state;
    arena_release(&f->arena);
    arena_release(&f->shared);
    free(f->params);
    config_release(&f->config);
    free(f);
    return 0;
}

static void expect_same(const struct hypothesis *a, const struct hypothesis *b)
{
    assert_int_equal(a->length, b->length);
    assert_memory_equal(a->ids, b->ids, (size_t)a->length * sizeof *a->ids);
    assert_true(fabs(a->score - b->score) < 1e-5);
}

static void batch_size_does_not_change_a_translation(void **state)
{
    struct fixture *f = *state;
    for (int beam = 1; beam <= 5; beam += 2) {
        struct hypothesis together[SENTS * 5], alone[5];
        int found[SENTS], one;
        f->options.beam = f->options.n_best = beam;
        beam_search(together, found, &f->one, f->sentences, SENTS, &f->options, &f->arena);
        for (int b = 0; b < SENTS; b++) {
            beam_search(alone, &one, &f->one, &f->sentences[b], 1, &f->options, &f->arena);
            assert_int_equal(one, found[b]);
            for (int k = 0; k < one; k++)
                expect_same(&together[b * beam + k], &alone[k]);
        }
    }
}

/* Word by word with the training network, which knows nothing of the stepper's short cuts. */
static int greedy(struct fixture *f, int b, int *ids, double *log_probability)
{
    int target[4 * STEPS] = {VOCAB_BEGIN}, length = 0;
    const int most = (int)(2.0 * (f->sentences[b].length - 1)) + f->options.extra_length;
    *log_probability = 0;
    for (;;) {
        target[length + 1] = VOCAB_END; /* any word: only the logits before it are looked at */
        const struct sentence so_far = {target, length + 2};
        const struct batch batch = {&f->sentences[b], &so_far, 1, NULL, NULL};
        struct packed_seq seq;
        const real *logits =
            seq2seq_logits(&seq, &f->model, f->params, &batch, &f->arena) + length * VOCABULARY;
        int best = VOCAB_END;
        for (int v = 0; v < VOCABULARY; v++)
            if (v != VOCAB_BEGIN && v != VOCAB_UNKNOWN && logits[v] > logits[best])
                best = v;
        real masked[VOCABULARY];
        memcpy(masked, logits, sizeof masked);
        masked[VOCAB_BEGIN] = masked[VOCAB_UNKNOWN] = -INFINITY;
        *log_probability += (double)logits[best] - vec_log_sum_exp(masked, VOCABULARY);
        if (best == VOCAB_END)
            return length;
        ids[length] = target[1 + length] = best;
        if (++length == most)
            return length;
    }
}

static void beam_of_one_is_greedy_search_by_the_training_network(void **state)
{
    struct fixture *f = *state;
    f->options.beam = f->options.n_best = 1;
    for (int b = 0; b < SENTS; b++) {
        struct hypothesis h;
        int found, ids[4 * STEPS];
        double log_probability;
        beam_search(&h, &found, &f->one, &f->sentences[b], 1, &f->options, &f->arena);
        const int length = greedy(f, b, ids, &log_probability);
        assert_int_equal(h.length, length);
        assert_memory_equal(h.ids, ids, (size_t)length * sizeof *ids);
        assert_true(fabs(h.terms.log_probability - log_probability) < 1e-4);
    }
}

static void scores_are_what_the_training_network_says(void **state)
{
    struct fixture *f = *state;
    struct hypothesis best[4];
    int found;
    f->options.beam = f->options.n_best = 4;
    f->options.unknown = true;
    beam_search(best, &found, &f->one, &f->sentences[0], 1, &f->options, &f->arena);
    assert_int_equal(found, 4);
    for (int k = 0; k < found; k++) {
        int target[4 * STEPS] = {VOCAB_BEGIN};
        memcpy(target + 1, best[k].ids, (size_t)best[k].length * sizeof *target);
        target[best[k].length + 1] = VOCAB_END;
        const struct sentence pair = {target, best[k].length + 2};
        const struct batch batch = {&f->sentences[0], &pair, 1, NULL, NULL};
        struct loss loss = {{0, 0}, 0, 0};
        struct pass_options none;
        pass_options_none(&none);
        seq2seq_loss(&loss, NULL, &f->model, f->params, &batch, &none, 0, &f->arena);
        /* Beam search may not say the begin mark; the loss gives it its share, a small one. */
        assert_true(best[k].terms.log_probability >= -loss.sums.nll - 1e-4);
        assert_true(best[k].terms.log_probability < -loss.sums.nll + 0.5 * (best[k].length + 1));
        assert_true(k == 0 || best[k - 1].score >= best[k].score);
    }
    f->options.unknown = false;
}

static int repeats(const struct hypothesis *h, int n)
{
    int count = 0;
    for (int i = 0; i + n <= h->length; i++)
        for (int j = i + 1; j + n <= h->length; j++)
            count += !memcmp(h->ids + i, h->ids + j, (size_t)n * sizeof *h->ids);
    return count;
}

/* Greedy search of a random network repeats itself, unless it may not. */
static void blocked_sequences_do_not_repeat(void **state)
{
    struct fixture *f = *state;
    struct hypothesis best[SENTS];
    int found[SENTS];
    for (int n = 0; n <= 3; n++) {
        int count = 0;
        f->options.block_ngrams = n;
        beam_search(best, found, &f->one, f->sentences, SENTS, &f->options, &f->arena);
        for (int b = 0; b < SENTS; b++)
            count += repeats(&best[b], n ? n : 1);
        assert_true(n ? count == 0 : count > 0);
    }
}

static void translations_have_the_least_length(void **state)
{
    struct fixture *f = *state;
    struct hypothesis best[SENTS];
    int found[SENTS];
    real *end_bias = &f->params[f->model.readout.output.bias + VOCAB_END];
    *end_bias += 30; /* to end as soon as may be */
    f->options.beam = 3;
    beam_search(best, found, &f->one, f->sentences, SENTS, &f->options, &f->arena);
    for (int b = 0; b < SENTS; b++)
        assert_int_equal(best[b].length, 0);
    f->options.min_length = 7;
    beam_search(best, found, &f->one, f->sentences, SENTS, &f->options, &f->arena);
    for (int b = 0; b < SENTS; b++)
        assert_int_equal(best[b].length, 7);
    *end_bias -= 30;
}

/* Where none may end before, by the source's words without its end mark. */
static void translations_have_the_most_length(void **state)
{
    struct fixture *f = *state;
    struct hypothesis best[SENTS];
    int found[SENTS];
    const int min_length = f->options.min_length;
    f->options.beam = 2;
    f->options.min_length = 1000;
    beam_search(best, found, &f->one, f->sentences, SENTS, &f->options, &f->arena);
    for (int b = 0; b < SENTS; b++)
        assert_int_equal(best[b].length, 2 * (f->sentences[b].length - 1) + 10);
    f->options.min_length = min_length;
}

static void translations_begin_with_the_prefix(void **state)
{
    struct fixture *f = *state;
    struct hypothesis free_one[SENTS], same[SENTS], forced[SENTS];
    struct sentence prefixes[SENTS];
    const int other[] = {VOCAB_SPECIALS + 3, VOCAB_SPECIALS + 1, VOCAB_UNKNOWN, VOCAB_SPECIALS + 3};
    int found[SENTS];
    f->options.beam = 3;
    beam_search(free_one, found, &f->one, f->sentences, SENTS, &f->options, &f->arena);
    f->options.prefixes = prefixes;
    for (int b = 0; b < SENTS; b++) /* half of what it would have said anyway: greedily, the same */
        prefixes[b] = (struct sentence){free_one[b].ids, free_one[b].length / 2};
    beam_search(same, found, &f->one, f->sentences, SENTS, &f->options, &f->arena);
    for (int b = 0; b < SENTS; b++)
        for (int i = 0; i < prefixes[b].length; i++)
            assert_int_equal(same[b].ids[i], free_one[b].ids[i]);
    for (int b = 0; b < SENTS; b++)
        prefixes[b] = (struct sentence){other, b % 5};
    beam_search(forced, found, &f->one, f->sentences, SENTS, &f->options, &f->arena);
    for (int b = 0; b < SENTS; b++) {
        assert_true(forced[b].length >= prefixes[b].length);
        assert_true(isfinite(forced[b].terms.log_probability));
        for (int i = 0; i < prefixes[b].length; i++)
            assert_int_equal(forced[b].ids[i], other[i]);
        if (!prefixes[b].length)
            assert_true(forced[b].score == free_one[b].score);
    }
    f->options.prefixes = NULL;
}

static void scores_by_wu(void **state)
{
    struct fixture *f = *state;
    struct hypothesis best[SENTS];
    int found[SENTS];
    f->options.wu = true;
    f->options.length_penalty = 0.7;
    beam_search(best, found, &f->one, f->sentences, SENTS, &f->options, &f->arena);
    for (int b = 0; b < SENTS; b++) {
        const double closed = best[b].terms.log_probability / pow((5 + best[b].length + 1.0) / 6, 0.7),
                     open = best[b].terms.log_probability / pow((5.0 + best[b].length) / 6, 0.7);
        assert_true(fabs(best[b].score - closed) < 1e-9 || fabs(best[b].score - open) < 1e-9);
    }
}

/* What each source word was looked at, in all; nothing is won beyond 1 (Wu et al. 2016). */
static void scores_with_coverage(void **state)
{
    struct fixture *f = *state;
    struct hypothesis best[SENTS];
    int found[SENTS];
    if (f->config.model.attention.score == SCORE_NONE)
        return;
    struct beam_options options = f->options;
    options.length_penalty = 1;
    options.wu = false;
    options.coverage_penalty = 0.5;
    options.alignment = true;
    beam_search(best, found, &f->one, f->sentences, SENTS, &options, &f->arena);
    for (int b = 0; b < SENTS; b++) {
        /* With its end mark or, too long, without. */
        const bool closed = best[b].alpha[best[b].length] != NULL;
        const int words = best[b].length + closed;
        double expected = best[b].terms.log_probability / words;
        for (int j = 0; j < f->sentences[b].length; j++) {
            double covered = 0;
            for (int i = 0; i < words; i++)
                covered += (double)best[b].alpha[i][j];
            expected += 0.5 * log(fmin(fmax(covered, 1e-10), 1));
        }
        assert_true(fabs(best[b].score - expected) < 1e-5 * fabs(expected));
    }
}

/* What a search with other penalties finds is the best of an n-best list by them. */
static void penalties_only_rank(void **state)
{
    struct fixture *f = *state;
    enum { BEAM = 6 };
    struct hypothesis all[SENTS][BEAM], best[SENTS];
    int found[SENTS], one[SENTS], other = 0;
    struct beam_options options = f->options;
    if (f->config.model.attention.score == SCORE_NONE)
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

/* Twice the same network says what it says alone, also at random; another one beside it does not. */
static void an_ensemble_averages(void **state)
{
    struct fixture *f = *state;
    struct hypothesis alone[SENTS], twice[SENTS], mixed[SENTS];
    int found[SENTS], same = 0;
    struct seq2seq other_model;
    struct step_weights members[2] = {f->weights, f->weights};
    struct err err;
    f->options.sample = (struct sample_options){1, 0, 1};
    for (int sampled = 1; sampled >= 0; sampled--) {
        f->options.sampled = sampled;
        f->options.beam = sampled ? 1 : 4;
        beam_search(alone, found, &f->one, f->sentences, SENTS, &f->options, &f->arena);
        beam_search(twice, found, &(struct ensemble){members, 2}, f->sentences, SENTS, &f->options,
                    &f->arena);
        for (int b = 0; b < SENTS; b++)
            expect_same(&alone[b], &twice[b]);
    }

    assert_int_equal(config_set(&f->config, "model.decoder.units=21", &err), 0);
    seq2seq_init(&other_model, &f->config, VOCABULARY, VOCABULARY);
    real *other = xmalloc(other_model.layout.total, sizeof *other);
    params_randomize(other, &other_model.layout, 8);
    step_weights_init(&members[1], &other_model, other, &f->shared);
    beam_search(mixed, found, &(struct ensemble){members, 2}, f->sentences, SENTS, &f->options, &f->arena);
    for (int b = 0; b < SENTS; b++)
        same += fabs(alone[b].score - mixed[b].score) < 1e-6;
    assert_true(same >= 0 && same <= SENTS / 2);
    free(other);
}

static void a_wider_beam_finds_no_worse(void **state)
{
    struct fixture *f = *state;
    struct hypothesis narrow[SENTS], wide[SENTS];
    int found[SENTS];
    f->options.n_best = 1;
    f->options.length_penalty = 0;
    f->options.beam = 1;
    beam_search(narrow, found, &f->one, f->sentences, SENTS, &f->options, &f->arena);
    f->options.beam = 20;
    beam_search(wide, found, &f->one, f->sentences, SENTS, &f->options, &f->arena);
    double sum = 0;
    for (int b = 0; b < SENTS; b++)
        sum += wide[b].score - narrow[b].score;
    assert_true(sum > 0);
    f->options.length_penalty = 1;
}

static void alignments_are_distributions(void **state)
{
    struct fixture *f = *state;
    struct hypothesis best[SENTS];
    int found[SENTS];
    struct step_weights members[2] = {f->weights, f->weights};
    f->options.beam = 3;
    f->options.alignment = true;
    /* Nothing without attention; local_p's Gaussian takes away from the weights. */
    const bool none = f->config.model.attention.score == SCORE_NONE;
    const double most = none ? 0 : 1, least = none                                                ? 0
                                              : attention_is_local_p(&f->model.decoder.attention) ? 0.1
                                                                                                  : 1;
    for (int count = 1; count <= 2; count++) { /* an ensemble's is the mean */
        beam_search(best, found, &(struct ensemble){members, count}, f->sentences, SENTS, &f->options,
                    &f->arena);
        for (int b = 0; b < SENTS; b++)
            for (int i = 0; i < best[b].length; i++) {
                const double sum = vec_sum(best[b].alpha[i], (size_t)f->sentences[b].length);
                assert_true(sum > least - 1e-5 && sum < most + 1e-5);
            }
    }
    f->options.alignment = false;
}

/* A search with each weight `factor` times as large: hypotheses say so where they overflowed, and have finite
 * scores. How many did? */
static int overflowed_with(struct fixture *f, real factor)
{
    struct hypothesis best[SENTS];
    int found[SENTS], overflowed = 0;
    real *bad = xmalloc(f->model.layout.total, sizeof *bad);
    for (size_t i = 0; i < f->model.layout.total; i++)
        bad[i] = f->params[i] * factor;
    struct step_weights weights;
    step_weights_init(&weights, &f->model, bad, &f->shared);
    beam_search(best, found, &(struct ensemble){&weights, 1}, f->sentences, SENTS, &f->options, &f->arena);
    for (int b = 0; b < SENTS; b++) {
        assert_int_equal(found[b], 1);
        assert_true(isfinite(best[b].score));
        overflowed += best[b].overflowed;
    }
    free(bad);
    return overflowed;
}

static void weights_that_are_too_large_end_a_translation(void **state)
{
    struct fixture *f = *state;
    for (int sampled = 0; sampled < 2; sampled++) {
        f->options.beam = 3;
        f->options.sampled = sampled;
        f->options.sample = (struct sample_options){1, 0, 1};
        assert_int_equal(overflowed_with(f, 1), 0);
        assert_int_equal(overflowed_with(f, NAN), SENTS);
        assert_int_equal(overflowed_with(f, (real)3e38), SENTS);
    }
}

/* The memory of packed weights is given back once a model only translates. */
static void prepacked_weights_are_not_read_again(void **state)
{
    struct fixture *f = *state;
    struct hypothesis best[SENTS * 3], again[SENTS * 3];
    int found[SENTS], found_again[SENTS], unread = 0;
    f->options.beam = f->options.n_best = 3;
    f->options.alignment = true;
    beam_search(best, found, &f->one, f->sentences, SENTS, &f->options, &f->arena);
    for (int i = 0; i < f->model.layout.count; i++) {
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

/* With no teacher at all the inputs are what the training network itself says after each of them. */
static void scheduled_inputs_are_the_networks_own_words(void **state)
{
    struct fixture *f = *state;
    struct sentence targets[SENTS];
    struct pass_weights weights;
    struct packed_seq seq;
    struct rng rng;
    for (int b = 0; b < SENTS; b++)
        targets[b] = (struct sentence){f->ids[(b + 1) % SENTS], 2 + b % (STEPS - 1)};
    struct batch batch = {f->sentences, targets, SENTS, NULL, NULL};
    arena_reset(&f->arena);
    pass_weights_init(&weights, &f->model, f->params, FORWARD, &f->arena);
    prepack_list_fill(&weights.list, 0, 1);
    rng_init(&rng, 1, RNG_TEST, 0, 0);
    const struct sentence *right = scheduled_inputs(&f->model, &weights, &batch, 1, &rng, &f->arena);
    const struct sentence *own = scheduled_inputs(&f->model, &weights, &batch, 0, &rng, &f->arena);
    for (int b = 0; b < SENTS; b++)
        assert_memory_equal(right[b].ids, targets[b].ids, (size_t)targets[b].length * sizeof(int));
    batch.inputs = own;
    const real *logits = seq2seq_logits(&seq, &f->model, f->params, &batch, &f->arena);
    for (int b = 0; b < SENTS; b++) {
        assert_int_equal(own[b].ids[0], targets[b].ids[0]);
        for (int t = 0; t + 2 < targets[b].length; t++) {
            const real *row = logits + (size_t)(seq.first[t] + seq.rank[b]) * VOCABULARY;
            assert_true(row[own[b].ids[t + 1]] > vec_max(row, VOCABULARY) - 1e-4);
        }
    }
}

static void arena_estimate_holds(void **state)
{
    struct fixture *f = *state;
    struct sentence targets[SENTS];
    int ids[STEPS + 1] = {VOCAB_BEGIN, 5, 6, 7, 8, 9, 10, 11, 12, VOCAB_END};
    for (int b = 0; b < SENTS; b++) {
        targets[b] = (struct sentence){ids, STEPS + 1};
        f->sentences[b].length = STEPS;
    }
    struct arena arena;
    struct pass_options options;
    struct loss loss = {{0, 0}, 0, 0};
    const struct batch batch = {f->sentences, targets, SENTS, NULL, NULL};
    real *grads = xcalloc(f->model.layout.total, sizeof *grads);
    arena_init(&arena);
    f->config.model.dropout =
        (struct config_dropout){.embedding = 0.1, .annotation = 0.1, .readout = 0.1, .state = 0.1};
    pass_options_init(&options, &f->config, 1, 0);
    seq2seq_loss(&loss, grads, &f->model, f->params, &batch, &options, 1, &arena);
    const double estimate =
        2 * pass_weights_bytes(&f->model) + seq2seq_acts_bytes(&f->model, SENTS, STEPS, STEPS + 1);
    print_message("used %zu, estimated %.0f\n", arena.peak_bytes, estimate);
    assert_true((double)arena.peak_bytes < estimate + 64 * 200);
    assert_true((double)arena.peak_bytes > 0.4 * estimate);
    arena_release(&arena);
    free(grads);
}

static void estimate_of_the_search_holds(void **state)
{
    struct fixture *f = *state;
    struct arena arena;
    struct hypothesis best[SENTS];
    int found[SENTS], tokens = 0;
    arena_init(&arena);
    f->options.beam = 5;
    f->options.max_length_ratio = 0; /* few words: what each of them takes is not estimated */
    f->options.extra_length = 4;
    for (int b = 0; b < SENTS; b++)
        tokens += f->sentences[b].length;
    beam_search(best, found, &f->one, f->sentences, SENTS, &f->options, &arena);
    const double estimate = beam_search_bytes(&f->model, SENTS, tokens, 5);
    print_message("used %zu, estimated %.0f\n", arena.peak_bytes, estimate);
    assert_true((double)arena.peak_bytes < estimate + 64 * 400);
    assert_true((double)arena.peak_bytes > 0.4 * estimate);
    arena_release(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(batch_size_does_not_change_a_translation),
        cmocka_unit_test(beam_of_one_is_greedy_search_by_the_training_network),
        cmocka_unit_test(scores_are_what_the_training_network_says),
        cmocka_unit_test(a_wider_beam_finds_no_worse),
        cmocka_unit_test(an_ensemble_averages),
        cmocka_unit_test(blocked_sequences_do_not_repeat),
        cmocka_unit_test(translations_have_the_least_length),
        cmocka_unit_test(translations_have_the_most_length),
        cmocka_unit_test(translations_begin_with_the_prefix),
        cmocka_unit_test(scores_by_wu),
        cmocka_unit_test(scores_with_coverage),
        cmocka_unit_test(penalties_only_rank),
        cmocka_unit_test(alignments_are_distributions),
        cmocka_unit_test(weights_that_are_too_large_end_a_translation),
        cmocka_unit_test_setup_teardown(prepacked_weights_are_not_read_again, set_up, tear_down),
        cmocka_unit_test(scheduled_inputs_are_the_networks_own_words),
        cmocka_unit_test(arena_estimate_holds),
        cmocka_unit_test(estimate_of_the_search_holds),
    };
    const struct CMUnitTest once[] = {cmocka_unit_test(the_search_does_what_the_config_says)};
    int failed = cmocka_run_group_tests_name("options", once, NULL, NULL);
    for (variant = variants; variant < variants + sizeof variants / sizeof variants[0]; variant++)
        failed += cmocka_run_group_tests_name(variant->name, tests, set_up, tear_down);
    return failed;
}
