/* Gradients of every parameter against central differences, in double: ragged lengths, all dimensions odd and
 * different, every option that changes the network. A gradient that is zero throughout fails, too. */
#include "arena.h"
#include "mat.h"
#include "mem.h"
#include "params.h"
#include "rng.h"
#include "seq2seq.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define SENTS 3
#define MAX_STEPS 6
#define EPS 1e-5
#define TOLERANCE 1e-6
#define MAX_PROBES 60 /* per parameter; smaller ones are checked completely */

static const int source_lengths[SENTS] = {5, 2, 4};
static const int target_lengths[SENTS] = {3, 5, 2}; /* marks included: 2, 4, 1 predictions */

static const struct guide *right_alignments; /* of the next problem */

struct problem {
    struct config config;
    struct seq2seq model;
    struct sentence source[SENTS], target[SENTS];
    int ids[2 * SENTS][MAX_STEPS];
    struct batch batch;
    struct noise noise;
    struct arena arena;
    real *params;
};

static void problem_init(struct problem *p, const char *const *settings)
{
    struct err err;
    config_init(&p->config);
    const char *sizes[] = {"model.embedding=7",         "model.encoder.units=11",
                           "model.decoder.units=9",     "model.attention.units=13",
                           "model.dropout.embedding=0", "model.dropout.annotation=0",
                           "model.dropout.readout=0",   "model.attention.feed=input",
                           "model.layer_norm=false",    "model.dropout.state=0"};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
        assert_int_equal(config_set(&p->config, sizes[i], &err), 0);
    for (; *settings; settings++)
        assert_int_equal(config_set(&p->config, *settings, &err), 0);
    /* Where they share a table, the target side has its first rows. */
    const bool shared = p->config.model.tie == TIE_ALL;
    const int source_vocabulary = shared ? 17 : 15, target_vocabulary = shared ? 15 : 17;
    seq2seq_init(&p->model, &p->config, source_vocabulary, target_vocabulary);
    struct rng rng;
    rng_init(&rng, 7, RNG_TEST, 0, 0);
    for (int b = 0; b < SENTS; b++) {
        for (int t = 0; t < MAX_STEPS; t++) {
            p->ids[b][t] = (int)rng_below(&rng, (uint64_t)source_vocabulary);
            p->ids[SENTS + b][t] = (int)rng_below(&rng, (uint64_t)target_vocabulary);
        }
        p->source[b] = (struct sentence){p->ids[b], source_lengths[b]};
        p->target[b] = (struct sentence){p->ids[SENTS + b], target_lengths[b]};
    }
    p->batch = (struct batch){p->source, p->target, SENTS, NULL, right_alignments};
    noise_init(&p->noise, &p->config, 1, 0);
    arena_init(&p->arena);
    p->params = xmalloc(p->model.layout.total, sizeof(real));
    params_randomize(p->params, &p->model.layout, 3);
    /* Away from zero biases and from flat attention, where a wrong gradient could hide. */
    for (size_t i = 0; i < p->model.layout.total; i++)
        p->params[i] += 0.4 * rng_normal(&rng);
}

static void problem_release(struct problem *p)
{
    free(p->params);
    arena_release(&p->arena);
    config_release(&p->config);
}

static double loss_of(struct problem *p)
{
    struct loss loss = {0};
    arena_reset(&p->arena);
    seq2seq_loss(&loss, NULL, &p->model, p->params, &p->batch, &p->noise, 0, &p->arena);
    return loss.sums.loss;
}

/* Largest error of one parameter's gradient, relative to its size; fails the test on NaN or all zero. */
static double worst_error(struct problem *p, const struct param *param, const real *grads)
{
    const size_t size = param_size(param), stride = size / MAX_PROBES + 1;
    double worst = 0, largest = 0;
    for (size_t i = 0; i < size; i++) {
        assert_true(isfinite(grads[param->offset + i]));
        largest = fmax(largest, fabs(grads[param->offset + i]));
    }
    if (!(largest > 0)) {
        print_error("%s: the gradient is zero throughout\n", param->name);
        return INFINITY;
    }
    for (size_t i = 0; i < size; i += stride) {
        real *at = &p->params[param->offset + i];
        const real saved = *at;
        *at = saved + EPS;
        const double above = loss_of(p);
        *at = saved - EPS;
        const double below = loss_of(p);
        *at = saved;
        const double numeric = (above - below) / (2 * EPS), exact = grads[param->offset + i];
        worst = fmax(worst, fabs(numeric - exact) / (0.1 * largest + fabs(numeric) + fabs(exact)));
    }
    return worst;
}

static void check(const char *const *settings)
{
    struct problem p;
    problem_init(&p, settings);
    real *grads = xcalloc(p.model.layout.total, sizeof *grads);
    struct loss loss = {0};
    seq2seq_loss(&loss, grads, &p.model, p.params, &p.batch, &p.noise, 1, &p.arena);
    assert_int_equal(loss.target_tokens, 7);
    assert_int_equal(loss.source_tokens, 11);
    int bad = 0;
    for (int i = 0; i < p.model.layout.count; i++) {
        const double error = worst_error(&p, &p.model.layout.params[i], grads);
        if (!(error < TOLERANCE)) {
            print_error("%s: relative error %.2e\n", p.model.layout.params[i].name, error);
            bad++;
        }
    }
    assert_int_equal(bad, 0);
    free(grads);
    problem_release(&p);
}

#define SETTINGS(...) ((const char *const[]){__VA_ARGS__, NULL})

static void gradients_plain(void **state)
{
    (void)state;
    check(SETTINGS("model.tie=none", "training.label_smoothing=0"));
}

static void gradients_tied_target_with_smoothing(void **state)
{
    (void)state;
    check(SETTINGS("model.tie=target", "training.label_smoothing=0.1"));
}

static void gradients_tied_all(void **state)
{
    (void)state;
    check(SETTINGS("model.tie=all"));
}

static void gradients_one_direction(void **state)
{
    (void)state;
    check(SETTINGS("model.encoder.bidirectional=false"));
}

static void gradients_lexical(void **state)
{
    (void)state;
    check(SETTINGS("model.encoder.lexical=true", "model.encoder.layers=2", "model.tie=all",
                   "model.dropout.embedding=0.2", "model.dropout.annotation=0.3"));
    check(SETTINGS("model.encoder.lexical=true", "model.embedding=8", "model.attention.units=12",
                   "model.attention.heads=2", "model.decoder.init=last"));
    check(SETTINGS("model.encoder.lexical=true", "model.decoder.init=backward_first",
                   "model.attention.score=general"));
}

static void gradients_with_every_dropout(void **state)
{
    (void)state;
    check(SETTINGS("model.dropout.embedding=0.2", "model.dropout.annotation=0.3",
                   "model.dropout.readout=0.25", "model.dropout.state=0.2"));
}

static void gradients_with_state_dropout_alone(void **state)
{
    (void)state;
    check(SETTINGS("model.dropout.state=0.4", "model.tie=all"));
}

static void gradients_conditional(void **state)
{
    (void)state;
    check(SETTINGS("model.attention.feed=conditional"));
}

static void gradients_conditional_with_every_dropout(void **state)
{
    (void)state;
    check(SETTINGS("model.attention.feed=conditional", "model.dropout.embedding=0.2",
                   "model.dropout.annotation=0.3", "model.dropout.readout=0.25", "model.dropout.state=0.2"));
}

static void gradients_with_word_dropout(void **state)
{
    (void)state;
    check(SETTINGS("model.dropout.source_word=0.3", "model.dropout.target_word=0.3",
                   "model.dropout.embedding=0.2"));
}

static void gradients_with_layer_norm(void **state)
{
    (void)state;
    check(SETTINGS("model.layer_norm=true", "model.dropout.state=0.2"));
}

static void gradients_conditional_with_layer_norm(void **state)
{
    (void)state;
    check(SETTINGS("model.layer_norm=true", "model.attention.feed=conditional"));
}

static void gradients_of_layers(void **state)
{
    (void)state;
    check(SETTINGS("model.encoder.layers=3", "model.decoder.layers=2"));
}

static void gradients_of_transitions(void **state)
{
    (void)state;
    check(SETTINGS("model.encoder.transitions=2", "model.decoder.transitions=3",
                   "model.attention.feed=conditional", "model.dropout.state=0.3"));
}

static void gradients_of_everything(void **state)
{
    (void)state;
    check(SETTINGS("model.encoder.layers=2", "model.decoder.layers=3", "model.encoder.transitions=2",
                   "model.decoder.transitions=2", "model.attention.feed=conditional", "model.layer_norm=true",
                   "model.dropout.embedding=0.2", "model.dropout.annotation=0.3",
                   "model.dropout.readout=0.25", "model.dropout.state=0.2", "model.dropout.layer=0.3"));
}

/* Each recurrent cell: as the network needs it at least, and in all that can be built of it. */
static void gradients_of_cells(void **state)
{
    static const char *const cells[] = {"gru", "gru_reset_before", "lstm", "rnn_tanh", "rnn_relu"};
    (void)state;
    for (size_t i = 0; i < sizeof cells / sizeof cells[0]; i++) {
        char encoder[64], decoder[64];
        snprintf(encoder, sizeof encoder, "model.encoder.cell=%s", cells[i]);
        snprintf(decoder, sizeof decoder, "model.decoder.cell=%s", cells[i]);
        check(SETTINGS(encoder, decoder));
        check(SETTINGS(encoder, decoder, "model.attention.feed=conditional", "model.dropout.state=0.3"));
        check(SETTINGS(encoder, decoder, "model.layer_norm=true"));
        check(SETTINGS(encoder, decoder, "model.attention.feed=conditional", "model.layer_norm=true",
                       "model.encoder.layers=2", "model.decoder.layers=2", "model.encoder.transitions=2",
                       "model.decoder.transitions=2", "model.dropout.state=0.3"));
    }
}

/* Every value of the keys below, and then pairs of them that meet in the code. */
static void gradients_of_first_states(void **state)
{
    (void)state;
    check(SETTINGS("model.decoder.init=backward_first"));
    check(SETTINGS("model.decoder.init=last"));
    check(SETTINGS("model.decoder.init=last", "model.encoder.bidirectional=false"));
    check(SETTINGS("model.decoder.init=zero"));
}

static void gradients_of_scores(void **state)
{
    (void)state;
    check(SETTINGS("model.attention.score=concat"));
    check(SETTINGS("model.attention.score=dot", "model.decoder.units=22"));
    check(SETTINGS("model.attention.score=scaled_dot", "model.attention.temperature=0.7"));
    check(SETTINGS("model.attention.score=general", "model.attention.temperature=1.5"));
}

static void gradients_without_attention(void **state)
{
    static const char *const feeds[] = {"input", "replace", "conditional", "output"};
    (void)state;
    for (size_t i = 0; i < sizeof feeds / sizeof feeds[0]; i++) {
        char feed[64];
        snprintf(feed, sizeof feed, "model.attention.feed=%s", feeds[i]);
        check(SETTINGS("model.attention.score=none", feed));
        check(SETTINGS("model.attention.score=none", feed, "model.decoder.init=last",
                       "model.decoder.cell=lstm"));
    }
}

static void gradients_of_heads(void **state)
{
    (void)state;
    check(SETTINGS("model.attention.heads=2", "model.attention.units=14"));
    check(SETTINGS("model.attention.heads=2", "model.attention.score=scaled_dot", "model.attention.units=6",
                   "model.attention.feed=conditional"));
    check(SETTINGS("model.attention.heads=2", "model.attention.score=dot", "model.decoder.units=22"));
}

static void gradients_of_scopes_feeds_and_cells(void **state)
{
    static const char *const scopes[] = {"global", "local_m", "local_p"};
    static const char *const feeds[] = {"input", "replace", "conditional", "output"};
    static const char *const cells[] = {"gru", "lstm"};
    (void)state;
    for (int i = 0; i < 3 * 4 * 2; i++) {
        char scope[64], feed[64], cell[64];
        snprintf(scope, sizeof scope, "model.attention.scope=%s", scopes[i % 3]);
        snprintf(feed, sizeof feed, "model.attention.feed=%s", feeds[i / 3 % 4]);
        snprintf(cell, sizeof cell, "model.decoder.cell=%s", cells[i / 12]);
        check(SETTINGS(scope, feed, cell, "model.attention.window=2"));
        check(SETTINGS(scope, feed, cell, "model.attention.window=1", "model.layer_norm=true",
                       "model.attention.normalizer=sparsemax", "model.attention.heads=2",
                       "model.attention.units=8", "model.decoder.layers=2", "model.decoder.transitions=2"));
    }
}

static void gradients_of_sparsemax(void **state)
{
    (void)state;
    check(SETTINGS("model.attention.normalizer=sparsemax"));
    check(SETTINGS("model.attention.normalizer=sparsemax", "model.attention.temperature=3",
                   "model.attention.feed=conditional"));
}

static void gradients_of_input_feeding(void **state)
{
    (void)state;
    check(SETTINGS("model.attention.feed=output", "model.attention.input_feeding=true"));
    check(SETTINGS("model.attention.feed=output", "model.attention.input_feeding=true",
                   "model.decoder.cell=lstm", "model.layer_norm=true", "model.decoder.transitions=2",
                   "model.dropout.state=0.3", "model.dropout.readout=0.3", "model.attention.score=general"));
}

static void gradients_of_coverage(void **state)
{
    (void)state;
    check(SETTINGS("model.attention.coverage=sum"));
    check(SETTINGS("model.attention.coverage=fertility", "model.attention.feed=conditional",
                   "model.attention.score=concat"));
    check(SETTINGS("model.attention.coverage=fertility", "model.attention.scope=local_p",
                   "model.attention.window=2", "model.attention.feed=output",
                   "model.attention.normalizer=sparsemax"));
}

static void gradients_of_r_drop(void **state)
{
    (void)state;
    check(SETTINGS("training.r_drop=3", "model.dropout.embedding=0.3", "model.dropout.readout=0.2"));
    check(SETTINGS("training.r_drop=0.5", "model.tie=all", "model.attention.feed=conditional",
                   "model.layer_norm=true", "model.dropout.embedding=0.2", "model.dropout.annotation=0.3",
                   "model.dropout.readout=0.25", "model.dropout.state=0.2", "model.dropout.source_word=0.2",
                   "model.dropout.target_word=0.2", "training.label_smoothing=0.1"));
}

static void gradients_of_guided_alignment(void **state)
{
    static const struct link links[][3] = {{{0, 0, 1}, {4, 1, 1}, {2, 1, 1}}, {{1, 3, 1}}, {{0, 0, 1}}};
    static const struct guide guides[SENTS] = {{links[0], 3}, {links[1], 1}, {links[2], 0}};
    (void)state;
    right_alignments = guides;
    check(SETTINGS("training.guided_alignment=0.7"));
    check(SETTINGS("training.guided_alignment=0.7", "model.attention.heads=2", "model.attention.units=8",
                   "model.attention.feed=conditional"));
    right_alignments = NULL;
}

/* ---- hard attention: the estimator against the gradient of the expected loss, which is Σ π(path) loss(path)
 * over all paths through the source: 3 positions in each of 2 steps ---- */

#define PATHS 9
#define SAMPLES 200000

static double path_loss(struct problem *p, int path, double *probability)
{
    const int forced[2] = {path / 3, path % 3};
    struct pass_weights weights;
    struct loss loss = {0};
    arena_reset(&p->arena);
    p->noise.decoder.attention.forced = forced;
    pass_weights_init(&weights, &p->model, p->params, FORWARD, &p->arena);
    prepack_list_fill(&weights.list, 0, 1);
    struct pass *pass = seq2seq_forward(&p->model, &weights, &p->batch, &p->noise, &p->arena);
    for (int chunk = 0; chunk < seq2seq_chunks(pass); chunk++)
        seq2seq_output(&loss, NULL, pass, chunk, 1);
    *probability = exp(seq2seq_choice_log_probability(pass));
    p->noise.decoder.attention.forced = NULL;
    return loss.sums.loss;
}

static double expected_loss(struct problem *p)
{
    double sum = 0, total = 0;
    for (int path = 0; path < PATHS; path++) {
        double probability;
        const double loss = path_loss(p, path, &probability);
        sum += probability * loss;
        total += probability;
    }
    assert_true(fabs(total - 1) < 1e-9);
    return sum;
}

static void hard_attention_is_unbiased(void **state)
{
    (void)state;
    struct problem p;
    problem_init(&p, SETTINGS("model.attention.kind=hard", "training.attention_entropy=0",
                              "training.attention_discount=1", "training.attention_expected=0",
                              "training.label_smoothing=0.1", "model.attention.feed=conditional",
                              "model.embedding=3", "model.encoder.units=3", "model.decoder.units=4",
                              "model.attention.units=3"));
    p.source[0].length = p.target[0].length = 3;
    p.batch.sents = 1;
    p.noise.decoder.attention.baseline = expected_loss(&p) / 2; /* any is right, this one shakes least */
    real *mean = xcalloc(p.model.layout.total, sizeof *mean);
    for (int i = 0; i < SAMPLES; i++) {
        struct loss loss = {0};
        p.noise.decoder.attention.key = (uint32_t)i;
        arena_reset(&p.arena);
        seq2seq_loss(&loss, mean, &p.model, p.params, &p.batch, &p.noise, (real)1 / SAMPLES, &p.arena);
    }
    int compared = 0;
    for (int i = 0; i < p.model.layout.count; i++) {
        const struct param *param = &p.model.layout.params[i];
        double difference = 0, size = 0;
        for (size_t j = 0; j < param_size(param); j += param_size(param) / 8 + 1) {
            real *at = &p.params[param->offset + j];
            const real saved = *at;
            *at = saved + EPS;
            const double above = expected_loss(&p);
            *at = saved - EPS;
            const double below = expected_loss(&p);
            *at = saved;
            const double numeric = (above - below) / (2 * EPS);
            difference += (numeric - mean[param->offset + j]) * (numeric - mean[param->offset + j]);
            size += numeric * numeric;
        }
        /* What is left is the noise of so many samples. */
        if (size > 1e-6) {
            if (!(sqrt(difference / size) < 0.04))
                fail_msg("%s: relative error %.3f", param->name, sqrt(difference / size));
            compared++;
        }
    }
    assert_true(compared > 15);
    free(mean);
    problem_release(&p);
}

static void expected_contexts_have_the_gradients_of_soft_attention(void **state)
{
    (void)state;
    check(SETTINGS("model.attention.kind=hard", "training.attention_expected=1", "model.attention.heads=2",
                   "model.attention.units=8", "model.attention.feed=conditional"));
    check(SETTINGS("model.attention.kind=hard", "training.attention_expected=1",
                   "model.attention.coverage=sum"));
}

/* Gradients of one sentence of `steps` words, what hard attention draws for them being given. */
static real *credited(int steps, const char *discount)
{
    static const int forced[2] = {2, 1};
    struct problem p;
    struct loss loss = {0};
    problem_init(&p, SETTINGS("model.attention.kind=hard", discount));
    p.source[0].length = 3;
    p.target[0].length = steps + 1;
    p.batch.sents = 1;
    p.noise.decoder.attention.forced = forced;
    real *grads = xcalloc(p.model.layout.total, sizeof *grads);
    seq2seq_loss(&loss, grads, &p.model, p.params, &p.batch, &p.noise, 1, &p.arena);
    problem_release(&p);
    return grads;
}

/* A_1 = (l_1 - b) + γ (l_2 - b), and gradients are linear in it; a lone word has no later ones. */
static void losses_of_later_words_are_discounted(void **state)
{
    (void)state;
    for (int steps = 1; steps <= 2; steps++) {
        real *none = credited(steps, "training.attention_discount=0"),
             *half = credited(steps, "training.attention_discount=0.5"),
             *all = credited(steps, "training.attention_discount=1");
        struct problem p;
        problem_init(&p, SETTINGS("model.attention.kind=hard"));
        double apart = 0, between = 0;
        for (size_t i = 0; i < p.model.layout.total; i++) {
            apart += fabs(all[i] - none[i]);
            between += fabs(half[i] - (none[i] + all[i]) / 2);
        }
        assert_true(steps == 1 ? apart == 0 : apart > 0.01);
        assert_true(between < 1e-10);
        problem_release(&p);
        free(none);
        free(half);
        free(all);
    }
}

int main(void)
{
    mat_begin(1);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gradients_plain),
        cmocka_unit_test(gradients_tied_target_with_smoothing),
        cmocka_unit_test(gradients_tied_all),
        cmocka_unit_test(gradients_one_direction),
        cmocka_unit_test(gradients_lexical),
        cmocka_unit_test(gradients_with_every_dropout),
        cmocka_unit_test(gradients_with_state_dropout_alone),
        cmocka_unit_test(gradients_with_word_dropout),
        cmocka_unit_test(gradients_conditional),
        cmocka_unit_test(gradients_conditional_with_every_dropout),
        cmocka_unit_test(gradients_with_layer_norm),
        cmocka_unit_test(gradients_conditional_with_layer_norm),
        cmocka_unit_test(gradients_of_layers),
        cmocka_unit_test(gradients_of_transitions),
        cmocka_unit_test(gradients_of_everything),
        cmocka_unit_test(gradients_of_cells),
        cmocka_unit_test(gradients_of_first_states),
        cmocka_unit_test(gradients_of_scores),
        cmocka_unit_test(gradients_without_attention),
        cmocka_unit_test(gradients_of_heads),
        cmocka_unit_test(gradients_of_scopes_feeds_and_cells),
        cmocka_unit_test(gradients_of_sparsemax),
        cmocka_unit_test(gradients_of_input_feeding),
        cmocka_unit_test(gradients_of_coverage),
        cmocka_unit_test(gradients_of_guided_alignment),
        cmocka_unit_test(gradients_of_r_drop),
        cmocka_unit_test(hard_attention_is_unbiased),
        cmocka_unit_test(expected_contexts_have_the_gradients_of_soft_attention),
        cmocka_unit_test(losses_of_later_words_are_discounted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
