/* BLEU and chrF against sacreBLEU, BPE against subword-nmt (scripts/make_text_golden.py). */
#include "unit/check.h"

#include "bleu.h"
#include "bpe.h"
#include "chrf.h"
#include "fileio.h"
#include "json.h"
#include "mem.h"
#include "ter.h"
#include "tokenizer.h"

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

/* ---- metrics ---- */

static int texts_of(const char **texts, const struct json *list)
{
    int count = 0;
    for (const struct json *item = json_first(list); item; item = json_next(item))
        texts[count++] = json_string(item);
    return count;
}

static void check_case(const struct json *c)
{
    const char *hypotheses[MOST], *references[MOST][MOST], *of_line[MOST];
    const char *name = json_string(json_member(c, "name"));
    const int lines = texts_of(hypotheses, json_member(c, "hypotheses"));
    int count = 0;
    for (const struct json *r = json_first(json_member(c, "references")); r; r = json_next(r))
        assert_int_equal(texts_of(references[count++], r), lines);
    const bool lowercase = json_bool(json_member(c, "lowercase"));
    struct bleu bleu;
    struct chrf chrf;
    struct ter ter;
    bleu_init(&bleu, (enum mteval_kind)mteval_kind_of(json_string(json_member(c, "tokenize"))), lowercase,
              count);
    chrf_init(&chrf, lowercase, count);
    ter_init(&ter, count);
    for (int i = 0; i < lines; i++) {
        for (int r = 0; r < count; r++)
            of_line[r] = references[r][i];
        bleu_add(&bleu, hypotheses[i], of_line);
        chrf_add(&chrf, hypotheses[i], of_line);
        ter_add(&ter, hypotheses[i], of_line);
    }
    const struct bleu_score s = bleu_score(&bleu);
    char text[256];
    snprintf(text, sizeof text, "%.2f %.1f/%.1f/%.1f/%.1f (BP = %.3f ratio = %.3f hyp_len = %d ref_len = %d)",
             s.score, s.precisions[0], s.precisions[1], s.precisions[2], s.precisions[3], s.brevity_penalty,
             s.ratio, (int)bleu.hypothesis_words, (int)bleu.reference_words);
    print_message("%s\n", name);
    assert_string_equal(text, json_string(json_member(c, "bleu_text")));
    snprintf(text, sizeof text, "%.2f", chrf_score(&chrf));
    assert_string_equal(text, json_string(json_member(c, "chrf_text")));
    snprintf(text, sizeof text, "%.2f", ter_score(&ter));
    assert_string_equal(text, json_string(json_member(c, "ter_text")));

    struct strbuf signature;
    strbuf_init(&signature);
    bleu_signature(&bleu, "x", &signature);
    const char *expected = json_string(json_member(c, "bleu_signature"));
    assert_memory_equal(signature.text, expected, strlen(expected));
    strbuf_reset(&signature);
    chrf_signature(&chrf, "x", &signature);
    expected = json_string(json_member(c, "chrf_signature"));
    assert_memory_equal(signature.text, expected, strlen(expected));
    strbuf_reset(&signature);
    ter_signature(&ter, "x", &signature);
    expected = json_string(json_member(c, "ter_signature"));
    assert_memory_equal(signature.text, expected, strlen(expected));
    strbuf_release(&signature);
}

static void metrics_agree_with_sacrebleu(void **state)
{
    (void)state;
    struct err err;
    char *path = golden_path("metrics.json");
    struct json *root = json_load(path, &err);
    if (!root)
        fail_msg("%s", err.text);
    int cases = 0;
    for (const struct json *c = json_first(json_member(root, "cases")); c; c = json_next(c), cases++)
        check_case(c);
    assert_true(cases >= 20);
    json_free(root);
    free(path);
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
    const struct tokenizer tokenizer = {.kind = TOKENIZE_BY_BLANK, .form = UTF8_AS_IS, .bpe = bpe};
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
    struct err err;
    load(&text, "bpe.text");
    load(&merges, "bpe.merges");
    learn(&bpe, &text, 400);
    char path[] = "/tmp/nmt-test-bpe-XXXXXX";
    const int fd = mkstemp(path);
    assert_true(fd >= 0);
    assert_int_equal(bpe_save(&bpe, path, &err), 0);
    strbuf_init(&saved);
    assert_int_equal(file_slurp(&saved, path, &err), 0);
    assert_string_equal(saved.text, merges.text);
    remove(path);
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
    char *path = golden_path("bpe.merges");
    load(&text, "bpe.text");
    load(&expected, "bpe.segmented");
    bpe_init(&bpe);
    assert_int_equal(bpe_load(&bpe, path, &err), 0);
    segment(&got, &bpe, &text);
    assert_string_equal(got.text, expected.text);
    free(path);
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
        cmocka_unit_test(bpe_learns_like_subword_nmt),
        cmocka_unit_test(bpe_segments_like_subword_nmt),
        cmocka_unit_test(bpe_threshold_splits_like_subword_nmt),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
