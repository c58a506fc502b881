/* What a valid line is. Reading lines from files is tested in test_line_window.c and test_pair_reader.c. */
#include "check.h"

#include "lines.h"
#include "strbuf.h"

static void expect_error(const char *bytes, size_t count, int64_t number, const char *expected)
{
    struct strbuf line;
    struct err err;
    strbuf_init(&line);
    strbuf_add(&line, bytes, count);
    assert_int_equal(line_check(&line, 0, "text", number, &err), -1);
    if (!strstr(err.text, expected))
        fail_msg("'%s' is not in '%s'", expected, err.text);
    strbuf_release(&line);
}

/* Every second byte is NUL, in more than half of the line. */
static void utf_16_without_a_mark_is_guessed_on_the_first_line_alone(void **state)
{
    (void)state;
    expect_error("a\0b\0", 4, 1, "this looks like UTF-16LE");
    expect_error("\0a\0b\0", 5, 1, "this looks like UTF-16BE");
    expect_error("a\0b\0cde", 7, 1, "NUL byte at line 1, byte 2");
    expect_error("a\0b\0cdef", 8, 1, "NUL byte at line 1, byte 2"); /* exactly half of them */
    expect_error("a\0b\0cd", 6, 1, "this looks like UTF-16LE");
    expect_error("a\0b\0", 4, 2, "NUL byte at line 2, byte 2");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(utf_16_without_a_mark_is_guessed_on_the_first_line_alone)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
