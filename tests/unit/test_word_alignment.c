/* Subwords joined to words: their texts, attention, links and confidence. Pictures are in
 * test_alignment.c. */
#include "check.h"

#include "word_alignment.h"

#include <math.h>

static void expect_words(const char *subwords, bool joined, const char *const *expected)
{
    struct words words;
    int count = 0, subword_count = 1;
    words_init(&words, subwords, joined);
    for (; expected[count]; count++)
        assert_string_equal(words.texts.text[count], expected[count]);
    assert_int_equal(words.texts.count, count);
    for (const char *at = subwords; *at; at++)
        subword_count += at == subwords || *at == ' ';
    assert_int_equal(words.subwords, subword_count);
    assert_int_equal(words.of[subword_count - 1], count - 1); /* the end mark's own */
    words_release(&words);
}

static void subwords_are_joined_up_to_the_end_of_a_word(void **state)
{
    static const char line[] = "un@@ for@@ tun@@ ately ￭, yes";
    (void)state;
    expect_words(line, true, (const char *const[]){"unfortunately", "￭,", "yes", "</s>", NULL});
    expect_words(line, false,
                 (const char *const[]){"un@@", "for@@", "tun@@", "ately", "￭,", "yes", "</s>", NULL});
    expect_words("a cut@@", true, (const char *const[]){"a", "cut", "</s>", NULL});
    expect_words("@@ a", true, (const char *const[]){"@@", "a", "</s>", NULL}); /* a word of its own */
    expect_words("", true, (const char *const[]){"</s>", NULL});
}

static void the_attention_of_words_sums_to_1(void **state)
{
    static const float weights[4 * 5] = {0.1f, 0.2f, 0.3f, 0.2f, 0.2f, 0.5f, 0.1f, 0.1f, 0.1f, 0.2f,
                                         0,    0,    0.6f, 0.4f, 0,    0,    0,    0,    0,    1};
    static const float expected[3 * 3] = {0.45f, 0.35f, 0.2f, 0, 1, 0, 0, 0, 1};
    struct words source, target;
    struct links links = {0};
    float sums[3 * 3];
    (void)state;
    words_init(&source, "a@@ b c@@ d", true);
    words_init(&target, "x@@ y z", true);
    words_attention(sums, weights, &target, &source);
    for (int i = 0; i < 9; i++)
        assert_true(fabsf(sums[i] - expected[i]) < 1e-6f);
    attention_links(&links, sums, 3, 3);
    assert_int_equal(links.count, 2);
    for (int i = 0; i < 2; i++)
        assert_true(links.items[i].target == i && links.items[i].source == i);
    links_release(&links);
    words_release(&source);
    words_release(&target);
}

static void confidence_is_the_probability_of_the_whole_word(void **state)
{
    static const float p[] = {0.5f, 0.9f, 0.8f, 1, 0.25f};
    static const float expected[] = {0.5f * 0.9f * 0.8f, 1, 0.25f};
    struct words words;
    float log_p[5], confidence[3];
    (void)state;
    for (int i = 0; i < 5; i++)
        log_p[i] = logf(p[i]);
    log_p[3] = 1e-7f; /* as rounding may leave it */
    words_init(&words, "a@@ b@@ c d", true);
    words_confidence(confidence, &words, log_p);
    for (int i = 0; i < 3; i++)
        assert_true(fabsf(confidence[i] - expected[i]) < 1e-6f && confidence[i] <= 1);
    log_p[0] = -INFINITY;
    words_confidence(confidence, &words, log_p);
    assert_true(confidence[0] == 0);
    words_release(&words);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(subwords_are_joined_up_to_the_end_of_a_word),
        cmocka_unit_test(the_attention_of_words_sums_to_1),
        cmocka_unit_test(confidence_is_the_probability_of_the_whole_word),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
