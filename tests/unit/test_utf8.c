/* UTF-8: validity, repair, normal forms and case, and display width. */
#include "check.h"

#include "utf8.h"

static void a_text_is_cut_between_characters(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        size_t most, whole;
    } cases[] = {{"abc", 2, 2},
                 {"a\xc3\xa9", 2, 1},
                 {"a\xc3\xa9z", 3, 3},
                 {"\xf0\x9f\x98\x80", 3, 0},
                 {"x\xe2\x82\xacx", 3, 1},
                 {"\x80\x80\x80\x80\x80\x80", 5, 2}, /* invalid: no more is left out than a character */
                 {"\xc3\xa9", 0, 0}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        assert_int_equal(utf8_whole_bytes(cases[i].text, cases[i].most), cases[i].whole);
}

static void bad_bytes_are_found(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        size_t good;
    } cases[] = {{"abc", 3},
                 {"\xc3\xa9", 2},
                 {"a\xff", 1},
                 {"\xc0\x80", 0},
                 {"\xed\xa0\x80", 0},
                 {"a\xe2\x82", 1},
                 {"\xf4\x90\x80\x80", 0},
                 {"\xf0\x9f\x98\x80", 4},
                 {"x\x80y", 1}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        assert_int_equal(utf8_check(cases[i].text, strlen(cases[i].text)), cases[i].good);
}

static void repair_replaces_each_bad_byte(void **state)
{
    (void)state;
    struct strbuf out;
    strbuf_init(&out);
    assert_int_equal(utf8_repair(&out,
                                 "a\xff\xfe"
                                 "b\xe2\x82",
                                 6),
                     4);
    assert_string_equal(out.text,
                        "a" UTF8_REPLACEMENT UTF8_REPLACEMENT "b" UTF8_REPLACEMENT UTF8_REPLACEMENT);
    strbuf_reset(&out);
    assert_int_equal(utf8_repair(&out, "a\0\0b\xff\0", 6), 4); /* no text has a NUL */
    assert_string_equal(out.text,
                        "a" UTF8_REPLACEMENT UTF8_REPLACEMENT "b" UTF8_REPLACEMENT UTF8_REPLACEMENT);
    strbuf_release(&out);
}

static void forms_and_case(void **state)
{
    (void)state;
    struct strbuf out;
    strbuf_init(&out);
    utf8_normalize(&out, "e\xcc\x81", 3, UTF8_NFC);
    assert_string_equal(out.text, "\xc3\xa9");
    strbuf_reset(&out);
    utf8_normalize(&out, "\xef\xac\x81", 3, UTF8_NFC);
    assert_string_equal(out.text, "\xef\xac\x81");
    strbuf_reset(&out);
    utf8_normalize(&out, "\xef\xac\x81", 3, UTF8_NFKC);
    assert_string_equal(out.text, "fi");
    strbuf_reset(&out);
    utf8_lower(&out, "\xc3\x89T\xc4\xb0", 5);
    assert_string_equal(out.text, "\xc3\xa9ti\xcc\x87");
    strbuf_release(&out);
}

/* An acute, class 230, comes behind a dot below, class 220. */
static void marks_are_ordered_by_thirties(void **state)
{
    (void)state;
    struct strbuf text, out;
    strbuf_init(&text);
    strbuf_init(&out);
    utf8_normalize(&out, "b\xcc\x81\xcc\xa3 \xcc\x81\xcc\xa3", 10, UTF8_NFC);
    assert_string_equal(out.text, "\xe1\xb8\x85\xcc\x81 \xcc\xa3\xcc\x81");
    strbuf_adds(&text, "q");
    for (int i = 0; i < 30; i++)
        strbuf_adds(&text, "\xcc\x81");
    strbuf_adds(&text, "\xcc\x81\xcc\xa3 ");
    strbuf_reset(&out);
    utf8_normalize(&out, text.text, text.length, UTF8_NFC);
    assert_int_equal(out.length, text.length);
    assert_memory_equal(out.text, text.text, 61);
    assert_string_equal(out.text + 61, "\xcc\xa3\xcc\x81 ");
    strbuf_release(&out);
    strbuf_release(&text);
}

static void scripts_without_blanks(void **state)
{
    (void)state;
    static const struct {
        int32_t code;
        int letters;
    } cases[] = {{'a', 0},    {0xe9, 0},   {0xe01, 1},  {0x1780, 1},  {0x3042, 2},   {0x30fc, 2}, {0x4e00, 2},
                 {0x3002, 0}, {0xac00, 0}, {0xff76, 2}, {0x20000, 2}, {0x10ffff, 0}, {0x5d0, 0}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        assert_int_equal(utf8_unspaced(cases[i].code), cases[i].letters);
}

/* Digits are parts of words in all scripts. */
static void letters_and_digits_of_words(void **state)
{
    (void)state;
    static const int32_t wordlike[] = {'a',   '0',   0xe9,  0x6f1,  0xac00, 0xff11,
                                       0xe51, 0xed1, 0xf21, 0x1041, 0x17e1},
                         others[] = {'-', ' ', 0xe01, 0xe81, 0x1780, 0x3042, 0x4e00, 0x3007};
    for (size_t i = 0; i < sizeof wordlike / sizeof wordlike[0]; i++)
        assert_true(utf8_is_wordlike(wordlike[i]));
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        assert_false(utf8_is_wordlike(others[i]));
}

/* Expected values from Python's str.lower. */
static void sigma_at_the_end_of_a_word(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        {"Σ", "σ"},
        {"ΟΔΟΣ", "οδος"},
        {"ΟΔΟΣ ΣΟΦΟΣ.", "οδος σοφος."},
        {"ΑΣ'", "ας'"},
        {"ΑΣ'Α", "ασ'α"},
        {"Α.Σ", "α.ς"},
        {"ΑΣ\xcc\x81Β", "ασ\xcc\x81β"},
        {"AΣ", "aς"},
        {"1Σ", "1σ"},
        {"Α\xc2\xadΣ", "α\xc2\xadς"},
    };
    struct strbuf out;
    strbuf_init(&out);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        strbuf_reset(&out);
        utf8_lower(&out, cases[i][0], strlen(cases[i][0]));
        assert_string_equal(out.text, cases[i][1]);
    }
    strbuf_release(&out);
}

/* utf8_check and utf8_decode (by utf8proc) must agree. */
static void one_character_is_judged_alike(void **state)
{
    (void)state;
    static const unsigned char bytes[] = {0x00, 0x41, 0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf,
                                          0xc0, 0xc1, 0xc2, 0xdf, 0xe0, 0xe1, 0xec, 0xed, 0xee,
                                          0xef, 0xf0, 0xf1, 0xf3, 0xf4, 0xf5, 0xff};
    const size_t count = sizeof bytes;
    for (size_t i = 0; i < count * count * count * count; i++) {
        const char text[] = {(char)bytes[i % count], (char)bytes[i / count % count],
                             (char)bytes[i / count / count % count], (char)bytes[i / count / count / count]};
        for (size_t length = 1; length <= sizeof text; length++) {
            int32_t code;
            const size_t used = utf8_decode(text, length, &code);
            assert_int_equal(utf8_check(text, used ? used : length) == (used ? used : length), used > 0);
            int32_t last;
            if (used) {
                assert_int_equal(utf8_count(text, used), 1);
                assert_int_equal(utf8_decode_before(text, used, &last), used);
                assert_int_equal(last, code);
            }
        }
    }
}

static void columns_are_those_of_a_terminal(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int columns;
        size_t bytes;
    } cases[] = {{"ab", 1, 1},
                 {"\xc3\xa9x", 1, 2},
                 {"e\xcc\x81x", 1, 3},                                     /* e and an accent */
                 {"\xe6\xb0\xb4\xe7\x81\xab", 2, 3},                       /* 水火 */
                 {"\xef\xbf\xad,", 1, 3},                                  /* the joiner */
                 {"\xea\xb0\x80", 2, 3},                                   /* 가 */
                 {"\xe1\x84\x80\xe1\x85\xa1", 2, 6},                       /* the same, decomposed */
                 {"\xf0\x9f\x91\xa9\xe2\x80\x8d\xf0\x9f\x94\xac!", 2, 11}, /* woman, joiner, microscope */
                 {"\xcc\x81x", 0, 2},                                      /* an accent alone */
                 {"\xff\xff", 1, 1}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        size_t bytes;
        assert_int_equal(utf8_columns(cases[i].text, &bytes), cases[i].columns);
        assert_int_equal(bytes, cases[i].bytes);
    }
}

static void white_space_of_every_kind_is_blank(void **state)
{
    (void)state;
    const char *const
        blank[] = {"", " ", "\t\r\v\f", "\xc2\xa0", "\xe3\x80\x80\xe2\x80\x83", "\xe2\x80\xa8\xc2\x85\x1f"},
        *const text[] = {"a", "\xc2\xa0x", "\xe3\x80\x80.", "\xe2\x80\x8b" /* zero-width space */};
    for (size_t i = 0; i < sizeof blank / sizeof *blank; i++)
        assert_true(utf8_blank(blank[i], strlen(blank[i])));
    for (size_t i = 0; i < sizeof text / sizeof *text; i++)
        assert_false(utf8_blank(text[i], strlen(text[i])));
}

static void digits_have_values(void **state)
{
    static const struct {
        int32_t code;
        int value;
    } cases[] = {{'0', 0},    {'9', 9},     {0x660, 0},   {0x6f9, 9},   {0x966, 0},   {0x96f, 9},
                 {0x1047, 7}, {0xff15, 5},  {0x1d7d8, 0}, {0x1d7ff, 9}, {0x104a0, 0}, {'a', -1},
                 {0xb2, -1},  {0x2160, -1}, {0x4e00, -1}, {0x965, -1}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        assert_int_equal(utf8_digit(cases[i].code), cases[i].value);
}

static void marks_and_joiners_are_no_letters(void **state)
{
    (void)state;
    static const char *const letters[] = {"a", "1 日", "ล", "e\xcc\x81"}, *const others[] = {
                                                                              "",
                                                                              "1 + 1",
                                                                              "❤️",
                                                                              "1️⃣ 50 %",
                                                                              "👨‍👩‍👧",
                                                                              "\xcc\x81"};
    for (size_t i = 0; i < sizeof letters / sizeof *letters; i++)
        assert_true(utf8_has_letter(letters[i], strlen(letters[i])));
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        assert_false(utf8_has_letter(others[i], strlen(others[i])));
}

static void characters_are_counted_and_left_whole(void **state)
{
    (void)state;
    assert_int_equal(utf8_fitting_bytes("", 10), 0);
    assert_int_equal(utf8_fitting_bytes("abc", -1), 0);
    assert_int_equal(utf8_fitting_bytes("abc", 0), 0);
    assert_int_equal(utf8_fitting_bytes("abc", 2), 2);
    assert_int_equal(utf8_fitting_bytes("abc", 3), 3);
    assert_int_equal(utf8_fitting_bytes("abc", 1000), 3);
    assert_int_equal(utf8_fitting_bytes("d\xc3\xa9j\xc3\xa0", 2), 3);
    assert_int_equal(utf8_fitting_bytes("d\xc3\xa9j\xc3\xa0", 4), 6);
}

static void wide_characters_take_two_columns(void **state)
{
    (void)state;
    const char *text = "\xe8\xa8\x93\xe7\xb7\xb4 1"; /* two ideographs, a blank, a digit */
    assert_int_equal(utf8_fitting_bytes(text, 1), 0);
    assert_int_equal(utf8_fitting_bytes(text, 2), 3);
    assert_int_equal(utf8_fitting_bytes(text, 3), 3);
    assert_int_equal(utf8_fitting_bytes(text, 5), 7);
    assert_int_equal(utf8_fitting_bytes(text, 6), 8);
    assert_int_equal(utf8_fitting_bytes("\xf0\x9f\x98\x80!", 2), 4);
}

/* A text cut within a character: the rest of it is skipped, and nothing past the end is read. */
static void what_is_no_utf8_ends(void **state)
{
    (void)state;
    assert_int_equal(utf8_fitting_bytes("a\xe8\xa8", 80), 3);
    assert_int_equal(utf8_fitting_bytes("\xa8\xa8", 80), 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_character_is_judged_alike),
        cmocka_unit_test(digits_have_values),
        cmocka_unit_test(marks_and_joiners_are_no_letters),
        cmocka_unit_test(a_text_is_cut_between_characters),
        cmocka_unit_test(bad_bytes_are_found),
        cmocka_unit_test(repair_replaces_each_bad_byte),
        cmocka_unit_test(forms_and_case),
        cmocka_unit_test(marks_are_ordered_by_thirties),
        cmocka_unit_test(scripts_without_blanks),
        cmocka_unit_test(letters_and_digits_of_words),
        cmocka_unit_test(sigma_at_the_end_of_a_word),
        cmocka_unit_test(columns_are_those_of_a_terminal),
        cmocka_unit_test(white_space_of_every_kind_is_blank),
        cmocka_unit_test(characters_are_counted_and_left_whole),
        cmocka_unit_test(wide_characters_take_two_columns),
        cmocka_unit_test(what_is_no_utf8_ends),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
