/* String maps: numbers in order of first appearance. */
#include "check.h"

#include "strmap.h"

static void numbers_follow_first_sight(void **state)
{
    (void)state;
    struct strmap map;
    strmap_init(&map);
    assert_int_equal(strmap_find(&map, "a", 1), -1);
    assert_int_equal(strmap_intern(&map, "a", 1), 0);
    assert_int_equal(strmap_intern(&map, "", 0), 1);
    assert_int_equal(strmap_intern(&map, "a\0b", 3), 2);
    assert_int_equal(strmap_intern(&map, "a", 1), 0);
    assert_int_equal(strmap_find(&map, "a\0b", 3), 2);
    assert_int_equal(strmap_find(&map, "a\0c", 3), -1);
    assert_int_equal(strmap_length(&map, 2), 3);
    assert_string_equal(strmap_text(&map, 0), "a");
    strmap_release(&map);
}

static void many_strings_stay_found(void **state)
{
    (void)state;
    struct strmap map;
    char text[16];
    strmap_init(&map);
    for (int round = 0; round < 2; round++)
        for (int i = 0; i < 20000; i++) {
            const int length = snprintf(text, sizeof text, "w%d", i);
            assert_int_equal(strmap_intern(&map, text, (size_t)length), i);
        }
    assert_int_equal(map.count, 20000);
    strmap_release(&map);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_follow_first_sight),
        cmocka_unit_test(many_strings_stay_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
