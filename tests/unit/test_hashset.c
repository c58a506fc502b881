/* Hash sets: a string is new only once. */
#include "check.h"

#include "hashset.h"

static void a_string_is_new_once(void **state)
{
    (void)state;
    struct hashset set = {.count = 0};
    assert_false(hashset_has(&set, "a", 1));
    assert_true(hashset_add(&set, "a", 1));
    assert_true(hashset_add(&set, "", 0));
    assert_true(hashset_add(&set, "a\0b", 3));
    assert_false(hashset_add(&set, "a", 1));
    assert_false(hashset_add(&set, "", 0));
    assert_true(hashset_has(&set, "a\0b", 3));
    assert_false(hashset_has(&set, "a\0c", 3));
    assert_int_equal(set.count, 3);
    hashset_release(&set);
}

static void many_strings_stay_found(void **state)
{
    (void)state;
    struct hashset set = {.count = 0};
    char text[16];
    for (int round = 0; round < 2; round++)
        for (int i = 0; i < 100000; i++) {
            const int length = snprintf(text, sizeof text, "w%d", i);
            assert_true(hashset_add(&set, text, (size_t)length) == (round == 0));
        }
    assert_int_equal(set.count, 100000);
    assert_false(hashset_has(&set, "w100000", 7));
    hashset_release(&set);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_string_is_new_once),
        cmocka_unit_test(many_strings_stay_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
