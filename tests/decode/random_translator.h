/* random_translator: a translator with a random network over two vocabularies of letters, for tests. */
#ifndef NMT_TEST_RANDOM_TRANSLATOR_H
#define NMT_TEST_RANDOM_TRANSLATOR_H

#include "unit/check.h"

#include "mat.h"
#include "mem.h"
#include "params.h"
#include "translate.h"
#include "word_counts.h"

struct fixture {
    struct config config;
    struct loaded_model loaded;
    real *params;
    struct translate_options options;
    struct ensemble ensemble;
    struct translator translator;
};

static inline void learn_letters(struct vocab *vocab, const char *letters)
{
    struct word_counts counts;
    word_counts_init(&counts);
    word_counts_add(&counts, letters, strlen(letters), 1);
    vocab_build(vocab, &counts.words, counts.counts, 0, 1);
    word_counts_release(&counts);
}

/* Makes a model without a directory. Returns its parameters, which the caller frees. */
static inline real *make_model(struct loaded_model *loaded, const struct config *config, const char *letters)
{
    real *params;
    memset(loaded, 0, sizeof *loaded);
    loaded->files.path = xstrdup("models/random");
    language_pair_init(&loaded->pair, config);
    for (int side = 0; side < SIDES; side++)
        learn_letters(&loaded->pair.vocab[side], letters);
    seq2seq_init(&loaded->model, config, (size_t)vocab_size(&loaded->pair.vocab[SOURCE]),
                 (size_t)vocab_size(&loaded->pair.vocab[TARGET]));
    params = xmalloc(loaded->model.layout.total, sizeof *params);
    params_randomize(params, &loaded->model.layout, 1);
    loaded->weights.values = params;
    return params;
}

static inline void release_model(struct loaded_model *loaded)
{
    language_pair_release(&loaded->pair);
    free(loaded->files.path);
}

static inline int set_up(void **state)
{
    static const char *const settings[] = {"text.tokenizer=char",   "text.protect=false",
                                           "model.embedding=8",     "model.encoder.units=6",
                                           "model.decoder.units=7", "model.attention.units=5"};
    struct fixture *f = xcalloc(1, sizeof *f);
    struct err err;
    mat_begin(1);
    config_init(&f->config);
    for (size_t i = 0; i < sizeof settings / sizeof settings[0]; i++)
        if (config_set(&f->config, settings[i], &err))
            return -1;
    f->params = make_model(&f->loaded, &f->config, "a b c d e f g h");
    translate_options_init(&f->options, &f->config);
    f->options.beam.beam = 2;
    if (ensemble_open(&f->ensemble, &f->loaded, 1, &err))
        return -1;
    translator_init(&f->translator, &f->ensemble, &f->options);
    *state = f;
    return 0;
}

static inline int tear_down(void **state)
{
    struct fixture *f = *state;
    translator_release(&f->translator);
    ensemble_release(&f->ensemble);
    release_model(&f->loaded);
    free(f->params);
    config_release(&f->config);
    free(f);
    return 0;
}

static inline void add_lines(struct lines *lines, const char *const *texts)
{
    for (; *texts; texts++)
        lines_add(lines, *texts, strlen(*texts));
}

static inline void release_all(struct translations *out, struct lines *lines)
{
    for (size_t i = 0; i < lines->count; i++)
        translations_release(&out[i]);
    lines_release(lines);
}

#define WITH_MODEL(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

#endif
