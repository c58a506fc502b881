/* Alignments: subwords joined to words, links, pictures, and comparison with reference links. */
#include "check.h"

#include "alignment.h"
#include "mem.h"
#include "temporary.h"
#include "writer.h"

#include <math.h>
#include <unistd.h>

/* A language pair with the default tokenizers; the tests supply words and subwords. */
static int make_pair(void **state)
{
    static struct config config;
    struct language_pair *pair = xcalloc(1, sizeof *pair);
    config_init(&config);
    language_pair_init(pair, &config);
    config_release(&config);
    *state = pair;
    return 0;
}

static int free_pair(void **state)
{
    language_pair_release(*state);
    free(*state);
    return 0;
}

static const char *const subwords[SIDES] = {[SOURCE] = "a b@@ c", [TARGET] = "x@@ y z"};

/* [mean, head 1, head 2][x@@ y z </s>][a b@@ c </s>] */
static const real weights[3 * 4 * 4] = {
    0.1f, 0.2f, 0.3f, 0.4f, 0.5f,  0.1f,  0.1f,  0.3f,
    0.7f, 0.1f, 0.1f, 0.1f, 0,     0,     0,     1, /* mean */
    1,    0,    0,    0,    1,     0,     0,     0,
    1,    0,    0,    0,    1,     0,     0,     0, /* head 1 */
    0,    1,    0,    0,    0,     1,     0,     0,
    0,    1,    0,    0,    0.25f, 0.25f, 0.25f, 0.25f, /* head 2 */
};

static void expect_weights(const float *found, const double *expected, int count)
{
    for (int i = 0; i < count; i++)
        assert_true(fabs((double)found[i] - expected[i]) < 1e-6);
}

static void subwords_stay_as_they_are(void **state)
{
    struct alignment alignment;
    double expected[3 * 16];
    alignment_init(&alignment, *state, subwords, weights, 2, false);
    assert_int_equal(alignment.tokens[SOURCE].count, 4);
    assert_int_equal(alignment.tokens[TARGET].count, 4);
    assert_string_equal(alignment.tokens[SOURCE].text[3], "</s>");
    assert_string_equal(alignment.text[SOURCE], "a bc");
    assert_string_equal(alignment.text[TARGET], "xy z");
    for (int i = 0; i < 3 * 16; i++)
        expected[i] = (double)weights[i];
    expect_weights(alignment.weights, expected, 3 * 16);
    alignment_release(&alignment);
}

/* The mean over a target word's subwords, the sum over a source word's. */
static void words_are_put_together(void **state)
{
    static const double expected[3 * 9] = {
        0.3, 0.35, 0.35, 0.7, 0.2, 0.1, 0,    0,   1,    /* mean */
        1,   0,    0,    1,   0,   0,   1,    0,   0,    /* head 1 */
        0,   1,    0,    0,   1,   0,   0.25, 0.5, 0.25, /* head 2 */
    };
    struct alignment alignment;
    alignment_init(&alignment, *state, subwords, weights, 2, true);
    assert_int_equal(alignment.heads, 2);
    assert_int_equal(alignment.tokens[SOURCE].count, 3);
    assert_int_equal(alignment.tokens[TARGET].count, 3);
    assert_string_equal(alignment.tokens[SOURCE].text[1], "bc");
    assert_string_equal(alignment.tokens[TARGET].text[0], "xy");
    expect_weights(alignment.weights, expected, 3 * 9);
    alignment_release(&alignment);
}

/* A side without words still has the end mark as a row or column. */
static void empty_sides_have_an_end_mark(void **state)
{
    const char *const empty[SIDES] = {[SOURCE] = "", [TARGET] = ""};
    const real one = 1;
    struct alignment alignment;
    struct links links = {0};
    alignment_init(&alignment, *state, empty, &one, 0, true);
    assert_int_equal(alignment.tokens[SOURCE].count, 1);
    assert_true(alignment.weights[0] == 1);
    alignment_links(&links, &alignment);
    assert_int_equal(links.count, 0);
    links_release(&links);
    alignment_release(&alignment);
}

static void links_lead_to_the_strongest_word(void **state)
{
    struct alignment alignment;
    struct links links = {0};
    alignment_init(&alignment, *state, subwords, weights, 0, false);
    alignment_links(&links, &alignment);
    assert_int_equal(links.count, 3); /* no links from or to the end mark */
    for (size_t i = 0; i < links.count; i++) {
        static const int sources[] = {2, 0, 0};
        assert_int_equal(links.items[i].target, i);
        assert_int_equal(links.items[i].source, sources[i]);
    }
    links_release(&links);
    alignment_release(&alignment);
}

static void of_equals_the_first_is_the_strongest(void **state)
{
    (void)state;
    assert_int_equal(attention_strongest((const float[]){0.2f, 0.4f, 0.4f}, 3), 1);
    assert_int_equal(attention_strongest((const float[]){0, 0}, 2), 0);
    assert_int_equal(attention_strongest(NULL, 0), 0);
}

/* A dictionary's entry is one word, with its blanks. */
static void translations_have_their_own_words(void **state)
{
    char source[] = "a b@@ c", target[] = "x@@ y a b c";
    float alpha[16];
    size_t begin[] = {0, 4, 6, sizeof target};
    struct translation t = {
        .source = source, .subwords = target, .source_length = 4, .length = 4, .token_begin = begin};
    struct alignment alignment;
    for (int i = 0; i < 16; i++)
        alpha[i] = (float)weights[i];
    assert_false(alignment_of_translation(&alignment, *state, &t, true)); /* it has no weights */
    t.alpha = alpha;
    assert_true(alignment_of_translation(&alignment, *state, &t, true));
    assert_int_equal(alignment.tokens[TARGET].count, 3);
    assert_string_equal(alignment.tokens[TARGET].text[0], "xy");
    assert_string_equal(alignment.tokens[TARGET].text[1], "a b c");
    assert_string_equal(alignment.text[TARGET], "xy a b c");
    assert_true(fabsf(alignment.weights[3] - 0.7f) < 1e-6f);
    alignment_release(&alignment);
}

static void pictures_have_a_caption_and_words(void **state)
{
    const char *const odd[SIDES] = {[SOURCE] = "a b@@ c", [TARGET] = "x@@ y <b>"};
    struct alignment alignment;
    struct strbuf page;
    strbuf_init(&page);
    alignment_init(&alignment, *state, odd, weights, 0, true);
    alignment_pictures_begin(&page, *state, true);
    alignment_draw(&page, &alignment, 7);
    alignment_pictures_end(&page);
    assert_non_null(
        strstr(page.text, "<figcaption>7. <b><bdi>a bc</bdi></b><br><bdi>xy &lt;b&gt;</bdi></figcaption>"));
    assert_non_null(strstr(page.text, "<li><bdi>xy</bdi> ← <bdi>bc</bdi> 0.35</li>"));
    assert_null(strstr(page.text, "<b>xy"));
    assert_null(strstr(page.text, "the word goes on")); /* with whole words, subword marks are not
                                                         * explained */
    strbuf_reset(&page);
    alignment_pictures_begin(&page, *state, false);
    assert_non_null(strstr(page.text, "the word goes on"));
    assert_non_null(strstr(page.text, "end of the sentence"));
    strbuf_release(&page);
    alignment_release(&alignment);
}

static void right_links_are_counted(void **state)
{
    char path[] = "/tmp/nmt-links-XXXXXX";
    static const char text[] = "2-0 0-1\n1-x\n";
    struct reference_links right = {.path = NULL};
    struct aer aer = {0};
    struct alignment alignment;
    struct err err;
    assert_int_equal(temporary_file(path), 0);
    assert_int_equal(file_replace(path, text, sizeof text - 1, &err), 0);
    assert_int_equal(reference_links_load(&right, path, &err), 0);
    alignment_init(&alignment, *state, subwords, weights, 0, false);
    assert_int_equal(reference_links_compare(&aer, &right, &alignment, 1, &err), 0);
    assert_true(aer.found == 3 && aer.sure == 2 && aer.found_sure == 2);
    assert_int_equal(reference_links_compare(&aer, &right, &alignment, 2, &err), -1);
    assert_non_null(strstr(err.text, ": line 2: "));
    assert_int_equal(reference_links_compare(&aer, &right, &alignment, 3, &err), 0); /* past the end */
    assert_int_equal(aer.found, 3);
    lines_release(&right.lines);
    alignment_release(&alignment);
    unlink(path);
    assert_int_equal(reference_links_load(&right, path, &err), -1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(subwords_stay_as_they_are),
        cmocka_unit_test(words_are_put_together),
        cmocka_unit_test(empty_sides_have_an_end_mark),
        cmocka_unit_test(links_lead_to_the_strongest_word),
        cmocka_unit_test(of_equals_the_first_is_the_strongest),
        cmocka_unit_test(translations_have_their_own_words),
        cmocka_unit_test(pictures_have_a_caption_and_words),
        cmocka_unit_test(right_links_are_counted),
    };
    return cmocka_run_group_tests(tests, make_pair, free_pair);
}
