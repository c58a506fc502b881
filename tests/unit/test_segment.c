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

/* The words of a text, each in brackets. */
static void expect_words(const struct scan *s, const char *words)
{
    struct segment segment;
    struct strbuf out;
    strbuf_init(&out);
    for (size_t at = 0; segment_next(&segment, s, &at);)
        if (segment.is_word)
            strbuf_addf(&out, "[%.*s]", (int)(segment.end - segment.begin), s->text + segment.begin);
    assert_string_equal(out.text, words);
    strbuf_release(&out);
}

/* Where quantities are not copied, a number that a unit touches is a word by itself. */
static void units_are_no_parts_of_numbers(void **state)
{
    (void)state;
    static const char text[] = "치즈 37kg을 12V, 1.55kg, 10h 37kgs x37kg";
    struct seen_words seen;
    struct scan s = {.text = text, .bytes = strlen(text), .seen = &seen};
    seen_words_init(&seen);
    expect_words(&s, "[치즈][37kg][12V][55kg][10h][37kgs][x37kg]");
    seen.but = EXCEPTION_SET(BUT_QUANTITIES);
    expect_words(&s, "[치즈][37][kg][12][kg][10h][37kgs][x37kg]");
    seen_words_release(&seen);
}

static void digits_of_all_scripts_are_one_number(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        {"ອາຍຸ໑໘໗໕ປີ", "໑໘໗໕"}, {"ปี๒๕๖๗", "๒๕๖๗"}, {"༡༩༩༠ལོ", "༡༩༩༠"}, {"၁၉၉၀ခု", "၁၉၉၀"}, {"១៩៩០ឆ្នាំ", "១៩៩០"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const char *text = cases[i][0], *number = strstr(text, cases[i][1]);
        const struct scan s = {.text = text, .bytes = strlen(text)};
        struct segment segment;
        assert_true(segment_at(&segment, &s, (size_t)(number - text)));
        assert_int_equal(segment.end - segment.begin, strlen(cases[i][1]));
        assert_int_equal(segment.shape, SHAPE_NUMBER);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_accent_of_its_own_is_no_letter),
        cmocka_unit_test(modifiers_stand_before_capitals),
        cmocka_unit_test(units_are_no_parts_of_numbers),
        cmocka_unit_test(digits_of_all_scripts_are_one_number),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
