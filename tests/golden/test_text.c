/* BLEU, chrF, TER, words of each tokenizer and a paired bootstrap against sacreBLEU, BPE against subword-nmt
 * (tests/golden/make-text-golden). */
#include "unit/check.h"

#include "bpe.h"
#include "fileio.h"
#include "json.h"
#include "mem.h"
#include "metrics.h"
#include "names.h"
#include "significance.h"
#include "tokenizer.h"
#include "word_counts.h"

#include <math.h>

#define MOST 8

static char *golden_path(const char *name)
{
    return xasprintf("%s/golden/%s", getenv("NMT_TEST_DIR"), name);
}

static void load(struct strbuf *text, const char *name)
{
    struct err err;
    char *path = golden_path(name);
    strbuf_init(text);
    if (file_slurp(text, path, &err))
        fail_msg("%s", err.text);
    free(path);
}

static struct json *load_json(const char *name)
{
    struct err err;
    struct strbuf text;
    load(&text, name);
    struct json *root = json_parse(text.text, text.length, name, &err);
    if (!root)
        fail_msg("%s", err.text);
    strbuf_release(&text);
    return root;
}

/* ---- metrics ---- */

static int texts_of(const char **texts, const struct json *list)
{
    int count = 0;
    for (const struct json *item = json_first(list); item; item = json_next(item))
        texts[count++] = json_string(item);
    return count;
}

/* A set of sentences to be scored. */
struct scored_case {
    const char *hypotheses[MOST], *references[MOST][MOST];
    int lines, reference_count;
    struct metric_options options;
};

static void take_case(struct scored_case *set, const struct json *c)
{
    set->lines = texts_of(set->hypotheses, json_member(c, "hypotheses"));
    set->reference_count = 0;
    for (const struct json *r = json_first(json_member(c, "references")); r; r = json_next(r))
        assert_int_equal(texts_of(set->references[set->reference_count++], r), set->lines);
    const bool lowercase = json_bool(json_member(c, "lowercase"));
    set->options = (struct metric_options){
        .tokenize = (enum mteval_kind)names_index(&(BLEU_TOKENIZERS(NAMES_BAR))[1],
                                                  json_string(json_member(c, "tokenize"))),
        .lowercase = lowercase,
        .chrf_lowercase = lowercase};
}

/* Scores sentences from `begin` to `end`. */
static void score(struct metrics *metrics, const struct scored_case *set, int begin, int end)
{
    const char *of_line[MOST];
    metrics_init(metrics, &set->options, set->reference_count);
    for (int i = begin; i < end; i++) {
        for (int r = 0; r < set->reference_count; r++)
            of_line[r] = set->references[r][i];
        metrics_add(metrics, set->hypotheses[i], of_line);
    }
}

/* Without the version. */
static void expect_signature(const struct metrics *metrics, enum metric_place place, bool bootstrap,
                             const struct json *expected)
{
    struct strbuf signature;
    strbuf_init(&signature);
    metric_signature(&signature, place, metrics, bootstrap, "x");
    assert_memory_equal(signature.text, json_string(expected), strlen(json_string(expected)));
    strbuf_release(&signature);
}

static void check_case(const struct json *c)
{
    struct scored_case set;
    struct metrics metrics;
    take_case(&set, c);
    score(&metrics, &set, 0, set.lines);
    const struct bleu_score s = bleu_score(&metrics.bleu);
    char text[256];
    snprintf(text, sizeof text, "%.2f %.1f/%.1f/%.1f/%.1f (BP = %.3f ratio = %.3f hyp_len = %d ref_len = %d)",
             s.score, s.precisions[0], s.precisions[1], s.precisions[2], s.precisions[3], s.brevity_penalty,
             s.ratio, (int)metrics.bleu.hypothesis_words, (int)metrics.bleu.reference_words);
    print_message("%s\n", json_string(json_member(c, "name")));
    assert_string_equal(text, json_string(json_member(c, "bleu_text")));

    for (int m = 0; m < PLACE_COUNT; m++) {
        char key[32];
        snprintf(key, sizeof key, "%s_signature", metric_table[m].key);
        expect_signature(&metrics, (enum metric_place)m, false, json_member(c, key));
        snprintf(key, sizeof key, "%s_text", metric_table[m].key);
        snprintf(text, sizeof text, "%.2f", metric_table[m].score(&metrics));
        assert_memory_equal(text, json_string(json_member(c, key)), strlen(text));
    }
}

static void expect_near(double a, double b)
{
    if (!(fabs(a - b) < 1e-4))
        fail_msg("%g is not %g", a, b);
}

/* chrF++ of a case, and BLEU of each of its sentences. */
static void check_variants(const struct json *c)
{
    struct scored_case set;
    struct metrics metrics;
    take_case(&set, c);
    set.options.chrf_word_order = 2;
    set.options.effective_order = true;
    score(&metrics, &set, 0, set.lines);
    expect_near(metric_table[PLACE_CHRF].score(&metrics), json_number(json_member(c, "chrf++")));
    expect_signature(&metrics, PLACE_CHRF, false, json_member(c, "chrf++_signature"));
    assert_string_equal(metric_table[PLACE_CHRF].name(&metrics), "chrF2++");
    expect_signature(&metrics, PLACE_BLEU, false, json_member(c, "sentence_signature"));
    const struct json *row = json_first(json_member(c, "sentence_bleu"));
    for (int i = 0; i < set.lines; i++, row = json_next(row)) {
        score(&metrics, &set, i, i + 1);
        expect_near(metric_table[PLACE_BLEU].score(&metrics), json_number(row));
    }
    assert_null(row);
}

static void metrics_agree_with_sacrebleu(void **state)
{
    (void)state;
    struct json *root = load_json("metrics.json");
    int cases = 0;
    for (const struct json *c = json_first(json_member(root, "cases")); c; c = json_next(c), cases++) {
        check_case(c);
        check_variants(c);
    }
    assert_true(cases >= 20);
    json_free(root);
}

static void words_agree_with_sacrebleu(void **state)
{
    (void)state;
    struct json *root = load_json("words.json");
    struct strbuf words;
    int cases = 0;
    strbuf_init(&words);
    for (const struct json *c = json_first(json_member(root, "cases")); c; c = json_next(c), cases++)
        for (enum mteval_kind kind = MTEVAL_13A; kind < MTEVAL_AUTO; kind++) {
            const char *text = json_string(json_member(c, "text"));
            strbuf_reset(&words);
            mteval_words(&words, text, strlen(text), kind, false);
            assert_string_equal(words.text, json_string(json_member(c, mteval_name(kind))));
        }
    assert_true(cases >= 200);
    strbuf_release(&words);
    json_free(root);
}

/* One metric of one system: "score", "mean" or "ci". */
static double figure(const struct json *of_metric, const char *name, int system)
{
    const struct json *item = json_first(json_member(of_metric, name));
    for (; system > 0; system--)
        item = json_next(item);
    return json_number(item);
}

static void bootstrap_agrees_with_sacrebleu(void **state)
{
    (void)state;
    enum { LINES = 60 };
    static struct bootstrap samples[2];
    struct json *root = load_json("compare.json");
    const char *references[LINES], *lines[LINES];
    assert_int_equal(texts_of(references, json_member(root, "references")), LINES);
    struct metrics empty;
    metrics_init(&empty, &(struct metric_options){.tokenize = MTEVAL_13A}, 1);
    int s = 0;
    for (const struct json *system = json_first(json_member(root, "systems")); system;
         system = json_next(system), s++) {
        struct metrics sentences[LINES];
        assert_int_equal(texts_of(lines, system), LINES);
        for (int i = 0; i < LINES; i++) {
            sentences[i] = empty;
            metrics_add(&sentences[i], lines[i], &references[i]);
        }
        bootstrap_draw(&samples[s], sentences, LINES, &empty);
    }
    assert_int_equal(s, 2);
    for (int m = 0; m < PLACE_COUNT; m++) {
        const struct json *figures = json_member(json_member(root, "figures"), metric_table[m].key);
        expect_signature(&empty, (enum metric_place)m, true, json_member(figures, "signature"));
        const double difference = figure(figures, "score", 1) - figure(figures, "score", 0);
        for (s = 0; s < 2; s++) {
            const struct interval interval = bootstrap_interval(samples[s].scores[m]);
            expect_near(interval.mean, figure(figures, "mean", s));
            expect_near(interval.half_width, figure(figures, "ci", s));
        }
        expect_near(bootstrap_p_value(samples[1].scores[m], samples[0].scores[m], difference),
                    json_number(json_member(figures, "p_value")));
    }
    json_free(root);
}

static void one_sentence_is_drawn_every_time(void **state)
{
    (void)state;
    static struct bootstrap bootstrap;
    const char *reference = "one of the sentences";
    struct metrics empty, sentence;
    metrics_init(&empty, &(struct metric_options){.tokenize = MTEVAL_13A}, 1);
    sentence = empty;
    metrics_add(&sentence, "one sentence of them", &reference);
    bootstrap_draw(&bootstrap, &sentence, 1, &empty);
    for (int m = 0; m < PLACE_COUNT; m++)
        for (int i = 0; i < BOOTSTRAP_SAMPLES; i++)
            expect_near(bootstrap.scores[m][i], metric_table[m].score(&sentence));
}

static void standard_error_is_that_of_the_difference(void **state)
{
    (void)state;
    double scores[BOOTSTRAP_SAMPLES], baseline[BOOTSTRAP_SAMPLES];
    for (int i = 0; i < BOOTSTRAP_SAMPLES; i++) {
        baseline[i] = 10 + i % 7;
        scores[i] = baseline[i] + 2;
    }
    expect_near(bootstrap_standard_error(scores, baseline), 0);
    for (int i = 0; i < BOOTSTRAP_SAMPLES; i++)
        scores[i] += i % 2 ? 0.5 : -0.5;
    expect_near(bootstrap_standard_error(scores, baseline),
                0.5 * sqrt((double)BOOTSTRAP_SAMPLES / (BOOTSTRAP_SAMPLES - 1)));
}

/* ---- BPE ---- */

static void learn(struct bpe *bpe, const struct strbuf *text, int merges)
{
    struct word_counts counts;
    word_counts_init(&counts);
    for (char *line = text->text, *end; (end = strchr(line, '\n')); line = end + 1)
        word_counts_add(&counts, line, (size_t)(end - line), 1);
    bpe_init(bpe);
    bpe_learn(bpe, &counts.words, counts.counts, merges);
    word_counts_release(&counts);
}

static void segment(struct strbuf *out, const struct bpe *bpe, const struct strbuf *text)
{
    const struct tokenizer tokenizer = {.kind = TOKENIZE_WHITESPACE, .form = UTF8_AS_IS, .bpe = bpe};
    strbuf_init(out);
    for (char *line = text->text, *end; (end = strchr(line, '\n')); line = end + 1) {
        tokenizer_split(out, &tokenizer, line, (size_t)(end - line));
        strbuf_addch(out, '\n');
    }
}

static void bpe_learns_like_subword_nmt(void **state)
{
    (void)state;
    struct strbuf text, merges, saved;
    struct bpe bpe;
    load(&text, "bpe.text");
    load(&merges, "bpe.merges");
    learn(&bpe, &text, 400);
    strbuf_init(&saved);
    bpe_print(&saved, &bpe);
    assert_string_equal(saved.text, merges.text);
    strbuf_release(&saved);
    strbuf_release(&text);
    strbuf_release(&merges);
    bpe_release(&bpe);
}

static void bpe_segments_like_subword_nmt(void **state)
{
    (void)state;
    struct strbuf text, expected, got;
    struct bpe bpe;
    struct err err;
    struct model_files files;
    char *dir = golden_path("");
    load(&text, "bpe.text");
    load(&expected, "bpe.segmented");
    bpe_init(&bpe);
    assert_int_equal(model_files_open(&files, dir, &err), 0);
    assert_int_equal(bpe_load(&bpe, &files, "bpe.merges", &err), 0);
    segment(&got, &bpe, &text);
    assert_string_equal(got.text, expected.text);
    model_files_close(&files);
    free(dir);
    strbuf_release(&text);
    strbuf_release(&expected);
    strbuf_release(&got);
    bpe_release(&bpe);
}

static void bpe_threshold_splits_like_subword_nmt(void **state)
{
    (void)state;
    struct strbuf text, expected, got;
    struct bpe bpe;
    load(&text, "bpe.text");
    load(&expected, "bpe.segmented4");
    learn(&bpe, &text, 400);
    segment(&got, &bpe, &text);
    struct word_counts counts;
    word_counts_init(&counts);
    for (char *line = got.text, *end; (end = strchr(line, '\n')); line = end + 1)
        word_counts_add(&counts, line, (size_t)(end - line), 1);
    for (size_t i = 0; i < counts.words.count; i++)
        if (counts.counts[i] >= 4)
            strmap_intern(&bpe.allowed, strmap_text(&counts.words, (int)i),
                          strmap_length(&counts.words, (int)i));
    strbuf_release(&got);
    segment(&got, &bpe, &text);
    assert_string_equal(got.text, expected.text);
    word_counts_release(&counts);
    strbuf_release(&text);
    strbuf_release(&expected);
    strbuf_release(&got);
    bpe_release(&bpe);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(metrics_agree_with_sacrebleu),
        cmocka_unit_test(words_agree_with_sacrebleu),
        cmocka_unit_test(bootstrap_agrees_with_sacrebleu),
        cmocka_unit_test(one_sentence_is_drawn_every_time),
        cmocka_unit_test(standard_error_is_that_of_the_difference),
        cmocka_unit_test(bpe_learns_like_subword_nmt),
        cmocka_unit_test(bpe_segments_like_subword_nmt),
        cmocka_unit_test(bpe_threshold_splits_like_subword_nmt),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
