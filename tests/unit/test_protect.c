/* Protected strings: which get placeholders, their words, and that text with them comes back. */
#include "check.h"

#include "tokenizer.h"

static const struct protect all = {.kinds = PROTECTED};

static struct tokenizer tokenizer_of(enum tokenize_kind kind)
{
    return (struct tokenizer){.kind = kind,
                              .form = UTF8_NFC,
                              .protect = {.kinds = PROTECTED, .whole_words = kind == TOKENIZE_WHITESPACE}};
}

/* A text becomes these words, unless NULL, and comes back. */
static void expect_of(const struct tokenizer *tokenizer, const char *text, const char *words)
{
    struct strbuf out, back;
    strbuf_init(&out);
    strbuf_init(&back);
    tokenizer_split(&out, tokenizer, text, strlen(text));
    if (words)
        assert_string_equal(out.text, words);
    tokenizer_text(&back, tokenizer, out.text, out.length);
    assert_string_equal(back.text, text);
    strbuf_release(&out);
    strbuf_release(&back);
}

/* The same, also with the words in reverse. */
static void expect(enum tokenize_kind kind, const char *text, const char *words)
{
    struct tokenizer tokenizer = tokenizer_of(kind);
    expect_of(&tokenizer, text, words);
    tokenizer.reversed = true;
    expect_of(&tokenizer, text, NULL);
}

static void words_in_reverse_have_their_placeholders(void **state)
{
    (void)state;
    struct tokenizer tokenizer = tokenizer_of(TOKENIZE_UNICODE);
    tokenizer.reversed = true;
    expect_of(&tokenizer, "(http://x.y), 5 kg.", "￭. ｟2：5％0020kg｠ ￭, ￭) ｟1：http://x.y｠ (￭");
    expect_of(&tokenizer, "one", "one");
    expect_of(&tokenizer, "", "");
    tokenizer.kind = TOKENIZE_WHITESPACE;
    tokenizer.protect.kinds = 0;
    expect_of(&tokenizer, "a b@@ c", "c b@@ a");
}

static void strings_become_placeholders(void **state)
{
    (void)state;
    expect(TOKENIZE_UNICODE, "(http://x.y), 5 kg.", "(￭ ｟1：http://x.y｠ ￭) ￭, ｟2：5％0020kg｠ ￭.");
    expect(TOKENIZE_UNICODE, "a<b>c</b> 🙂!",
           "a ￭｟1：<b>｠￭ c ￭｟2：</b>｠ ｟3：🙂｠ ￭!");
    expect(TOKENIZE_UNICODE, "<b><i>x", "｟1：<b>｠ ￭｟2：<i>｠￭ x");
    expect(TOKENIZE_SCRIPT, "（http://x.y）", NULL);
    expect(TOKENIZE_CHAR, "né %s", "n é ▁ ｟1：%s｠");
    expect(TOKENIZE_WHITESPACE, "see %s , (%s) 5 kg", "see ｟1：%s｠ , (%s) ｟2：5％0020kg｠");
    expect(TOKENIZE_UNICODE, "2 men", "2 men");
}

/* What the network writes beside a placeholder says whether there is a blank, for the source, "in 2024", does
 * not. */
static void text_without_blanks_or_capitals_touches_placeholders(void **state)
{
    (void)state;
    expect(TOKENIZE_SCRIPT, "访问http://x.y获取。", "访 问 ｟1：http://x.y｠ 获 取 。");
    expect(TOKENIZE_SCRIPT, "访问 http://x.y 获取。", "访 问 ▁ ｟1：http://x.y｠ ▁ 获 取 。");
    expect(TOKENIZE_SCRIPT, "2024年に、 %s%dを（2024）",
           "｟1：2024｠ 年 に 、 ▁ ｟2：%s｠ ￭｟3：%d｠ を （ ｟4：2024｠ ）");
    expect(TOKENIZE_SCRIPT, "2024년에 {x}", "｟1：2024｠ ￭년에 ｟2：{x}｠");
    expect(TOKENIZE_UNICODE, "2024년에 {x}", "｟1：2024｠ ￭년에 ｟2：{x}｠");
    expect(TOKENIZE_SCRIPT, "في{x}", "في￭ ｟1：{x}｠");
    expect(TOKENIZE_SCRIPT, "की{x}", "की￭ ｟1：{x}｠");
    expect(TOKENIZE_UNICODE, "访问http://x.y", "访问￭ ｟1：http://x.y｠");
}

static void text_that_looks_like_placeholders_survives(void **state)
{
    (void)state;
    const char *const texts[] = {"｟1｠ ｟1：x｠ ￭｟2｠￭", "％FF5F ％0020 ｟", "｟1：%s｠ `a ￭ ％ ▁`",
                                 "｟11｠ ｟｠ ｟1", "%s｟1｠%d"};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        expect(TOKENIZE_UNICODE, texts[i], NULL);
        expect(TOKENIZE_SCRIPT, texts[i], NULL);
        expect(TOKENIZE_WHITESPACE, texts[i], NULL);
    }
}

static void only_so_many_are_replaced(void **state)
{
    (void)state;
    struct strbuf text, out;
    const struct tokenizer tokenizer = tokenizer_of(TOKENIZE_UNICODE);
    strbuf_init(&text);
    strbuf_init(&out);
    for (int i = 0; i < PLACEHOLDERS + 2; i++)
        strbuf_addf(&text, "%s{x}", i ? " " : "");
    tokenizer_split(&out, &tokenizer, text.text, text.length);
    assert_non_null(strstr(out.text, "｟10：{x}｠ {￭ x ￭} {￭ x ￭}"));
    strbuf_reset(&text);
    tokenizer_text(&text, &tokenizer, out.text, out.length);
    assert_non_null(strstr(text.text, "{x} {x} {x}"));
    strbuf_release(&text);
    strbuf_release(&out);
}

/* Random text of troublesome pieces, with single blanks between words only. */
static void nothing_is_lost(void **state)
{
    (void)state;
    static const char *const pieces[] = {"a",     "é",      "1",  " ",  " ",  "%s",  "http://x.y", "<b>",
                                         "&amp;", "🙂",   "￭",  "％", "▁",  "｟1", "：x",        "｠",
                                         "5 kg",  "`a  b`", "東", "は", "。", ".",   "@@"};
    static const enum tokenize_kind kinds[] = {TOKENIZE_UNICODE, TOKENIZE_SCRIPT, TOKENIZE_CHAR,
                                               TOKENIZE_WHITESPACE};
    struct strbuf text;
    struct rng rng;
    strbuf_init(&text);
    rng_init(&rng, 12, RNG_TEST, 0, 0);
    for (int i = 0; i < 20000; i++) {
        strbuf_reset(&text);
        for (uint64_t k = rng_below(&rng, 12); k > 0; k--) {
            const char *piece = pieces[rng_below(&rng, sizeof pieces / sizeof pieces[0])];
            if (*piece != ' ' || (text.length && text.text[text.length - 1] != ' '))
                strbuf_adds(&text, piece);
        }
        while (text.length && text.text[text.length - 1] == ' ')
            strbuf_truncate(&text, text.length - 1);
        if (!strstr(text.text, "  ")) /* "`a  b`" that is no code */
            expect(kinds[i % 4], text.text, NULL);
    }
    strbuf_release(&text);
}

/* The subwords of both sides of a pair. */
static void expect_pair_of(const struct seen_words *seen, const char *source, const char *target,
                           const char *source_words, const char *target_words)
{
    struct tokenizer tokenizers[2] = {tokenizer_of(TOKENIZE_UNICODE), tokenizer_of(TOKENIZE_UNICODE)};
    struct strbuf out[2];
    tokenizers[0].protect.seen = seen;
    strbuf_init(&out[0]);
    strbuf_init(&out[1]);
    tokenizer_split_pair(out, tokenizers, (const char *const[2]){source, target},
                         (const size_t[2]){strlen(source), strlen(target)});
    assert_string_equal(out[0].text, source_words);
    assert_string_equal(out[1].text, target_words);
    strbuf_release(&out[0]);
    strbuf_release(&out[1]);
}

static void expect_pair(const char *source, const char *target, const char *source_words,
                        const char *target_words)
{
    expect_pair_of(NULL, source, target, source_words, target_words);
}

static void pairs_have_the_same_strings(void **state)
{
    (void)state;
    expect_pair("%s of %d", "%d x %s", "｟1：%s｠ of ｟2：%d｠", "｟2：%d｠ x ｟1：%s｠");
    expect_pair("%s %s", "a %s b %s", "｟1：%s｠ ｟2：%s｠", "a ｟1：%s｠ b ｟2：%s｠");
    expect_pair("%s %s 100", "%s 100", "%￭ s %￭ s ｟1：100｠", "%￭ s ｟1：100｠");
    expect_pair("5 kg %d", "5 g", "5 kg %￭ d", "5 g");
}

/* Where quantities are not copied, but their numbers are, units touch those as the language writes them. */
static void units_touch_numbers_as_their_language_writes(void **state)
{
    (void)state;
    struct seen_words seen;
    seen_words_init(&seen);
    seen.but = EXCEPTION_SET(BUT_QUANTITIES);
    expect_pair_of(&seen, "is 1990 kg", "1990kg을", "is ｟1：1990｠ kg", "｟1：1990｠ ￭kg을");
    expect_pair_of(&seen, "1990kg을", "is 1990 kg", "｟1：1990｠ ￭kg을", "is ｟1：1990｠ kg");
    expect_pair_of(&seen, "1990h 1990", "1990x 1990", "1990￭ h ｟1：1990｠", "1990￭ x ｟1：1990｠");
    expect_pair("1990 kg", "1990kg을", "1990 kg", "1990￭ kg을");
    expect_pair("1990kg", "1990kg을", "｟1：1990kg｠", "｟1：1990kg｠ ￭을");
    seen_words_release(&seen);
}

static void prefixes_have_the_strings_of_the_source(void **state)
{
    (void)state;
    const char source[] = "%d and %s, %s", prefix[] = "%s 100 %s %s";
    struct protection sides[2];
    protect_source(&sides[0], &all, source, strlen(source));
    assert_int_equal(sides[0].count, 3);
    protect_prefix(&sides[1], &sides[0], source, &all, prefix, strlen(prefix));
    assert_int_equal(sides[1].count, 2);
    assert_int_equal(sides[1].items[0].number, 2);
    assert_int_equal(sides[1].items[1].number, 3);
    assert_int_equal(sides[1].items[1].span.begin, 7);
}

static void placeholders_have_ids(void **state)
{
    (void)state;
    struct vocab vocab;
    struct bpe bpe;
    struct ids ids = {NULL, 0, 0};
    const char words[] = "￭｟1：http://x.y｠￭ ｟10｠ ｟11｠ ｟0：x｠";
    vocab_init(&vocab);
    assert_false(vocab_has_placeholders(&vocab));
    vocab_add_placeholders(&vocab);
    assert_true(vocab_has_placeholders(&vocab));
    bpe_init(&bpe);
    bpe_add_merge(&bpe, "｟", 3, "1", 1);
    struct tokenizer tokenizer = tokenizer_of(TOKENIZE_UNICODE);
    tokenizer.vocab = &vocab;
    tokenizer.bpe = &bpe;
    tokenizer_ids(&ids, &tokenizer, words, strlen(words));
    assert_int_equal(ids.count, 4);
    assert_int_equal(ids.items[0], VOCAB_PLACEHOLDER(1));
    assert_int_equal(ids.items[1], VOCAB_PLACEHOLDER(10));
    assert_int_equal(ids.items[2], VOCAB_UNKNOWN);
    assert_int_equal(ids.items[3], VOCAB_UNKNOWN);
    expect(TOKENIZE_UNICODE, "ab %s", NULL);
    struct strbuf out;
    strbuf_init(&out);
    tokenizer_split(&out, &tokenizer, "ab %s", 5);
    assert_string_equal(out.text, "a@@ b ｟1：%s｠");
    strbuf_release(&out);
    ids_release(&ids);
    bpe_release(&bpe);
    vocab_release(&vocab);
}

/* Only what has been escaped is unescaped, and no character that UTF-8 does not have. */
static void strings_written_by_hand(void **state)
{
    (void)state;
    const struct tokenizer tokenizer = tokenizer_of(TOKENIZE_UNICODE);
    const char words[] = "｟1：50％｠ ｟1：％D800｠ ｟2：％0020｠ ｟3：｠ ｟4｠";
    struct strbuf out;
    strbuf_init(&out);
    tokenizer_text(&out, &tokenizer, words, strlen(words));
    assert_string_equal(out.text, "50％ ％D800   ｟3：｠ ｟4｠");
    strbuf_release(&out);
}

/* "2 0 …": by the number of each string, that of its start tag. */
static void expect_starts(const char *text, const char *expected)
{
    struct protection source;
    struct strbuf found;
    int first[PLACEHOLDERS];
    strbuf_init(&found);
    protect_source(&source, &all, text, strlen(text));
    protect_find_starts(first, &source, text);
    for (int i = 0; i < source.count; i++)
        strbuf_addf(&found, "%s%d", i ? " " : "", first[i]);
    assert_string_equal(found.text, expected);
    strbuf_release(&found);
}

static void end_tags_have_start_tags(void **state)
{
    (void)state;
    expect_starts("<b>a</b> <i>b <i>c</i></i> <x y='z'>d</x>", "0 1 0 0 4 3 0 7");
    expect_starts("</b>a<b> %s <br/>c</br> <bx>d</b> <!--b-->", "0 0 0 0 0 0 2 0");
    expect_starts("<b>a<i>b</b>c</i>", "0 0 1 2");
    expect_starts("a", "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(words_in_reverse_have_their_placeholders),
        cmocka_unit_test(strings_become_placeholders),
        cmocka_unit_test(text_without_blanks_or_capitals_touches_placeholders),
        cmocka_unit_test(text_that_looks_like_placeholders_survives),
        cmocka_unit_test(only_so_many_are_replaced),
        cmocka_unit_test(nothing_is_lost),
        cmocka_unit_test(pairs_have_the_same_strings),
        cmocka_unit_test(units_touch_numbers_as_their_language_writes),
        cmocka_unit_test(prefixes_have_the_strings_of_the_source),
        cmocka_unit_test(placeholders_have_ids),
        cmocka_unit_test(strings_written_by_hand),
        cmocka_unit_test(end_tags_have_start_tags),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
