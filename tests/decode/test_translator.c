/* The translator with a random network over two vocabularies of letters: output lines and counters. */
#include "random_translator.h"

#include "scoring.h"
#include "translate_on_ranks.h"

#include <math.h>
#include <pthread.h>

static void each_line_has_one_translation_in_its_place(void **state)
{
    struct fixture *f = *state;
    static const char *const texts[] = {"abc", "", "hgfedcba", "  ", "b", NULL};
    struct lines lines = {.count = 0};
    struct translations together[5] = {{NULL, 0}}, alone[1] = {{NULL, 0}};
    add_lines(&lines, texts);
    translator_run(&f->translator, together, &lines, NULL, NULL, NULL);
    for (size_t i = 0; i < lines.count; i++) {
        const struct lines one = lines_view(&lines, i, 1);
        assert_int_equal(together[i].count, 1);
        translator_run(&f->translator, alone, &one, NULL, NULL, NULL);
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
    translator_run(&f->translator, out, &lines, NULL, NULL, NULL);
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
    translator_run(&f->translator, out, &lines, &prefixes, NULL, NULL);
    assert_int_equal(strncmp(out[0].best[0].text, "hh", 2), 0);
    lines_release(&prefixes);
    release_all(out, &lines);
}

static void what_is_no_text_is_repaired_and_counted(void **state)
{
    struct fixture *f = *state;
    static const char *const texts[] = {"a\xff", "abc", "abc", NULL}, *const begin[] = {"a\xff", "a\xff", "a",
                                                                                        NULL};
    struct lines lines = {.count = 0}, prefixes = {.count = 0};
    struct translations out[3] = {{NULL, 0}};
    add_lines(&lines, texts);
    add_lines(&prefixes, begin);
    translator_run(&f->translator, out, &lines, NULL, NULL, NULL);
    assert_int_equal(f->translator.repaired_lines, 1);
    assert_int_equal(out[0].best[0].source_length, 3); /* a, U+FFFD, end mark */
    for (size_t i = 0; i < lines.count; i++)
        translations_release(&out[i]);
    f->translator.repaired_lines = 0;
    translator_run(&f->translator, out, &lines, &prefixes, NULL, NULL);
    assert_int_equal(f->translator.repaired_lines, 2); /* a line counts once */
    assert_true(out[1].best->repaired && !out[2].best->repaired);
    lines_release(&prefixes);
    release_all(out, &lines);
}

static void attention_comes_where_it_is_asked_for(void **state)
{
    struct fixture *f = *state;
    static const char *const texts[] = {"abc", "", NULL};
    struct lines lines = {.count = 0};
    struct translations out[2] = {{NULL, 0}};
    add_lines(&lines, texts);
    translator_run(&f->translator, out, &lines, NULL, NULL, NULL);
    assert_null(out[0].best[0].alpha);
    assert_null(out[0].best[0].source);
    for (size_t i = 0; i < lines.count; i++)
        translations_release(&out[i]);
    f->translator.options.beam.alignment = true;
    translator_run(&f->translator, out, &lines, NULL, NULL, NULL);
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
                       &(struct translation_watch){.done = count_lines, .context = &finished});
    translator_run(&f->translator, out, &lines, NULL, NULL, NULL);
    assert_int_equal(finished, 3);
    assert_int_equal(best.count, 4);
    for (int i = 0; i < 3; i++)
        assert_string_equal(best.text[1 + i], out[i].best[0].text);
    lines_release(&best);
    release_all(out, &lines);
}

static void expect_same_translations(const struct translations *a, const struct translations *b)
{
    assert_int_equal(a->count, b->count);
    for (int k = 0; k < a->count; k++) {
        const struct translation *x = &a->best[k], *y = &b->best[k];
        assert_string_equal(x->text, y->text);
        assert_string_equal(x->subwords, y->subwords);
        assert_true(x->score == y->score && x->length == y->length && x->end == y->end);
        assert_memory_equal(x->token_log_probabilities, y->token_log_probabilities,
                            (size_t)x->length * sizeof(float));
    }
}

static void it_is_told_why_a_translation_ends(void **state)
{
    struct fixture *f = *state;
    static const char *const texts[] = {"abc", "cba", "", NULL};
    struct lines lines = {.count = 0};
    struct translations out[3];
    f->translator.options.beam.min_length = 1000;
    f->translator.options.beam.max_length_ratio = 0;
    f->translator.options.keep_source = true;
    add_lines(&lines, texts);
    translator_run(&f->translator, out, &lines, NULL, NULL, NULL);
    for (int i = 0; i < 3; i++) {
        const struct translation *t = out[i].best;
        assert_int_equal(t->end, i < 2 ? END_LIMIT : END_MARK);
        if (i < 2) {
            assert_string_equal(t->source, i ? "c b a" : "a b c"); /* what was read, also without alignment */
            assert_true(t->length == 11 && t->token_log_probabilities[10] == 0);
        }
    }
    release_all(out, &lines);
}

/* The scores of nmt score for the same pairs. scores [pairs][`most`] */
static void teacher_forced(real *scores, size_t most, const struct loaded_model *loaded,
                           const struct lines *sources, const struct lines *targets)
{
    struct corpus corpus;
    size_t begin[16];
    corpus_init(&corpus);
    for (size_t i = 0; i < sources->count; i++) {
        const char *const text[SIDES] = {[SOURCE] = sources->text[i], [TARGET] = targets->text[i]};
        assert_true(corpus_add_text(&corpus, loaded->pair.tokenizer, text, 100));
        begin[i] = i * most;
    }
    corpus_scores(scores, begin, &loaded->model, weights_floats(&loaded->weights), &corpus, 1);
    corpus_release(&corpus);
}

static void given_pairs_have_the_scores_of_teacher_forcing(void **state)
{
    struct fixture *f = *state;
    enum { PAIRS = 5, MOST = 12 };
    static const char *const from[] = {"abc", "", "hgfedcba", "b", "aaaa", NULL}, *const to[] = {
                                                                                      "cab",      "ab",
                                                                                      "",         "xyz",
                                                                                      "abcdefgh", NULL};
    struct lines sources = {.count = 0}, targets = {.count = 0};
    struct loaded_model models[2] = {f->loaded};
    struct translations out[PAIRS];
    real *params = make_model(&models[1], &f->config, "a b c d e f g h"), scores[2][PAIRS * MOST];
    for (size_t i = 0; i < models[1].model.layout.total; i++)
        params[i] *= 2; /* another model */
    add_lines(&sources, from);
    add_lines(&targets, to);
    for (int m = 0; m < 2; m++)
        teacher_forced(scores[m], MOST, &models[m], &sources, &targets);
    for (int count = 1; count <= 2; count++) {
        struct ensemble ensemble;
        struct translator translator;
        assert_int_equal(ensemble_open(&ensemble, models, count, NULL), 0);
        f->options.beam.alignment = count == 1;
        translator_init(&translator, &ensemble, &f->options);
        assert_int_equal(translator_score(&translator, out, &sources, &targets, NULL, NULL), 0);
        for (int i = 0; i < PAIRS; i++) {
            const struct translation *t = out[i].best;
            double sum = 0;
            assert_true(out[i].count == 1 && t->end == END_MARK);
            assert_string_equal(t->text, to[i]); /* also x, y and z, which it does not know */
            assert_int_equal(t->length, strlen(to[i]) + 1);
            for (int k = 0; k < t->length; k++) {
                const double a = (double)scores[0][i * MOST + k], b = (double)scores[1][i * MOST + k],
                             expected = count == 1 ? a : log((exp(a) + exp(b)) / 2);
                assert_true(fabs((double)t->token_log_probabilities[k] - expected) < 1e-4);
                sum += expected;
            }
            assert_true(fabs(t->terms.log_probability - sum) < 1e-4);
            assert_int_equal(t->alpha != NULL, count == 1);
            translations_release(&out[i]);
        }
        translator_release(&translator);
        ensemble_release(&ensemble);
    }
    lines_release(&sources);
    lines_release(&targets);
    release_model(&models[1]);
    free(params);
}

/* As much of it as could be scored. */
static void a_given_translation_may_end_early(void **state)
{
    struct fixture *f = *state;
    static const char *const from[] = {"abc", NULL}, *const to[] = {"abcdefghabcdefgh", NULL};
    struct lines sources = {.count = 0}, targets = {.count = 0};
    struct translations out[1];
    real *biases = f->params + f->loaded.model.readout.output.bias;
    for (size_t v = 0; v < f->loaded.model.target_vocabulary; v++)
        biases[v] = NAN;
    add_lines(&sources, from);
    add_lines(&targets, to);
    assert_int_equal(translator_score(&f->translator, out, &sources, &targets, NULL, NULL), 0);
    const struct translation *t = out[0].best;
    assert_true(t->end == END_OVERFLOW && t->length == 1);
    assert_string_equal(t->subwords, "");
    assert_int_equal(f->translator.overflowed_lines, 1);
    lines_release(&targets);
    release_all(out, &sources);
}

/* A translation that is scored again has the tokens' scores of the search, but for the words excluded
 * there. */
static void a_translation_is_scored_as_it_was_found(void **state)
{
    struct fixture *f = *state;
    static const char *const texts[] = {"abc", "hgfe", NULL};
    struct lines lines = {.count = 0}, targets = {.count = 0};
    struct translations out[2], again[2];
    real *biases = f->params + f->loaded.model.readout.output.bias;
    biases[VOCAB_BEGIN] = biases[VOCAB_UNKNOWN] = -100; /* no probability, as training leaves them little */
    add_lines(&lines, texts);
    translator_run(&f->translator, out, &lines, NULL, NULL, NULL);
    for (int i = 0; i < 2; i++)
        lines_add(&targets, out[i].best->text, strlen(out[i].best->text));
    translator_score(&f->translator, again, &lines, &targets, NULL, NULL);
    for (int i = 0; i < 2; i++) {
        const struct translation *x = out[i].best, *y = again[i].best;
        assert_int_equal(x->length, y->length);
        for (int k = 0; k < x->length - (x->end != END_MARK); k++)
            assert_true(fabsf(x->token_log_probabilities[k] - y->token_log_probabilities[k]) < 1e-4f);
        translations_release(&again[i]);
    }
    lines_release(&targets);
    release_all(out, &lines);
}

/* Asked to stop after some questions. */
struct patience {
    int left, finished;
};

static bool is_over(void *context)
{
    struct patience *patience = context;
    return patience->left-- <= 0;
}

static void count_finished(void *context, int lines)
{
    struct patience *patience = context;
    patience->finished = lines;
}

static void a_run_can_be_cancelled(void **state)
{
    struct fixture *f = *state;
    static const char *const texts[] = {"abc", "hgfedcba", "", "b", "cde", "ef", NULL};
    struct lines lines = {.count = 0};
    struct translations out[6], whole[6];
    struct translator translator;
    struct err err;
    add_lines(&lines, texts);
    translator_run(&f->translator, whole, &lines, NULL, NULL, NULL);
    f->options.threads = 2;
    f->options.batch = 2;
    translator_init(&translator, &f->ensemble, &f->options);
    int status = -1, cancelled = 0;
    for (int left = 0; status; left = 2 * left + 1) {
        struct patience patience = {left, 0};
        const struct translation_watch watch = {count_finished, is_over, &patience};
        status = translator_run(&translator, out, &lines, NULL, &watch, &err);
        if (status) {
            assert_string_equal(err.text, "cancelled");
            assert_null(out[0].best); /* nothing is left to release */
            assert_true(patience.finished < 6);
            cancelled++;
        } else {
            assert_true(patience.left >= 0 && patience.finished == 6);
        }
    }
    assert_true(cancelled > 2);
    for (int i = 0; i < 6; i++) { /* the translator is as good as before */
        assert_string_equal(out[i].best->text, whole[i].best->text);
        translations_release(&whole[i]);
    }
    translator_release(&translator);
    release_all(out, &lines);
}

/* A translator in a thread of its own. */
struct user {
    const struct fixture *fixture;
    const struct lines *lines;
    struct translations out[20][4];
    pthread_t thread;
};

static void *use(void *context)
{
    struct user *user = context;
    struct translator translator;
    translator_init(&translator, &user->fixture->ensemble, &user->fixture->options);
    for (int i = 0; i < 20; i++)
        translator_run(&translator, user->out[i], user->lines, NULL, NULL, NULL);
    translator_release(&translator);
    return NULL;
}

static void threads_share_an_ensemble(void **state)
{
    struct fixture *f = *state;
    static const char *const texts[] = {"abc", "", "hgfedcba", "b\xff", NULL};
    struct lines lines = {.count = 0};
    struct translations alone[4];
    struct user users[3];
    f->options.beam.alignment = true;
    f->options.beam.n_best = 2;
    f->options.threads = 2;
    add_lines(&lines, texts);
    for (int u = 0; u < 3; u++) {
        users[u].fixture = f;
        users[u].lines = &lines;
        assert_int_equal(pthread_create(&users[u].thread, NULL, use, &users[u]), 0);
    }
    f->translator.options.beam.n_best = 2;
    translator_run(&f->translator, alone, &lines, NULL, NULL, NULL);
    for (int u = 0; u < 3; u++) {
        pthread_join(users[u].thread, NULL);
        for (int i = 0; i < 20; i++)
            for (int k = 0; k < 4; k++) {
                expect_same_translations(&users[u].out[i][k], &alone[k]);
                translations_release(&users[u].out[i][k]);
            }
    }
    release_all(alone, &lines);
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
                                           "decoding.seed=9",           "decoding.max_length_ratio=3",
                                           "decoding.max_repetitions=5"};
    struct config config;
    struct err err;
    struct translate_options options;
    const struct beam_options *beam = &options.beam;
    config_init(&config);
    translate_options_init(&options, &config);
    assert_false(beam->wu || beam->sampled);
    assert_int_equal(beam->max_repetitions, 2);
    for (size_t i = 0; i < sizeof settings / sizeof settings[0]; i++)
        assert_int_equal(config_set(&config, settings[i], &err), 0);
    translate_options_init(&options, &config);
    assert_true(beam->wu && beam->sampled);
    assert_true(beam->beam == 7 && beam->min_length == 2 && beam->block_ngrams == 3 && beam->seed == 9);
    assert_int_equal(beam->max_repetitions, 5);
    assert_true(beam->length_penalty == 0.25 && beam->coverage_penalty == 0.5 && beam->max_length_ratio == 3);
    assert_true(beam->sample.temperature == 2 && beam->sample.top_k == 5 && beam->sample.nucleus == 0.75);
    config_release(&config);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_MODEL(each_line_has_one_translation_in_its_place),
        WITH_MODEL(n_best_fall_in_score),
        WITH_MODEL(translations_begin_with_their_prefixes),
        WITH_MODEL(what_is_no_text_is_repaired_and_counted),
        WITH_MODEL(attention_comes_where_it_is_asked_for),
        WITH_MODEL(the_best_of_all_ranks_are_those_of_a_run),
        WITH_MODEL(it_is_told_why_a_translation_ends),
        WITH_MODEL(given_pairs_have_the_scores_of_teacher_forcing),
        WITH_MODEL(a_given_translation_may_end_early),
        WITH_MODEL(a_translation_is_scored_as_it_was_found),
        WITH_MODEL(a_run_can_be_cancelled),
        WITH_MODEL(threads_share_an_ensemble),
        WITH_MODEL(an_ensemble_must_see_the_same_words),
        cmocka_unit_test(the_search_does_what_the_config_says),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
