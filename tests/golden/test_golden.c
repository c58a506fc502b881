/* The network's numbers against PyTorch's (tests/golden/make-golden), tensor by tensor: logits, loss,
 * gradients, and the losses of ten updates with clipping and Adam, with one worker and with three. */
#include "arena.h"
#include "kernel.h"
#include "mat.h"
#include "mem.h"
#include "safetensors.h"
#include "seq2seq.h"
#include "workers.h"

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
#define VOCABULARY 17
#define PREDICTIONS 9
#define UPDATES 10
#define TOLERANCE 2e-5 /* relative to a tensor's largest number */

static const int source_ids[SENTS][5] = {{5, 9, 3, 16, 2}, {4, 2}, {7, 7, 12, 2}};
static const int target_ids[SENTS][6] = {{1, 6, 15, 2}, {1, 3, 8, 11, 10, 2}, {1, 2}};
static const struct sentence source[SENTS] = {{source_ids[0], 5}, {source_ids[1], 2}, {source_ids[2], 4}};
static const struct sentence target[SENTS] = {{target_ids[0], 4}, {target_ids[1], 6}, {target_ids[2], 2}};
static const struct batch batch = {.source = source, .target = target, .sents = SENTS};

struct golden {
    struct config config;
    struct seq2seq model;
    struct safetensors file;
    struct pass_options options;
    struct arena arena;
    real *values;
};

static void golden_init(struct golden *g, const char *name, const char *const *settings)
{
    const char *sizes[] = {
        "model.embedding=7",          "model.encoder.units=11",      "model.decoder.units=9",
        "model.attention.units=13",   "model.dropout.embedding=0",   "model.dropout.annotation=0",
        "model.dropout.readout=0",    "training.learning_rate=0.01", "training.clip_norm=1",
        "model.attention.feed=input", "model.layer_norm=false",      "training.schedule=constant",
        "training.warmup=0",          "training.average=0",          "training.cooldown=0",
        "training.weight_decay=0",    "model.dropout.state=0"};
    struct err err;
    config_init(&g->config);
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
        assert_int_equal(config_set(&g->config, sizes[i], &err), 0);
    for (; *settings; settings++)
        assert_int_equal(config_set(&g->config, *settings, &err), 0);
    seq2seq_init(&g->model, &g->config, VOCABULARY, VOCABULARY);
    pass_options_init(&g->options, &g->config, 1, 0);
    arena_init(&g->arena);
    char *path = xasprintf("%s/golden/%s.safetensors", getenv("NMT_TEST_DIR"), name);
    if (safetensors_open(&g->file, path, &err))
        fail_msg("%s", err.text);
    free(path);
    g->values = xmalloc(g->model.layout.total, sizeof(real));
    for (size_t i = 0; i < g->model.layout.count; i++) {
        const struct param *param = &g->model.layout.params[i];
        const struct tensor *tensor = safetensors_find(&g->file, param->name);
        assert_non_null(tensor);
        assert_int_equal(tensor->bytes, param_size(param) * sizeof(float));
        memcpy(g->values + param->offset, tensor->data, tensor->bytes);
    }
}

static void golden_release(struct golden *g)
{
    free(g->values);
    arena_release(&g->arena);
    safetensors_close(&g->file);
    config_release(&g->config);
}

/* Compares with a golden tensor; both must be finite, and the golden one not all zero. */
static void compare(const struct golden *g, const char *name, const real *values, size_t count)
{
    const struct tensor *tensor = safetensors_find(&g->file, name);
    if (!tensor || tensor->bytes != count * sizeof(float))
        fail_msg("%s is not in the golden file", name);
    const float *golden = tensor->data;
    double largest = 0, worst = 0;
    for (size_t i = 0; i < count; i++) {
        assert_true(isfinite(values[i]));
        largest = fmax(largest, fabs((double)golden[i]));
        worst = fmax(worst, fabs((double)values[i] - (double)golden[i]));
    }
    assert_true(largest > 0);
    if (worst > TOLERANCE * largest)
        fail_msg("%s: off by %.2e of %.2e", name, worst, largest);
}

static void check_logits(struct golden *g)
{
    struct packed_seq seq;
    real ordered[PREDICTIONS * VOCABULARY];
    const real *logits = seq2seq_logits(&seq, &g->model, g->values, &batch, &g->arena);
    /* Golden values are ordered sentence by sentence. */
    int row = 0;
    for (int b = 0; b < SENTS; b++)
        for (size_t t = 0; t < target[b].length - 1; t++, row++)
            memcpy(ordered + row * VOCABULARY, logits + (seq.first[t] + seq.rank[b]) * VOCABULARY,
                   VOCABULARY * sizeof(real));
    assert_int_equal(row, PREDICTIONS);
    compare(g, "golden.logits", ordered, PREDICTIONS * VOCABULARY);
}

static void check_gradients(struct golden *g)
{
    real *grads = xcalloc(g->model.layout.total, sizeof *grads);
    arena_reset(&g->arena);
    const struct loss loss =
        seq2seq_loss(grads, &g->model, g->values, &batch, &g->options, (real)1 / PREDICTIONS, &g->arena);
    assert_int_equal(loss.target_tokens, PREDICTIONS);
    const real mean = (real)(loss.sums.loss / PREDICTIONS);
    compare(g, "golden.loss", &mean, 1);
    for (size_t i = 0; i < g->model.layout.count; i++) {
        const struct param *param = &g->model.layout.params[i];
        char name[PARAM_MAX_NAME + 32];
        snprintf(name, sizeof name, "golden.gradient.%s", param->name);
        compare(g, name, grads + param->offset, param_size(param));
    }
    free(grads);
}

#define RECIPE_KEYS 4

/* The recipes of make-golden. */
static const struct recipe {
    const char *losses, *settings[RECIPE_KEYS];
} recipes[] = {
    {"golden.losses.adam",
     {"training.optimizer=adam", "training.learning_rate=0.01", "training.beta2=0.999",
      "training.weight_decay=0"}},
    {"golden.losses.adamw",
     {"training.optimizer=adam", "training.learning_rate=0.01", "training.beta2=0.999",
      "training.weight_decay=0.5"}},
    {"golden.losses.sgd",
     {"training.optimizer=sgd", "training.learning_rate=0.01", "training.beta1=0.9",
      "training.weight_decay=0"}},
    {"golden.losses.adadelta",
     {"training.optimizer=adadelta", "training.learning_rate=1", "training.beta2=0.95",
      "training.weight_decay=0"}},
};

/* `batches`: 1, or as many as there are sentences. */
static void check_updates(struct golden *g, const struct recipe *recipe, int shards, int batches)
{
    const size_t whole[] = {0, SENTS}, single[] = {0, 1, 2, 3};
    struct err err;
    struct workers workers;
    struct corpus corpus;
    real losses[UPDATES];
    const int pairs[SENTS] = {0, 1, 2};
    int ids[32];
    size_t begin[2 * SENTS + 1], count = 0;
    for (int b = 0; b < SENTS; b++) {
        begin[2 * b] = count;
        for (size_t i = 0; i < source[b].length; i++)
            ids[count++] = source_ids[b][i];
        begin[2 * b + 1] = count;
        for (size_t i = 0; i < target[b].length; i++)
            ids[count++] = target_ids[b][i];
    }
    begin[2 * SENTS] = count;
    corpus_init(&corpus);
    corpus.ids = ids;
    corpus.begin = begin;
    corpus.pairs = SENTS;
    for (int i = 0; i < RECIPE_KEYS; i++)
        assert_int_equal(config_set(&g->config, recipe->settings[i], &err), 0);
    workers_init(&workers, &g->config, &g->model, shards, shards > 2 ? 2 : 1, &RANKS_ALONE, NULL);
    memcpy(workers.values, g->values, g->model.layout.total * sizeof(real));
    for (int u = 0; u < UPDATES; u++) {
        const double rate = learning_rate(&g->config.training, u + 1, 0, 1);
        const struct update_result result =
            workers_update(&workers, &corpus, pairs, batches == 1 ? whole : single, batches, u + 1, rate);
        assert_true(result.finite);
        losses[u] = (real)(result.loss.sums.loss / PREDICTIONS);
    }
    compare(g, recipe->losses, losses, UPDATES);
    workers_release(&workers);
}

static void check_all(const char *name, const char *const *settings)
{
    struct golden g;
    golden_init(&g, name, settings);
    check_logits(&g);
    check_gradients(&g);
    for (size_t i = 0; i < sizeof recipes / sizeof recipes[0]; i++) {
        check_updates(&g, &recipes[i], 1, 1);
        check_updates(&g, &recipes[i], 3, 1);
        check_updates(&g, &recipes[i], 2, SENTS);
    }
    golden_release(&g);
}

#define SETTINGS(...) ((const char *const[]){__VA_ARGS__, NULL})

#define SMOOTHED "training.label_smoothing=0.1"

/* The cases of make-golden. */
static const struct {
    const char *name;
    const char *const *settings;
} cases[] = {
    {"untied", SETTINGS("model.tie=none", "training.label_smoothing=0")},
    {"tied_target", SETTINGS("model.tie=target", SMOOTHED)},
    {"tied_all", SETTINGS("model.tie=all", SMOOTHED)},
    {"conditional", SETTINGS("model.attention.feed=conditional", SMOOTHED)},
    {"deep", SETTINGS("model.tie=all", "model.attention.feed=conditional", "model.layer_norm=true",
                      "model.encoder.layers=2", "model.encoder.transitions=2", "model.decoder.layers=2",
                      "model.decoder.transitions=2", SMOOTHED)},
    {"lexical", SETTINGS("model.encoder.lexical=true", "model.encoder.layers=2", "model.tie=all",
                         "model.attention.feed=conditional", SMOOTHED)},
    {"lstm", SETTINGS("model.encoder.cell=lstm", "model.decoder.cell=lstm", "model.decoder.init=last",
                      "model.attention.score=general", "model.attention.feed=output",
                      "model.attention.input_feeding=true", SMOOTHED)},
    {"lstm_normalized",
     SETTINGS("model.encoder.cell=rnn_relu", "model.decoder.cell=lstm", "model.layer_norm=true",
              "model.attention.heads=2", "model.attention.units=12", "model.attention.score=scaled_dot",
              "model.attention.feed=output", "model.attention.temperature=0.7", "model.decoder.transitions=2",
              SMOOTHED)},
    {"tanh_dot",
     SETTINGS("model.encoder.cell=rnn_tanh", "model.decoder.cell=rnn_tanh", "model.decoder.units=22",
              "model.attention.score=dot", "model.decoder.init=backward_first", SMOOTHED)},
    {"sparsemax", SETTINGS("model.decoder.cell=gru_reset_before", "model.attention.normalizer=sparsemax",
                           "model.attention.score=concat", "model.attention.feed=replace",
                           "model.decoder.init=zero", SMOOTHED)},
    {"local", SETTINGS("model.attention.scope=local_p", "model.attention.window=2",
                       "model.attention.feed=conditional", "model.encoder.cell=gru_reset_before", SMOOTHED)},
    {"local_m", SETTINGS("model.attention.scope=local_m", "model.attention.window=1", SMOOTHED)},
    {"coverage", SETTINGS("model.attention.coverage=sum", "model.attention.feed=conditional", SMOOTHED)},
    {"fertility", SETTINGS("model.attention.coverage=fertility", "model.attention.score=concat", SMOOTHED)},
    {"no_attention", SETTINGS("model.attention.score=none", "model.decoder.init=last", SMOOTHED)},
};

#define CASES (sizeof cases / sizeof cases[0])

static void golden(void **state)
{
    const size_t i = (size_t)(uintptr_t)*state;
    check_all(cases[i].name, cases[i].settings);
}

int main(void)
{
    struct CMUnitTest tests[CASES];
    mat_begin(1);
    for (size_t i = 0; i < CASES; i++)
        tests[i] = (struct CMUnitTest){cases[i].name, golden, NULL, NULL, (void *)(uintptr_t)i};
    int failed = 0;
    for (int set = (int)instruction_set; set >= INSTRUCTIONS_BASE; set--) {
        instruction_set = (enum instruction_set)set;
        failed |= cmocka_run_group_tests(tests, NULL, NULL);
    }
    return failed;
}
