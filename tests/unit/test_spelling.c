/* Words that are written in two ways: which of them the training has seen. */
#include "check.h"

#include "spelling.h"
#include "word_list.h"

/* `found`: NULL if there is no other spelling. */
static void expect(const struct seen_words *seen, const char *word, const char *found)
{
    struct strbuf out;
    strbuf_init(&out);
    assert_int_equal(spelling_find(&out, seen, word, strlen(word)), found != NULL);
    assert_string_equal(out.text, found ? found : "");
    strbuf_release(&out);
}

static void tones_are_where_training_has_them(void **state)
{
    struct seen_words seen;
    (void)state;
    seen_words_init(&seen);
    add_words(&seen, "hủy\0xoá\0hoà\0hòa\0quý\0");
    expect(&seen, "huỷ", "hủy");
    expect(&seen, "Huỷ", "Hủy");
    expect(&seen, "xóa", "xoá");
    expect(&seen, "hủy", NULL);
    expect(&seen, "hoà", NULL); /* both are seen */
    expect(&seen, "toà", NULL); /* neither */
    expect(&seen, "huy", NULL);
    expect(&seen, "qúy", "quý");
    expect(&seen, "", NULL);
    add_words(&seen, "װעגן\0");
    expect(&seen, "וועגן", "װעגן"); /* Yiddish */
    seen_words_release(&seen);
}

static void final_consonants_are_one_character_or_three(void **state)
{
    struct seen_words seen;
    (void)state;
    seen_words_init(&seen);
    add_words(&seen, "അവർ\0കൾ\0ക\u0d4d\0രാമന\u0d4d\u200d\0");
    expect(&seen, "അവര\u0d4d\u200d", "അവർ");
    expect(&seen, "രാമൻ", "രാമന\u0d4d\u200d");
    expect(&seen, "കൻ", "കന\u0d4d\u200d"); /* a new word, of which one character is not seen */
    expect(&seen, "കര\u0d4d\u200d", NULL); /* a new word of seen characters */
    seen_words_release(&seen);
}

static void letters_are_typed_as_others(void **state)
{
    struct seen_words seen;
    (void)state;
    seen_words_init(&seen);
    add_words(&seen, "և\0եվ\0հեւ\0ĝoĉjo\0ŝi\0faux\0نامەکە\0خانۀ\0بچهٔ\0");
    expect(&seen, "եւ", "և"); /* Armenian */
    expect(&seen, "Եւ", "Եվ");
    expect(&seen, "հև", "հեւ");
    expect(&seen, "Gxocxjo", "Ĝoĉjo"); /* Esperanto */
    expect(&seen, "GXOCXJO", "ĜOĈJO");
    expect(&seen, "faux", NULL);
    expect(&seen, "fauxx", NULL);
    expect(&seen, "نامه\u200cکه\u200c", "نامەکە"); /* Kurdish */
    expect(&seen, "خانهٔ", "خانۀ");                 /* Persian */
    expect(&seen, "بچۀ", "بچهٔ");
    expect(&seen, "بچه\u200cی", "بچهٔ");
    expect(&seen, "خانه\u200cی", "خانۀ"); /* by way of the other one */
    seen_words_release(&seen);
    add_words(&seen, "ĉ\0ŭ\0b\0o\0r\0d\0e\0a\0");
    expect(&seen, "bordeaux", NULL); /* x is not seen, but the word may be a name */
    expect(&seen, "cxe", "ĉe");
    seen_words_release(&seen);
    add_words(&seen, "c\0x\0a\0p\0e\0k\0");
    expect(&seen, "Ĉapek", NULL);
    seen_words_release(&seen);
}

static void sharp_s_and_yo_are_where_training_has_them(void **state)
{
    struct seen_words seen;
    (void)state;
    seen_words_init(&seen);
    add_words(&seen, "straße\0großer\0dass\0schloßstrasse\0masse\0maße\0ещё\0все\0всё\0");
    expect(&seen, "Strasse", NULL); /* which may be a name */
    expect(&seen, "STRASSE", NULL);
    expect(&seen, "grosser", "großer");
    expect(&seen, "daß", "dass");
    expect(&seen, "schlossstrasse", "schloßstrasse"); /* one of several places */
    expect(&seen, "masse", NULL);                     /* both are seen */
    expect(&seen, "kasse", NULL);                     /* neither */
    expect(&seen, "еще", "ещё");
    expect(&seen, "все", NULL);
    seen_words_release(&seen);
}

static void joiners_are_where_training_has_them(void **state)
{
    struct seen_words seen;
    (void)state;
    seen_words_init(&seen);
    add_words(&seen, "نمی\u200cدانم\0ندارم\0می\u200cروم\0میروم\0ක්\u200dරීඩාව\0");
    expect(&seen, "نمیدانم", "نمی\u200cدانم");
    expect(&seen, "نم\u200cیدانم", "نمی\u200cدانم");
    expect(&seen, "ند\u200cارم", "ندارم");
    expect(&seen, "میروم", NULL); /* both are seen */
    expect(&seen, "می\u200cروم", NULL);
    expect(&seen, "می\u200cدارم", NULL); /* a new word */
    expect(&seen, "\u200c", NULL);
    expect(&seen, "ක්රීඩාව", "ක්\u200dරීඩාව"); /* Sinhala */
    seen_words_release(&seen);
    add_words(&seen, "ندارم\0");
    expect(&seen, "د\u200cارم", "دارم"); /* a new word, of which the joiner is not seen */
    seen_words_release(&seen);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tones_are_where_training_has_them),
        cmocka_unit_test(final_consonants_are_one_character_or_three),
        cmocka_unit_test(letters_are_typed_as_others),
        cmocka_unit_test(sharp_s_and_yo_are_where_training_has_them),
        cmocka_unit_test(joiners_are_where_training_has_them),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
