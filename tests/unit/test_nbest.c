/* Lines of n-best lists: their fields, and features added to them. The form is that of Moses' manual. */
#include "check.h"

#include "nbest.h"

static void expect_added(const char *text, const char *expected)
{
    struct nbest_line line;
    struct err err;
    struct strbuf out;
    const double scores[] = {-1.5, -20};
    strbuf_init(&out);
    assert_int_equal(nbest_parse(&line, text, strlen(text), &err), 0);
    nbest_add_features(&out, &line, scores, 2);
    assert_string_equal(out.text, expected);
    strbuf_release(&out);
}

static void features_go_behind_those_that_there_are(void **state)
{
    (void)state;
    expect_added("0 ||| this house ||| LM0= -5 -6 TM= 0 ||| -7.5",
                 "0 ||| this house ||| LM0= -5 -6 TM= 0 F0= -1.500000 F1= -20.000000 ||| -7.5");
    expect_added("12 ||| a ||| lm: -5 ||| -7 ||| 0-0",
                 "12 ||| a ||| lm: -5 F0= -1.500000 F1= -20.000000 ||| -7 ||| 0-0");
    expect_added("0 ||| a ||| F0= -1 F3= 2 ||| -7",
                 "0 ||| a ||| F0= -1 F3= 2 F4= -1.500000 F5= -20.000000 ||| -7");
    expect_added("0 ||| a ||| F= 1 F1 2= xF7= 3 ||| 0",
                 "0 ||| a ||| F= 1 F1 2= xF7= 3 F0= -1.500000 F1= -20.000000 ||| 0");
    expect_added("0 ||| a ||| LM= -5", "0 ||| a ||| LM= -5 F0= -1.500000 F1= -20.000000");
    expect_added("0 ||| a |||  ||| -7", "0 ||| a ||| F0= -1.500000 F1= -20.000000 ||| -7");
    expect_added("0 ||| a |||", "0 ||| a ||| F0= -1.500000 F1= -20.000000");
}

static void features_go_before_a_score(void **state)
{
    (void)state;
    expect_added("3 ||| a b ||| -0.25", "3 ||| a b ||| F0= -1.500000 F1= -20.000000 ||| -0.25");
    expect_added("3 ||| a b ||| -0.25 ||| 0-0 1-1",
                 "3 ||| a b ||| F0= -1.500000 F1= -20.000000 ||| -0.25 ||| 0-0 1-1");
    expect_added("3 ||| a b", "3 ||| a b ||| F0= -1.500000 F1= -20.000000");
    expect_added("3 |||  ||| -0.25", "3 |||  ||| F0= -1.500000 F1= -20.000000 ||| -0.25");
}

static void expect_parts(const char *text, long sentence, const char *translation)
{
    struct nbest_line line;
    struct err err;
    assert_int_equal(nbest_parse(&line, text, strlen(text), &err), 0);
    assert_int_equal(line.sentence, sentence);
    assert_int_equal(line.translation_bytes, strlen(translation));
    assert_memory_equal(line.translation, translation, line.translation_bytes);
}

static void parts(void **state)
{
    (void)state;
    expect_parts("7 ||| a  b |||| c|||d ||| x= 1", 7, "a  b |||| c|||d");
    expect_parts("  007 |||   a   ", 7, "a");
    expect_parts("0 ||| ||| -1", 0, "");
    expect_parts("0 |||", 0, "");
    expect_parts("999999999 ||| é", 999999999, "é");
}

/* A text that would end its field is written in another way, and read back. */
static void bars_in_a_text(void **state)
{
    static const char *const texts[] = {"a ||| b", "|||", "||| a |||", "||||||| |", "&#124; a|||b", ""};
    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        struct nbest_line line;
        struct err err;
        struct strbuf text;
        strbuf_init(&text);
        strbuf_adds(&text, "7 ||| ");
        nbest_add_text(&text, texts[i]);
        strbuf_adds(&text, " ||| -1");
        assert_int_equal(nbest_parse(&line, text.text, text.length, &err), 0);
        char *translation = nbest_translation(&line);
        assert_string_equal(translation, texts[i]);
        free(translation);
        strbuf_release(&text);
    }
}

static void expect_refused(const char *text, const char *reason)
{
    struct nbest_line line;
    struct err err;
    assert_int_equal(nbest_parse(&line, text, strlen(text), &err), -1);
    assert_non_null(strstr(err.text, reason));
}

static void what_is_no_line_of_a_list(void **state)
{
    (void)state;
    expect_refused("", "no ' ||| '");
    expect_refused("a b c", "no ' ||| '");
    expect_refused("0|||a", "no ' ||| '");
    expect_refused("||| a", "'' is not the number of a sentence");
    expect_refused("x ||| a", "'x' is not the number");
    expect_refused("-1 ||| a", "'-1' is not the number");
    expect_refused("1.5 ||| a", "'1.5' is not the number");
    expect_refused("1234567890 ||| a", "'1234567890' is not the number");
    expect_refused("ééééééééééééééééééééééééééééééééééééééé字字 ||| a",
                   "'ééééééééééééééééééééééééééééééééééééééé' is not the number of"); /* of 40 columns */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(features_go_behind_those_that_there_are),
        cmocka_unit_test(features_go_before_a_score),
        cmocka_unit_test(parts),
        cmocka_unit_test(bars_in_a_text),
        cmocka_unit_test(what_is_no_line_of_a_list),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
