/* Segments: what is a word of several letters, and its shape. What is unseen is tested in
 * test_seen_words.c. */
#include "check.h"

#include "segment.h"

static struct segment segment_of(const char *text, size_t at)
{
    const struct scan s = {.text = text, .bytes = strlen(text)};
    struct segment segment;
    assert_true(segment_at(&segment, &s, at));
    assert_int_equal(segment.end, s.bytes);
    return segment;
}

static void an_accent_of_its_own_is_no_letter(void **state)
{
    (void)state;
    assert_false(segment_of("\u00c9", 0).is_word);
    assert_false(segment_of("E\u0301", 0).is_word);
    assert_true(segment_of("E\u0301t", 0).is_word);
    assert_true(segment_of("की", 0).is_word); /* a vowel is one */
}

static void modifiers_stand_before_capitals(void **state)
{
    static const struct {
        const char *text;
        enum word_shape shape;
    } cases[] = {{"a ʻĀina", SHAPE_CAPITAL},   {"a ʻĀINA", SHAPE_UPPER},   {"a HAWAIʻI", SHAPE_UPPER},
                 {"a Hawaiʻi", SHAPE_CAPITAL}, {"a Oʻahu", SHAPE_CAPITAL}, {"a ʻāina", SHAPE_LOWER},
                 {"a ʼN", SHAPE_CAPITAL},      {"a aʻĀ", SHAPE_MIXED}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        assert_int_equal(segment_of(cases[i].text, 2).shape, cases[i].shape);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_accent_of_its_own_is_no_letter),
        cmocka_unit_test(modifiers_stand_before_capitals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
