/* Limits of requests per minute, and API keys. */
#include "unit/check.h"
#include "unit/temporary.h"

#include "keys.h"
#include "rate_limit.h"
#include "writer.h"

#include <stdio.h>
#include <string.h>

static struct rate_limit limit;

static void a_minute(void **state)
{
    (void)state;
    rate_limit_init(&limit, 1);
    for (int i = 0; i < 6; i++)
        assert_true(rate_limit_take(&limit, "a", 6, 100) == 0);
    assert_true(rate_limit_take(&limit, "b", 6, 100) == 0);
    const double wait = rate_limit_take(&limit, "a", 6, 104);
    assert_true(wait > 5.99 && wait < 6.01); /* one comes every ten seconds */
    assert_true(rate_limit_take(&limit, "a", 6, 110.1) == 0);
    assert_true(rate_limit_take(&limit, "a", 6, 110.2) > 9);
    for (int i = 0; i < 6; i++) /* after an hour there are no more than six */
        assert_true(rate_limit_take(&limit, "a", 6, 4000) == 0);
    assert_true(rate_limit_take(&limit, "a", 6, 4000) > 0);
}

/* A request that has begun earlier may be asked about later. */
static void earlier_times(void **state)
{
    (void)state;
    rate_limit_init(&limit, 1);
    assert_true(rate_limit_take(&limit, "a", 6, 100) == 0);
    for (int i = 0; i < 5; i++)
        assert_true(rate_limit_take(&limit, "a", 6, 40) == 0);
    const double wait = rate_limit_take(&limit, "a", 6, 40);
    assert_true(wait > 9.99 && wait < 10.01);
    assert_true(rate_limit_take(&limit, "a", 6, 105) > 0); /* and what has come before does not come again */
}

/* Who comes under many names displaces those who have not come for long, not who comes all the time. */
static void many_names(void **state)
{
    char name[32];
    (void)state;
    rate_limit_init(&limit, 2);
    while (rate_limit_take(&limit, "steady", 10, 1) == 0)
        ;
    for (int i = 0; i < 100000; i++) {
        snprintf(name, sizeof name, "10.0.%d.%d", i / 256, i % 256);
        rate_limit_take(&limit, name, 10, 1 + i * 1e-6);
        assert_true(rate_limit_take(&limit, "steady", 10, 1 + i * 1e-6) > 0);
    }
}

/* Loads a file of that text. */
static int load(struct keys *keys, const char *text)
{
    char path[] = "/tmp/nmt-unit-XXXXXX";
    struct err err;
    assert_int_equal(temporary_file(path), 0);
    assert_int_equal(file_replace(path, text, strlen(text), &err), 0);
    const int status = keys_load(keys, path, &err);
    unlink(path);
    return status;
}

static void keys_of_a_file(void **state)
{
    struct keys keys;
    (void)state;
    assert_int_equal(load(&keys, "# comment\n\n abc \nabcd\t30 \nb 1\n"), 0);
    assert_int_equal(keys.count, 3);
    assert_int_equal(keys_find(&keys, "abc")->per_minute, 0);
    assert_int_equal(keys_find(&keys, "abcd")->per_minute, 30);
    assert_null(keys_find(&keys, "ab"));
    assert_null(keys_find(&keys, "abcabc"));
    assert_null(keys_find(&keys, ""));
    keys_release(&keys);
    static const char *const wrong[] = {"", "# none\n", "a b\n", "a 0\n", "a 1.5\n", "b -1\n"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        assert_int_equal(load(&keys, wrong[i]), -1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_minute),
        cmocka_unit_test(earlier_times),
        cmocka_unit_test(many_names),
        cmocka_unit_test(keys_of_a_file),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
