/* Log: how much of a progress line fits into a terminal. */
#include "check.h"

#include "log.h"

static void characters_are_counted_and_left_whole(void **state)
{
    (void)state;
    assert_int_equal(fitting_bytes("", 10), 0);
    assert_int_equal(fitting_bytes("abc", -1), 0);
    assert_int_equal(fitting_bytes("abc", 0), 0);
    assert_int_equal(fitting_bytes("abc", 2), 2);
    assert_int_equal(fitting_bytes("abc", 3), 3);
    assert_int_equal(fitting_bytes("abc", 1000), 3);
    assert_int_equal(fitting_bytes("d\xc3\xa9j\xc3\xa0", 2), 3);
    assert_int_equal(fitting_bytes("d\xc3\xa9j\xc3\xa0", 4), 6);
}

static void wide_characters_take_two_columns(void **state)
{
    (void)state;
    const char *text = "\xe8\xa8\x93\xe7\xb7\xb4 1"; /* two ideographs, a blank, a digit */
    assert_int_equal(fitting_bytes(text, 1), 0);
    assert_int_equal(fitting_bytes(text, 2), 3);
    assert_int_equal(fitting_bytes(text, 3), 3);
    assert_int_equal(fitting_bytes(text, 5), 7);
    assert_int_equal(fitting_bytes(text, 6), 8);
    assert_int_equal(fitting_bytes("\xf0\x9f\x98\x80!", 2), 4);
}

/* A text cut within a character: the rest of it is skipped, and nothing past the end is read. */
static void what_is_no_utf8_ends(void **state)
{
    (void)state;
    assert_int_equal(fitting_bytes("a\xe8\xa8", 80), 3);
    assert_int_equal(fitting_bytes("\xa8\xa8", 80), 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(characters_are_counted_and_left_whole),
        cmocka_unit_test(wide_characters_take_two_columns),
        cmocka_unit_test(what_is_no_utf8_ends),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
