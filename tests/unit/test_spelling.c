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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tones_are_where_training_has_them),
        cmocka_unit_test(final_consonants_are_one_character_or_three),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
