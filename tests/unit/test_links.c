/* Links: lists, and parsing them from lines. */
#include "check.h"

#include "links.h"

static void a_line_has_sure_and_possible_links(void **state)
{
    (void)state;
    static const struct link expected[] = {{0, 0, 1}, {12, 3, 0}, {2, 2147483647, 1}, {7, 8, 1}};
    struct links links = {0};
    assert_int_equal(links_parse(&links, " 0-0 12?3  2-2147483647 ", NULL), 0);
    assert_int_equal(links_parse(&links, "", NULL), 0);
    links_add(&links, 7, 8, true); /* after those of the line */
    assert_int_equal(links.count, 4);
    assert_memory_equal(links.items, expected, sizeof expected);
    links_release(&links);
    assert_int_equal(links.count, 0);
}

static void links_are_printed_as_they_are_read(void **state)
{
    static const char *const lines[] = {"", "0-0", "3-1 0?12 2-2147483647"};
    (void)state;
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        struct links links = {0};
        struct strbuf line;
        strbuf_init(&line);
        assert_int_equal(links_parse(&links, lines[i], NULL), 0);
        links_print(&line, &links);
        assert_string_equal(line.text, lines[i]);
        strbuf_release(&line);
        links_release(&links);
    }
}

static void many_links_are_kept(void **state)
{
    (void)state;
    struct links links = {0};
    for (int i = 0; i < 1000; i++)
        links_add(&links, i, 2 * i, i % 3);
    assert_int_equal(links.count, 1000);
    for (int i = 0; i < 1000; i++)
        assert_true(links.items[i].source == i && links.items[i].target == 2 * i &&
                    links.items[i].sure == (i % 3 != 0));
    links_release(&links);
}

static void what_is_no_link(void **state)
{
    static const char *const bad[] = {"0",   "0-",      "-1", "0-1x", "a-b", "0--1", "0-99999999999",
                                      "1 2", "0-1\t1-2"};
    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        struct links links = {0};
        struct err err;
        assert_int_equal(links_parse(&links, bad[i], &err), -1);
        assert_non_null(strstr(err.text, "is not a link such as 0-1 or 0?1"));
        links_release(&links);
    }
}

/* A quote in a message ends with a whole character. */
static void long_words_are_cut_between_characters(void **state)
{
    (void)state;
    struct links links = {0};
    struct err err;
    assert_int_equal(links_parse(&links, "0-0 xéééééééééééééééééééé", &err), -1);
    assert_string_equal(err.text, "'xééééééééééééééééééé' is not a link such as 0-1 or 0?1");
    links_release(&links);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_line_has_sure_and_possible_links),
        cmocka_unit_test(links_are_printed_as_they_are_read),
        cmocka_unit_test(many_links_are_kept),
        cmocka_unit_test(what_is_no_link),
        cmocka_unit_test(long_words_are_cut_between_characters),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
