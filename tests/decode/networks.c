/* Random networks of every kind, and sentences for them. What is checked is in test_*.c. */
#include "networks.h"

#include "mat.h"
#include "mem.h"
#include "network_check.h"
#include "params.h"
#include "rng.h"
#include "vocab.h"

#include <math.h>
#include <stdio.h>

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
     {"model.attention.feed=output", "model.attention.heads=2", "model.attention.units=12",
      "model.decoder.layers=2", "model.decoder.init=last"}},
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

static const struct variant *variant; /* the current one */

const char *networks_next(void)
{
    variant = variant ? variant + 1 : variants;
    return variant < variants + sizeof variants / sizeof variants[0] ? variant->name : NULL;
}

/* What comes after choice `n` of key `i`. */
static bool find_choice(char *setting, size_t bytes, size_t *i, int *n)
{
    for (struct config_key_info key; config_key_describe(&key, *i); ++*i, *n = 0) {
        const char *at = strncmp(key.path, "model.", 6) ? NULL : key.choices;
        for (int skipped = 0; at && skipped < *n; skipped++)
            at = strchr(at, '|') ? strchr(at, '|') + 1 : NULL;
        ++*n;
        if (!at)
            continue;
        snprintf(setting, bytes, "%s=%.*s", key.path, (int)strcspn(at, "|"), at);
        return true;
    }
    return false;
}

/* Beside the choice, it has what some choices need: as many decoder units as annotations are wide, a
 * window, and a feed. */
const char *networks_next_choice(void)
{
    static char setting[128];
    static struct variant chosen = {setting, {setting, "model.decoder.units=20", "model.attention.window=2"}};
    static size_t key;
    static int choice;
    if (!find_choice(setting, sizeof setting, &key, &choice))
        return NULL;
    chosen.settings[3] =
        strcmp(setting, "model.attention.input_feeding=true") ? NULL : "model.attention.feed=output";
    variant = &chosen;
    return setting;
}

int network_reset_options(void **state)
{
    struct network *f = *state;
    f->options = (struct beam_options){
        .beam = 1, .n_best = 1, .length_penalty = 1, .max_length_ratio = 2, .extra_length = 10};
    return 0;
}

int network_set_up(void **state)
{
    struct network *f = xcalloc(1, sizeof *f);
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
    assert_int_equal(network_check(&f->config, &err), 0);
    seq2seq_init(&f->model, &f->config, VOCABULARY, VOCABULARY);
    f->params = xmalloc(f->model.layout.total, sizeof(real));
    params_randomize(f->params, &f->model.layout, 5);
    rng_init(&rng, 9, RNG_TEST, 0, 0);
    for (size_t i = 0; i < f->model.layout.total; i++)
        f->params[i] += (real)(0.5 * rng_normal(&rng));
    for (int b = 0; b < SENTS; b++) {
        for (int t = 0; t < STEPS; t++)
            f->ids[b][t] = VOCAB_SPECIALS + (int)rng_below(&rng, VOCABULARY - VOCAB_SPECIALS);
        f->sentences[b] = (struct sentence){f->ids[b], 1 + (size_t)rng_below(&rng, STEPS)};
        f->ids[b][f->sentences[b].length - 1] = VOCAB_END;
    }
    arena_init(&f->arena);
    arena_init(&f->shared);
    step_weights_init(&f->weights, &f->model, f->params, NULL, &f->shared);
    f->one = (struct ensemble){.members = &f->weights, .count = 1};
    *state = f;
    return network_reset_options(state);
}

int network_tear_down(void **state)
{
    struct network *f = *state;
    arena_release(&f->arena);
    arena_release(&f->shared);
    free(f->params);
    config_release(&f->config);
    free(f);
    return 0;
}

int network_greedy(struct network *f, int b, bool (*may_come)(const struct sentence *source, int word),
                   int *target, double *log_probability)
{
    int length = 0;
    const struct sentence *source = &f->sentences[b];
    const int most = (int)(2.0 * (double)(source->length - 1)) + f->options.extra_length;
    *log_probability = 0;
    target[0] = VOCAB_BEGIN;
    for (;;) {
        target[length + 1] = VOCAB_END; /* any word: only the logits before it are used */
        const struct sentence so_far = {target, (size_t)length + 2};
        const struct batch batch = {.source = source, .target = &so_far, .sents = 1};
        struct packed_seq seq;
        const real *logits =
            seq2seq_logits(&seq, &f->model, f->params, &batch, &f->arena) + length * VOCABULARY;
        double sum = 0;
        int best = VOCAB_END;
        for (int v = VOCAB_END; v < VOCABULARY; v++) {
            sum += exp((double)logits[v]);
            if ((!may_come || may_come(source, v)) && logits[v] > logits[best])
                best = v;
        }
        *log_probability += (double)logits[best] - log(sum);
        if (best == VOCAB_END)
            return length;
        target[++length] = best;
        if (length == most)
            return length;
    }
}

void expect_same(const struct hypothesis *a, const struct hypothesis *b)
{
    assert_int_equal(a->length, b->length);
    assert_memory_equal(a->ids, b->ids, (size_t)a->length * sizeof *a->ids);
    assert_true(fabs(a->score - b->score) < 1e-5);
}
