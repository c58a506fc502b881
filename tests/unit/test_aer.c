/* Alignment error rate: scores of given links, and parsing of link files. */
#include "check.h"

#include "aer.h"

#include <math.h>

static void expect_rate(const char *found, const char *reference, double rate)
{
    struct aer aer = {0};
    struct links a = {0}, b = {0};
    struct err err;
    assert_int_equal(links_parse(&a, found, &err), 0);
    assert_int_equal(links_parse(&b, reference, &err), 0);
    aer_add(&aer, &a, &b);
    assert_true(fabs(aer_rate(&aer) - rate) < 1e-12);
    links_release(&a);
    links_release(&b);
}

/* Expected values computed by hand from the definition. */
static void rates(void **state)
{
    (void)state;
    expect_rate("0-0 1-1", "0-0 1-1", 0);
    expect_rate("0-1 1-0", "0-0 1-1", 1);
    expect_rate("0-0 1-1", "0-0 1?1", 0);           /* A 2, S 1, A∩S 1, A∩P 2 */
    expect_rate("0-0", "0-0 1-1", 1 - 2 / 3.0);     /* A 1, S 2, A∩S 1, A∩P 1 */
    expect_rate("0-0 2-1 1-1", "0-0 1?1 2-2", 0.4); /* A 3, S 2, A∩S 1, A∩P 2 */
    expect_rate("0-0 0-0", "0-0 0-0", 0);           /* a repeated link counts once */
    expect_rate("0-0", "0?0 0-0", 0);               /* sure, if it is so once */
    expect_rate("", "", 0);
    expect_rate(" 3-4  ", "3-4", 0);
}

static void precision_and_recall(void **state)
{
    (void)state;
    struct aer aer = {0};
    struct links a = {0}, b = {0};
    assert_int_equal(links_parse(&a, "0-0 2-1 1-1", NULL), 0);
    assert_int_equal(links_parse(&b, "0-0 1?1 2-2", NULL), 0);
    aer_add(&aer, &a, &b);
    assert_true(fabs(aer_precision(&aer) - 2 / 3.0) < 1e-12);
    assert_true(fabs(aer_recall(&aer) - 0.5) < 1e-12);
    links_release(&a);
    links_release(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rates),
        cmocka_unit_test(precision_and_recall),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
