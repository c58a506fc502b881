/* Usual forms: what is learned, raw text of words, and the file. */
#include "check.h"

#include "temporary_model.h"
#include "tokenizer.h"
#include "usual_forms.h"

#define FILE_NAME "target.forms"

/* Bengali "big" and its NFC; Burmese "permission" with its marks in both orders; "é" in one and in two. */
#define BENGALI "ব\u09dc"
#define BENGALI_NFC "ব\u09a1\u09bc"
#define BURMESE "ခွ\u1004\u103a\u1037"
#define BURMESE_NFC "ခွ\u1004\u1037\u103a"

/* Learns from lines [count] that are repeated so often. */
static void learn(struct usual_forms *forms, const char *const *text, size_t count, size_t times)
{
    const char *lines[64];
    size_t bytes[64], all = 0;
    for (size_t i = 0; i < count * times; i++, all++) {
        lines[i] = text[i % count];
        bytes[i] = strlen(lines[i]);
    }
    usual_forms_init(forms);
    usual_forms_learn(forms, lines, bytes, all);
}

static void expect(const struct usual_forms *forms, const char *text, const char *expected)
{
    struct strbuf out;
    strbuf_init(&out);
    usual_forms_write(&out, forms, text, strlen(text));
    if (strcmp(out.text ? out.text : "", expected) != 0)
        fail_msg("'%s' is '%s' instead of '%s'", text, out.text, expected);
    strbuf_release(&out);
}

static void the_most_frequent_form_is_usual(void **state)
{
    (void)state;
    struct usual_forms forms;
    const char *const text[] = {BENGALI " " BURMESE " é", BENGALI "া e\u0301", BENGALI_NFC " é"};
    learn(&forms, text, 3, 2);
    expect(&forms, BENGALI_NFC, BENGALI);
    expect(&forms, BENGALI_NFC "ো é", BENGALI "ো é"); /* with another vowel sign */
    expect(&forms, BURMESE_NFC, BURMESE_NFC);         /* twice is too seldom */
    expect(&forms, "abc ডবা", "abc ডবা");
    usual_forms_release(&forms);
    learn(&forms, text, 3, 3);
    expect(&forms, BURMESE_NFC "။", BURMESE "။");
    usual_forms_release(&forms);
}

static void text_in_nfc_has_no_forms(void **state)
{
    (void)state;
    struct usual_forms forms;
    const char *const text[] = {BENGALI_NFC, "é;", BURMESE_NFC};
    learn(&forms, text, 3, 5);
    assert_int_equal(forms.normal.count, 0);
    expect(&forms, BENGALI_NFC, BENGALI_NFC);
    usual_forms_release(&forms);
}

/* Accents apart, vowel signs of two parts, and signs that NFC takes for those of ASCII. */
static void decomposed_text_stays_so(void **state)
{
    (void)state;
    struct usual_forms forms;
    const char *const text[] = {"to\u0302\u0301i ke\u0301o", "\u09c7\u09be ক\u09c7\u09be", "τι\u037e ;"};
    learn(&forms, text, 3, 4);
    expect(&forms, "tốt kéo", "to\u0302\u0301t ke\u0301o");
    expect(&forms, "ক\u09cb", "ক\u09c7\u09be");
    expect(&forms, "ποιος;", "ποιος;"); /* as often */
    usual_forms_release(&forms);
}

static void marks_of_any_number_are_read(void **state)
{
    (void)state;
    struct usual_forms forms;
    struct strbuf text;
    strbuf_init(&text);
    strbuf_adds(&text, BENGALI);
    for (int i = 0; i < 5000; i++)
        strbuf_adds(&text, i % 3 ? "\u0f39" : "\u0f73\u0301");
    const char *const lines[] = {text.text, BENGALI " " BENGALI};
    learn(&forms, lines, 2, 1);
    expect(&forms, BENGALI_NFC, BENGALI);
    strbuf_release(&text);
    usual_forms_release(&forms);
}

static void words_become_text_in_usual_forms(void **state)
{
    (void)state;
    struct usual_forms forms;
    struct strbuf out;
    const char *const text[] = {BENGALI};
    learn(&forms, text, 1, 3);
    const struct tokenizer tokenizer = {.kind = TOKENIZE_SCRIPT,
                                        .form = UTF8_NFC,
                                        .protect = {.kinds = PATTERN_SET(PATTERN_URL)},
                                        .forms = &forms};
    static const char sentence[] = BENGALI " http://a.b/" BENGALI_NFC " (" BENGALI ")";
    strbuf_init(&out);
    for (int reversed = 0; reversed < 2; reversed++) {
        struct tokenizer own = tokenizer;
        struct strbuf words;
        own.reversed = reversed;
        strbuf_init(&words);
        strbuf_reset(&out);
        tokenizer_words(&words, &own, sentence, strlen(sentence));
        assert_null(strstr(words.text, BENGALI));
        tokenizer_text(&out, &own, words.text, words.length);
        assert_string_equal(out.text, sentence);
        strbuf_release(&words);
    }
    strbuf_release(&out);
    usual_forms_release(&forms);
}

static int load(struct usual_forms *forms, const char *text, struct err *err)
{
    struct model_files files;
    usual_forms_init(forms);
    open_temporary_model(&files, FILE_NAME, text);
    const int status = usual_forms_load(forms, &files, FILE_NAME, err);
    close_temporary_model(&files, FILE_NAME);
    return status;
}

static void forms_come_back_from_their_file(void **state)
{
    (void)state;
    struct err err;
    struct usual_forms forms;
    struct strbuf print;
    const char *const text[] = {BENGALI " " BURMESE};
    strbuf_init(&print);
    learn(&forms, text, 1, 3);
    usual_forms_print(&print, &forms);
    usual_forms_release(&forms);
    assert_string_equal(print.text, "09A1 09BC\t09DC\n1004 1037 103A\t1004 103A 1037\n");
    assert_int_equal(load(&forms, print.text, &err), 0);
    expect(&forms, BENGALI_NFC " " BURMESE_NFC, BENGALI " " BURMESE);
    strbuf_reset(&print);
    usual_forms_print(&print, &forms);
    assert_string_equal(print.text, "09A1 09BC\t09DC\n1004 1037 103A\t1004 103A 1037\n");
    usual_forms_release(&forms);
    strbuf_release(&print);
}

static void damaged_files_are_refused(void **state)
{
    (void)state;
    struct err err;
    struct usual_forms forms;
    static const char *const damaged[] = {"",
                                          "09A1 09BC",
                                          "09A1 09BC\t",
                                          "09A1 09BC\t09DC\t09DC",
                                          "09A1  09BC\t09DC",
                                          "09A1 09BC 09DC",
                                          "09DC\t09A1 09BC",
                                          "0041\t0042",
                                          "0041\t0041",
                                          "9A1 9BC\t9DC",
                                          "09a1 09bc\t09dc",
                                          "D800\tD800",
                                          "0000\t0000",
                                          "110000\t110000",
                                          "0041 09A1 09BC\t0041 09DC",
                                          "00E9\t0065 0301\n00E9\t0065 0301"};
    for (size_t i = 0; i < sizeof damaged / sizeof *damaged; i++) {
        char text[64], expected[32];
        snprintf(text, sizeof text, "%s\n", damaged[i]);
        assert_int_equal(load(&forms, text, &err), -1);
        snprintf(expected, sizeof expected, "line %d", strchr(damaged[i], '\n') ? 2 : 1);
        if (!strstr(err.text, "target.forms': ") || !strstr(err.text, expected))
            fail_msg("'%s': %s", damaged[i], err.text);
        assert_int_equal(forms.normal.count, 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_most_frequent_form_is_usual),  cmocka_unit_test(text_in_nfc_has_no_forms),
        cmocka_unit_test(decomposed_text_stays_so),         cmocka_unit_test(marks_of_any_number_are_read),
        cmocka_unit_test(words_become_text_in_usual_forms), cmocka_unit_test(forms_come_back_from_their_file),
        cmocka_unit_test(damaged_files_are_refused),
    };
    return cmocka_run_group_tests(tests, make_temporary_dir, remove_temporary_dir);
}
