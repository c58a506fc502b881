/* number: what is a number, and what only begins or ends like one. */
#include "check.h"

#include "number.h"

static void numbers_are_read(void **state)
{
    static const struct {
        const char *text;
        double number;
    } given[] = {{"0", 0}, {"7", 7}, {"-1.5", -1.5}, {"+2", 2}, {".5", 0.5}, {"3.", 3}, {"1e-3", 1e-3}};
    (void)state;
    for (size_t i = 0; i < sizeof given / sizeof given[0]; i++) {
        double number = 99;
        assert_int_equal(number_read(&number, given[i].text), 0);
        assert_true(number == given[i].number);
    }
}

static void all_else_is_refused(void **state)
{
    static const char *const wrong[] = {"",
                                        " ",
                                        " 1",
                                        "\r1",
                                        "\t1",
                                        "\n1",
                                        "\v1",
                                        "\f1",
                                        "1 ",
                                        "1\r",
                                        "1\n",
                                        "1,5",
                                        "x",
                                        "-",
                                        ".",
                                        "+ 1",
                                        "1e",
                                        "nan",
                                        "inf",
                                        "-inf",
                                        "1e999",
                                        "\xc2\xa0"
                                        "1",
                                        "\x01"
                                        "1"};
    (void)state;
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        double number = 99;
        assert_int_equal(number_read(&number, wrong[i]), -1);
        assert_true(number == 99);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_are_read),
        cmocka_unit_test(all_else_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
