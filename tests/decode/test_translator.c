/* The translator with a random network over two vocabularies of letters: output lines and counters. */
#include "unit/check.h"

#include "mat.h"
#include "mem.h"
#include "params.h"
#include "translate_on_ranks.h"

#include <math.h>

struct fixture {
    struct config config;
    struct loaded_model loaded;
    real *params;
    struct translate_options options;
    struct ensemble ensemble;
    struct translator translator;
};

static void learn_letters(struct vocab *vocab, const char *letters)
{
    struct word_counts counts;
    word_counts_init(&counts);
    word_counts_add(&counts, letters, strlen(letters), 1);
    vocab_build(vocab, &counts.words, counts.counts, 0, 1);
    word_counts_release(&counts);
}

/* Makes a model without a directory. Returns its parameters, which the caller frees. */
static real *make_model(struct loaded_model *loaded, const struct config *config, const char *letters)
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

static void release_model(struct loaded_model *loaded)
{
    language_pair_release(&loaded->pair);
    free(loaded->files.path);
}

static int set_up(void **state)
{
    static const char *const settings[] = {"text.tokenizer=char", "model.embedding=8",
                                           "model.encoder.units=6", "model.decoder.units=7",
                                           "model.attention.units=5"};
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

static int tear_down(void **state)
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

static void add_lines(struct lines *lines, const char *const *texts)
{
    for (; *texts; texts++)
        lines_add(lines, *texts, strlen(*texts));
}

static void release_all(struct translations *out, struct lines *lines)
{
    for (size_t i = 0; i < lines->count; i++)
        translations_release(&out[i]);
    lines_release(lines);
}

static void each_line_has_one_translation_in_its_place(void **state)
{
    struct fixture *f = *state;
    static const char *const texts[] = {"abc", "", "hgfedcba", "  ", "b", NULL};
    struct lines lines = {.count = 0};
    struct translations together[5] = {{NULL, 0}}, alone[1] = {{NULL, 0}};
    add_lines(&lines, texts);
    translator_run(&f->translator, together, &lines, NULL, NULL);
    for (size_t i = 0; i < lines.count; i++) {
        const struct lines one = lines_view(&lines, i, 1);
        assert_int_equal(together[i].count, 1);
        translator_run(&f->translator, alone, &one, NULL, NULL);
        assert_string_equal(together[i].best[0].text, alone[0].best[0].text);
        translations_release(alone);
    }
    assert_string_equal(together[1].best[0].text, "");
    assert_string_equal(together[3].best[0].text, "");
    assert_int_equal(together[2].best[0].source_length, 9); /* eight letters and the end mark */
    assert_int_equal(f->translator.source_tokens, 2 * (4 + 9 + 2));
    release_all(together, &lines);
}

static void n_best_fall_in_score(void **state)
{
    struct fixture *f = *state;
    static const char *const texts[] = {"abc", "defgh", NULL};
    struct lines lines = {.count = 0};
    struct translations out[2] = {{NULL, 0}};
    f->translator.options.beam.beam = f->translator.options.beam.n_best = 4;
    add_lines(&lines, texts);
    translator_run(&f->translator, out, &lines, NULL, NULL);
    for (size_t i = 0; i < lines.count; i++) {
        assert_int_equal(out[i].count, 4);
        for (int k = 1; k < 4; k++) {
            assert_true(out[i].best[k].score <= out[i].best[k - 1].score);
            assert_true(strcmp(out[i].best[k].subwords, out[i].best[k - 1].subwords) != 0);
        }
    }
    release_all(out, &lines);
}

static void translations_begin_with_their_prefixes(void **state)
{
    struct fixture *f = *state;
    static const char *const texts[] = {"abc", "d", NULL}, *const begin[] = {"hh", "", NULL};
    struct lines lines = {.count = 0}, prefixes = {.count = 0};
    struct translations out[2] = {{NULL, 0}};
    add_lines(&lines, texts);
    add_lines(&prefixes, begin);
    translator_run(&f->translator, out, &lines, &prefixes, NULL);
    assert_int_equal(strncmp(out[0].best[0].text, "hh", 2), 0);
    lines_release(&prefixes);
    release_all(out, &lines);
}

static void what_is_no_text_is_repaired_and_counted(void **state)
{
    struct fixture *f = *state;
    static const char *const texts[] = {"a\xff", "abc", NULL};
    struct lines lines = {.count = 0};
    struct translations out[2] = {{NULL, 0}};
    add_lines(&lines, texts);
    translator_run(&f->translator, out, &lines, NULL, NULL);
    assert_int_equal(f->translator.repaired_lines, 1);
    assert_int_equal(out[0].best[0].source_length, 3); /* a, U+FFFD, end mark */
    release_all(out, &lines);
}

static void long_lines_are_cut_and_counted(void **state)
{
    struct fixture *f = *state;
    static const char *const texts[] = {"abcdefgh", "abc", "abcd", NULL};
    struct lines lines = {.count = 0};
    struct translations out[3] = {{NULL, 0}};
    f->translator.options.max_tokens = 3;
    add_lines(&lines, texts);
    translator_run(&f->translator, out, &lines, NULL, NULL);
    assert_int_equal(f->translator.cut_lines, 2);
    assert_string_equal(out[0].best[0].text, out[1].best[0].text); /* the rest of it is not read */
    release_all(out, &lines);
}

static void attention_comes_where_it_is_asked_for(void **state)
{
    struct fixture *f = *state;
    static const char *const texts[] = {"abc", "", NULL};
    struct lines lines = {.count = 0};
    struct translations out[2] = {{NULL, 0}};
    add_lines(&lines, texts);
    translator_run(&f->translator, out, &lines, NULL, NULL);
    assert_null(out[0].best[0].alpha);
    assert_null(out[0].best[0].source);
    for (size_t i = 0; i < lines.count; i++)
        translations_release(&out[i]);
    f->translator.options.beam.alignment = true;
    translator_run(&f->translator, out, &lines, NULL, NULL);
    const struct translation *t = &out[0].best[0];
    for (int i = 0; i < t->length - 1; i++) {
        float sum = 0;
        for (int j = 0; j < t->source_length; j++)
            sum += t->alpha[i * t->source_length + j];
        assert_true(fabsf(sum - 1) < 1e-5f);
    }
    assert_non_null(strstr(t->source, "a b c"));
    assert_null(out[1].best[0].alpha); /* an empty line has none */
    release_all(out, &lines);
}

static void count_lines(void *context, int lines)
{
    int *last = context;
    assert_true(lines > *last);
    *last = lines;
}

static void the_best_of_all_ranks_are_those_of_a_run(void **state)
{
    struct fixture *f = *state;
    static const char *const texts[] = {"abc", "", "hgfe", NULL};
    struct lines lines = {.count = 0}, best = {.count = 0};
    struct translations out[3] = {{NULL, 0}};
    int finished = 0;
    add_lines(&lines, texts);
    lines_add(&best, "there before", 12);
    translate_on_ranks(&best, &f->translator, &lines, &RANKS_ALONE,
                       &(struct translation_watch){count_lines, &finished});
    translator_run(&f->translator, out, &lines, NULL, NULL);
    assert_int_equal(finished, 3);
    assert_int_equal(best.count, 4);
    for (int i = 0; i < 3; i++)
        assert_string_equal(best.text[1 + i], out[i].best[0].text);
    lines_release(&best);
    release_all(out, &lines);
}

static void an_ensemble_must_see_the_same_words(void **state)
{
    struct fixture *f = *state;
    struct loaded_model members[2] = {f->loaded};
    struct ensemble ensemble;
    struct err err;
    real *params = make_model(&members[1], &f->config, "a b c d e f g h");
    assert_int_equal(ensemble_open(&ensemble, members, 2, &err), 0);
    assert_int_equal(ensemble.count, 2);
    ensemble_release(&ensemble);
    release_model(&members[1]);
    free(params);
    params = make_model(&members[1], &f->config, "a b c d e f g i");
    assert_int_equal(ensemble_open(&ensemble, members, 2, &err), -1);
    assert_non_null(strstr(err.text, "cannot translate with 'models/random' beside the first model"));
    release_model(&members[1]);
    free(params);
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

#define WITH_MODEL(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_MODEL(each_line_has_one_translation_in_its_place),
        WITH_MODEL(n_best_fall_in_score),
        WITH_MODEL(translations_begin_with_their_prefixes),
        WITH_MODEL(what_is_no_text_is_repaired_and_counted),
        WITH_MODEL(long_lines_are_cut_and_counted),
        WITH_MODEL(attention_comes_where_it_is_asked_for),
        WITH_MODEL(the_best_of_all_ranks_are_those_of_a_run),
        WITH_MODEL(an_ensemble_must_see_the_same_words),
        cmocka_unit_test(the_search_does_what_the_config_says),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
