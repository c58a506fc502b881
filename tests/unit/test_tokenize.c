/* Tokenizers: how text is split, and that joining restores it. */
#include "check.h"

#include "rng.h"
#include "tokenize.h"
#include "utf8.h"

static void expect(enum tokenize_kind kind, const char *text, const char *words)
{
    struct strbuf out, back;
    strbuf_init(&out);
    strbuf_init(&back);
    tokenize(&out, text, strlen(text), kind);
    assert_string_equal(out.text, words);
    detokenize(&back, out.text, out.length, kind);
    assert_string_equal(back.text, text);
    strbuf_release(&out);
    strbuf_release(&back);
}

static void words_by_category(void **state)
{
    (void)state;
    expect(TOKENIZE_UNICODE, "l'été (2 fois).", "l ￭'￭ été (￭ 2 fois ￭) ￭.");
    expect(TOKENIZE_UNICODE, "3.14 B2B", "3 ￭.￭ 14 B ￭2￭ B");
    expect(TOKENIZE_UNICODE, "« Où ? »", "« Où ? »");
    expect(TOKENIZE_UNICODE, "a\xc2\xa0: b", "a ￭\xc2\xa0 ￭: b");
    expect(TOKENIZE_UNICODE, "￭ ％ ▁x", "％FFED ％FF05 ％2581￭ x");
    expect(TOKENIZE_UNICODE, "％FFED", "％FF05￭ FFED");
    expect(TOKENIZE_UNICODE, "", "");
}

static void characters(void **state)
{
    (void)state;
    expect(TOKENIZE_CHAR, "né à", "n é ▁ à");
    expect(TOKENIZE_CHAR, "▁", "％2581");
}

static void blanks_are_folded(void **state)
{
    (void)state;
    struct strbuf out, back;
    strbuf_init(&out);
    strbuf_init(&back);
    tokenize(&out, " \ta  b\x0c\xe2\x80\xa8 c ", 12, TOKENIZE_UNICODE);
    detokenize(&back, out.text, out.length, TOKENIZE_UNICODE);
    assert_string_equal(back.text, "a b c");
    strbuf_release(&out);
    strbuf_release(&back);
}

/* Random text of troublesome characters, with single blanks between words only. */
static void make_text(struct strbuf *text, struct rng *rng)
{
    static const int32_t codes[] = {'a',    'B',   '1',    '.',    '@',    '\'',   '-',     ' ',
                                    0xe9,   0x301, 0xffed, 0xff05, 0x2581, 0x4e00, 0x1f600, 0xa0,
                                    0x200d, 0x5d0, 0x661,  '<',    '%',    0x1,    0xfeff,  0x10ffff};
    const int length = (int)rng_below(rng, 30);
    for (int i = 0; i < length; i++) {
        const int32_t code = codes[rng_below(rng, sizeof codes / sizeof codes[0])];
        if (code != ' ' || (text->length && text->text[text->length - 1] != ' '))
            utf8_append(text, code);
    }
    while (text->length && text->text[text->length - 1] == ' ')
        strbuf_truncate(text, text->length - 1);
}

static void nothing_is_lost(void **state)
{
    (void)state;
    struct strbuf text, words, back;
    struct rng rng;
    strbuf_init(&text);
    strbuf_init(&words);
    strbuf_init(&back);
    rng_init(&rng, 11, RNG_TEST, 0, 0);
    for (int i = 0; i < 20000; i++) {
        const enum tokenize_kind kind = i % 2 ? TOKENIZE_UNICODE : TOKENIZE_CHAR;
        strbuf_reset(&text);
        strbuf_reset(&words);
        strbuf_reset(&back);
        make_text(&text, &rng);
        tokenize(&words, text.text, text.length, kind);
        detokenize(&back, words.text, words.length, kind);
        assert_string_equal(back.text, text.text);
    }
    strbuf_release(&text);
    strbuf_release(&words);
    strbuf_release(&back);
}

static void expect_text(enum tokenize_kind kind, const char *words, const char *text)
{
    struct strbuf out;
    strbuf_init(&out);
    detokenize(&out, words, strlen(words), kind);
    assert_string_equal(out.text, text);
    strbuf_release(&out);
}

/* A model may produce words that no text has. */
static void marks_that_were_not_in_the_text_are_not_printed(void **state)
{
    (void)state;
    expect_text(TOKENIZE_UNICODE, "ab￭, c", "ab, c");
    expect_text(TOKENIZE_UNICODE, "￭￭, a￭￭ b￭￭c ￭", ", abc");
    expect_text(TOKENIZE_UNICODE, "a ％FF￭ED ％FFED￭x", "a ％FFED ￭x");
    expect_text(TOKENIZE_CHAR, "a▁b ％2581▁", "a b▁ ");
}

/* In any order of words, as many marks come out as were escaped. */
static void words_in_any_order_print_no_mark(void **state)
{
    (void)state;
    static const char *const pieces[] = {"a", "￭", "￭￭", "￭,", "(￭", "％FFED", "é", "％", "FFED", " ", " "};
    struct strbuf words, text;
    struct rng rng;
    strbuf_init(&words);
    strbuf_init(&text);
    rng_init(&rng, 12, RNG_TEST, 0, 0);
    for (int i = 0; i < 20000; i++) {
        int marks = 0, escapes = 0;
        strbuf_reset(&words);
        strbuf_reset(&text);
        for (int k = (int)rng_below(&rng, 12); k > 0; k--)
            strbuf_adds(&words, pieces[rng_below(&rng, sizeof pieces / sizeof pieces[0])]);
        for (const char *at = words.text; (at = strstr(at, "％FFED")); at++)
            escapes++;
        detokenize(&text, words.text, words.length, TOKENIZE_UNICODE);
        for (const char *at = text.text; (at = strstr(at, "￭")); at++)
            marks++;
        assert_int_equal(marks, escapes);
    }
    strbuf_release(&words);
    strbuf_release(&text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(words_by_category),
        cmocka_unit_test(characters),
        cmocka_unit_test(blanks_are_folded),
        cmocka_unit_test(nothing_is_lost),
        cmocka_unit_test(marks_that_were_not_in_the_text_are_not_printed),
        cmocka_unit_test(words_in_any_order_print_no_mark),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
