/* What ensemble_drop_weights frees of a model whose parameters fill many pages: numbers that are not read
 * any more, in each precision of a file and of translation. */
#define _DEFAULT_SOURCE /* mincore */
#include "unit/check.h"

#include "beam.h"
#include "mem.h"
#include "params.h"
#include "vocab.h"

#include <sys/mman.h>
#include <unistd.h>

enum { VOCABULARY = 3000, SENTS = 3, LENGTH = 6, BEAM = 3 };

struct taken {
    struct loaded_model loaded;
    float *values; /* [total] */
    size_t bytes;
    bool filled;
    struct arena arena;
    int ids[SENTS][LENGTH];
    struct sentence sentences[SENTS];
};

static int set_up(void **state)
{
    static const char *const settings[] = {"model.embedding=64", "model.encoder.units=64",
                                           "model.decoder.units=64", "model.attention.units=64",
                                           "model.tie=none"};
    struct taken *t = xcalloc(1, sizeof *t);
    struct loaded_model *loaded = &t->loaded;
    struct err err;
    config_init(&loaded->config);
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++)
        assert_int_equal(config_set(&loaded->config, settings[i], &err), 0);
    seq2seq_init(&loaded->model, &loaded->config, VOCABULARY, VOCABULARY);
    t->bytes = loaded->model.layout.total * sizeof *t->values;
    t->values = loaded->weights.values = mem_pages(t->bytes, false);
    params_randomize(t->values, &loaded->model.layout, 3);
    loaded->weights.filled = &t->filled;
    arena_init(&t->arena);
    for (int b = 0; b < SENTS; b++) {
        for (int i = 0; i < LENGTH; i++)
            t->ids[b][i] = VOCAB_SPECIALS + 997 * (b + 1) * (i + 1) % (VOCABULARY - VOCAB_SPECIALS);
        t->ids[b][LENGTH - 1] = VOCAB_END;
        t->sentences[b] = (struct sentence){t->ids[b], LENGTH};
    }
    *state = t;
    return 0;
}

static int tear_down(void **state)
{
    struct taken *t = *state;
    mem_pages_free(t->values, t->bytes);
    arena_release(&t->arena);
    config_release(&t->loaded.config);
    xfree(t);
    return 0;
}

/* The part of the float32 numbers that is in memory. */
static double resident(const struct taken *t)
{
    const size_t page = (size_t)sysconf(_SC_PAGESIZE), pages = (t->bytes + page - 1) / page;
    unsigned char *in_memory = xcalloc(pages, 1);
    size_t count = 0;
    assert_int_equal(mincore(t->values, t->bytes, in_memory), 0);
    for (size_t i = 0; i < pages; i++)
        count += in_memory[i] & 1;
    xfree(in_memory);
    return (double)count / (double)pages;
}

static void search(struct hypothesis best[SENTS], struct taken *t, const struct ensemble *ensemble)
{
    const struct beam_options options = {
        .beam = BEAM, .n_best = 1, .length_penalty = 1, .min_length = 4, .max_length_ratio = 2};
    int found[SENTS];
    assert_int_equal(beam_search(best, found, ensemble, t->sentences, SENTS, &options, &t->arena), 0);
}

/* Translations are the same before and after; at most the parts `before` and `after` of the float32
 * numbers are in memory. */
static void take(struct taken *t, enum decoding_precision precision, double before, double after)
{
    struct ensemble ensemble;
    struct err err;
    struct hypothesis best[2][SENTS];
    t->loaded.config.decoding.precision = precision;
    assert_int_equal(ensemble_open(&ensemble, &t->loaded, 1, &err), 0);
    search(best[0], t, &ensemble);
    assert_true(resident(t) <= before);
    ensemble_drop_weights(&ensemble, &t->loaded);
    assert_true(resident(t) <= after);
    search(best[1], t, &ensemble);
    for (int b = 0; b < SENTS; b++) {
        const struct hypothesis *x = &best[0][b], *y = &best[1][b];
        assert_true(x->length == y->length && x->score == y->score && x->end != END_OVERFLOW);
        assert_memory_equal(x->ids, y->ids, (size_t)x->length * sizeof *x->ids);
    }
    ensemble_release(&ensemble);
}

/* Of float32, the embeddings of both sides are read, half of all numbers; without kernels for the
 * processor, all. */
static double embeddings(void)
{
    return prepacked_needs_blas() ? 1 : 0.6;
}

static void float32(void **state)
{
    take(*state, DECODE_AUTO, 1, embeddings());
}

static void float32_as_int8(void **state)
{
    take(*state, DECODE_INT8, 1, 0.05);
}

/* As an int8 file gives them: the other numbers alone are in memory. */
static void make_int8(struct taken *t)
{
    struct weights *weights = &t->loaded.weights;
    const struct layout *layout = &t->loaded.model.layout;
    const struct weights floats = {.values = t->values};
    weights_quantise(&weights->quantised, &floats, layout, &t->arena);
    t->values = mem_pages(t->bytes, false);
    for (size_t i = 0; i < layout->count; i++)
        if (!param_is_matrix(&layout->params[i]))
            memcpy(t->values + layout->params[i].offset, floats.values + layout->params[i].offset,
                   param_size(&layout->params[i]) * sizeof *t->values);
    mem_pages_free(floats.values, t->bytes);
    weights->values = t->values;
    weights->quantised.params = t->values;
}

static void int8(void **state)
{
    make_int8(*state);
    take(*state, DECODE_AUTO, 0.05, 0.05);
}

static void int8_as_float32(void **state)
{
    make_int8(*state);
    take(*state, DECODE_FLOAT32, 1, embeddings());
}

#define TAKEN_TEST(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TAKEN_TEST(float32),
        TAKEN_TEST(float32_as_int8),
        TAKEN_TEST(int8),
        TAKEN_TEST(int8_as_float32),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
