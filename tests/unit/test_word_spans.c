/* Where words stand in raw text, whatever the tokenizer has changed. */
#include "check.h"

#include "word_spans.h"

#include <stdio.h>

static const struct tokenizer plain = {.kind = TOKENIZE_UNICODE, .form = UTF8_NFC, .protect = {.kinds = 1}};

/* `expected`: the words as they stand in the text, between bars. */
static void expect_words(const char *subwords, const char *text, const char *expected)
{
    struct words words;
    struct span spans[64];
    struct strbuf found;
    size_t end = 0;
    strbuf_init(&found);
    words_init(&words, subwords, true);
    words_find(spans, &words, &plain, text, strlen(text));
    for (size_t i = 0; i + 1 < words.texts.count; i++) {
        assert_true(spans[i].begin <= spans[i].end && spans[i].end <= strlen(text));
        assert_true(spans[i].end >= end);
        end = spans[i].end;
        strbuf_addf(&found, "%s%.*s", i ? "|" : "", (int)(spans[i].end - spans[i].begin),
                    text + spans[i].begin);
    }
    assert_string_equal(found.text, expected);
    strbuf_release(&found);
    words_release(&words);
}

static void words_are_found_in_their_order(void **state)
{
    (void)state;
    expect_words("the man sees the do@@ g ￭.", "The man  sees\tthe dog.", "The|man|sees|the|dog|.");
    expect_words("l@@ ' ￭homme ￭, l@@ ' ￭homme", "l'homme, l'homme", "l'|homme|,|l'|homme");
    expect_words("a a a", "a a  a", "a|a|a");
    expect_words("", "", "");
    expect_words("a", "", "");
    expect_words("", "a", "");
}

static void case_and_normal_forms_do_not_matter(void **state)
{
    (void)state;
    expect_words("é@@ tude naïve", "E\xcc\x81tude na\x69\xcc\x88ve", "E\xcc\x81tude|na\x69\xcc\x88ve");
    expect_words("ÉTUDE", "étude", "étude");
    expect_words("fi@@ n 10", "ﬁn １０", "ﬁn|１０");
    /* Turkish and Greek, read in the case of their languages */
    expect_words("kapıyı ileri", "KAPIYI İLERİ", "KAPIYI|İLERİ");
    expect_words("το σπίτι τους", "ΤΟ ΣΠΙΤΙ ΤΟΥΣ", "ΤΟ|ΣΠΙΤΙ|ΤΟΥΣ");
}

static void signs_that_are_read_otherwise_do_not_matter(void **state)
{
    (void)state;
    expect_words("it ￭'￭ s a dog", "It’s a\u00a0do\u00adg", "It|’|s|a|do\u00adg");
    expect_words("it ￭'￭ s", "it´s", "it|´|s");
    expect_words("\ue000 a", "\ue000 a", "\ue000|a");
}

static void a_missing_word_has_what_is_between_its_neighbours(void **state)
{
    (void)state;
    expect_words("<2fr> the man", "The man", "|The|man");
    expect_words("the <unk> man", "The ? man", "The|?|man");
    expect_words("open ￭( ｟1：Tvorakki｠ ￭) now", "Open (Dvořáček) now", "Open|(|Dvořáček|)|now");
    expect_words("open ｟1：x｠ ｟2：y｠", "Open it there", "Open||it there");
    expect_words("<2fr> ｟1：Tvorakki｠ now", "Dvořáček now", "|Dvořáček|now");
    expect_words("° C now", "℃ now", "℃|℃|now");
    expect_words("a 1 x 2 y", "a ½ y", "a|½||½|y");
    expect_words("the man x", "The man", "The|man|");
    expect_words("x y z", "completely other", "||completely other");
}

static void placeholders_and_escapes_are_their_strings(void **state)
{
    (void)state;
    expect_words("see ｟1：http://x.y/?a％0020b｠ ￭!", "See http://x.y/?a b!", "See|http://x.y/?a b|!");
    expect_words("a ｟2：a｠ a", "a a a", "a|a|a");
}

static void scripts_without_blanks(void **state)
{
    (void)state;
    expect_words("我 ￭们 ￭去 ￭。", "我们去。", "我|们|去|。");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(words_are_found_in_their_order),
        cmocka_unit_test(case_and_normal_forms_do_not_matter),
        cmocka_unit_test(signs_that_are_read_otherwise_do_not_matter),
        cmocka_unit_test(a_missing_word_has_what_is_between_its_neighbours),
        cmocka_unit_test(placeholders_and_escapes_are_their_strings),
        cmocka_unit_test(scripts_without_blanks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
