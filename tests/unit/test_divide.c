/* What is too long is divided, where it hurts least. In a case, '|' stands where a part begins that is not
 * the first. */
#include "check.h"

#include "splitter.h"

/* Parts by rules alone. */
static void divide(struct spans *parts, const struct tokenizer *tokenizer, const struct strbuf *text,
                   size_t most)
{
    struct splitter splitter;
    splitter_init(&splitter);
    const struct sentence_limit limit = {&splitter, tokenizer, most, .ends = NULL};
    sentence_divide(parts, &limit, text->text, (struct span){0, text->length});
    splitter_release(&splitter);
}

static void expect_parts(const char *expected, size_t most)
{
    const struct protect protect = {.kinds = PATTERN_SET(PATTERN_CODE)};
    const struct tokenizer tokenizer = {.kind = TOKENIZE_WHITESPACE, .protect = protect};
    const struct tokenizer characters = {.kind = TOKENIZE_CHAR, .protect = protect};
    struct spans parts = {.count = 0};
    struct strbuf text, found;
    strbuf_init(&text);
    strbuf_init(&found);
    for (const char *c = expected; *c; c++)
        if (*c != '|')
            strbuf_addch(&text, *c);
    divide(&parts, strchr(expected, ' ') ? &tokenizer : &characters, &text, most);
    for (size_t i = 0; i < parts.count; i++) {
        const struct span part = parts.items[i];
        if (i) {
            strbuf_add(&found, text.text + parts.items[i - 1].end, part.begin - parts.items[i - 1].end);
            strbuf_addch(&found, '|');
        }
        strbuf_add(&found, text.text + part.begin, part.end - part.begin);
    }
    assert_string_equal(found.text, expected);
    spans_release(&parts);
    strbuf_release(&text);
    strbuf_release(&found);
}

static void what_is_too_long_is_divided_where_it_hurts_least(void **state)
{
    (void)state;
    expect_parts("a b c d", 4);
    expect_parts("a b |c d", 3);
    expect_parts("a b, |c d e f", 4);
    expect_parts("a b c d; |e f g h", 6);
    expect_parts("a b c – |d e f g", 6);
    expect_parts("One two. |Three four five six seven", 5);
    expect_parts("a |b |c |d", 1);
    expect_parts("abc|def", 3);
    expect_parts("ab\xcc\x81", 3);
    expect_parts("a|b\xcc\x81", 2); /* not between a letter and its accent */
    expect_parts("日本，|語学校", 3);
    expect_parts("ម៉ោង១|២:៣០ន", 7); /* not behind the sign of a time */
    expect_parts("ម៉ោង១|២,៣០ន", 7); /* or of thousands */
    expect_parts("ཀ།།|ཁ", 3);      /* not between signs in a row */
    expect_parts("b\xcc\x81", 1);
}

/* A character may have any number of marks. */
static void endless_marks_are_divided(void **state)
{
    const struct tokenizer characters = {.kind = TOKENIZE_CHAR};
    struct spans parts = {.count = 0};
    struct strbuf text;
    (void)state;
    strbuf_init(&text);
    strbuf_adds(&text, "a");
    for (int i = 0; i < 10000; i++)
        strbuf_adds(&text, "\xe2\x80\x8b"); /* zero-width spaces */
    divide(&parts, &characters, &text, 100);
    assert_true(parts.count >= 100);
    for (size_t i = 0; i < parts.count; i++)
        assert_true(parts.items[i].end - parts.items[i].begin <= 300);
    spans_release(&parts);
    strbuf_release(&text);
}

/* Of many kilobytes, the middle alone is looked at: a sentence that ends at their beginning does not count.
 * */
static void a_very_long_piece_is_divided_near_its_middle(void **state)
{
    const struct tokenizer words = {.kind = TOKENIZE_WHITESPACE};
    struct spans parts = {.count = 0};
    struct strbuf text;
    (void)state;
    strbuf_init(&text);
    strbuf_adds(&text, "One two. Three");
    for (int i = 0; i < 8000; i++)
        strbuf_adds(&text, " é");
    divide(&parts, &words, &text, 8000);
    assert_int_equal(parts.count, 2);
    assert_in_range(parts.items[0].end, text.length / 2 - 4, text.length / 2 + 4);
    spans_release(&parts);
    strbuf_release(&text);
}

static bool has_most(void *context, size_t count)
{
    return count == *(const size_t *)context;
}

static void dividing_ends_when_it_is_told_to(void **state)
{
    static const char text[] = "a b c d. E f g h. I j k l.";
    const struct tokenizer words = {.kind = TOKENIZE_WHITESPACE};
    struct splitter splitter;
    struct spans parts = {.count = 0};
    size_t most = 3;
    (void)state;
    splitter_init(&splitter);
    const struct sentence_limit limit = {&splitter, &words, 2, has_most, &most};
    const struct sentence_rules rules = {&splitter, 0, &limit};
    sentences_split(&parts, &rules, text, strlen(text));
    assert_int_equal(parts.count, 3);
    assert_int_equal(text[parts.items[2].begin], 'E');
    spans_release(&parts);
    splitter_release(&splitter);
}

static void no_place_is_within_a_protected_string(void **state)
{
    (void)state;
    expect_parts("ab |`c, d; e, f. G` |h", 1);
    expect_parts("a `b, c. D; e` |f g", 2);
    expect_parts("`a, |b", 1); /* no string */
}

static void no_sentence_ends_within_a_protected_string(void **state)
{
    static const char text[] = "See `here. There`! Or `one. Two. Three` and four. Go `by. Bus`.";
    struct spans sentences = {.count = 0};
    struct splitter splitter;
    (void)state;
    splitter_init(&splitter);
    sentences_find(&sentences, &splitter, text, strlen(text));
    assert_int_equal(sentences.count, 7);
    sentences_join_strings(&sentences, PATTERN_SET(PATTERN_URL), text, strlen(text));
    assert_int_equal(sentences.count, 7);
    sentences_join_strings(&sentences, PATTERN_SET(PATTERN_CODE), text, strlen(text));
    assert_int_equal(sentences.count, 3);
    for (size_t i = 0; i < 3; i++)
        assert_int_equal(text[sentences.items[i].begin], "SOG"[i]);
    spans_release(&sentences);
    sentences_join_strings(&sentences, PATTERN_SET(PATTERN_CODE), "", 0);
    assert_int_equal(sentences.count, 0);
}

static void expect_token_parts(const char *tokens, const char *expected, size_t most)
{
    struct spans parts = {.count = 0};
    struct strbuf found;
    strbuf_init(&found);
    tokens_divide(&parts, tokens, (struct span){0, strlen(tokens)}, most);
    for (size_t i = 0; i < parts.count; i++) {
        strbuf_adds(&found, i ? "|" : "");
        strbuf_add(&found, tokens + parts.items[i].begin, parts.items[i].end - parts.items[i].begin);
    }
    assert_string_equal(found.text, expected);
    spans_release(&parts);
    strbuf_release(&found);
}

static void tokens_are_divided_at_the_ends_of_words(void **state)
{
    (void)state;
    expect_token_parts("a b c d e", "a b| c d| e", 2);
    expect_token_parts("a b@@ c d e", "a| b@@ c| d e", 2);
    expect_token_parts("a@@ b@@ c@@ d", "a@@ b@@| c@@ d", 2);
    expect_token_parts(" a  b@@ c@@ d@@ ", " a|  b@@ c@@ d@@", 3);
    expect_token_parts("a b@@ c@@ d@@ e f", "a| b@@ c@@| d@@ e| f", 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_too_long_is_divided_where_it_hurts_least),
        cmocka_unit_test(endless_marks_are_divided),
        cmocka_unit_test(a_very_long_piece_is_divided_near_its_middle),
        cmocka_unit_test(dividing_ends_when_it_is_told_to),
        cmocka_unit_test(no_place_is_within_a_protected_string),
        cmocka_unit_test(no_sentence_ends_within_a_protected_string),
        cmocka_unit_test(tokens_are_divided_at_the_ends_of_words),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
