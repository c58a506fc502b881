/* String maps: numbers in order of first appearance. */
#include "check.h"

#include "mem.h"
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

static void strings_are_ranked_by_their_counts(void **state)
{
    (void)state;
    static const char *const texts[] = {"b", "never", "a", "most"};
    static const int64_t counts[] = {2, 0, 2, 7};
    static const int expected[] = {3, 2, 0};
    struct strmap map;
    size_t count;
    strmap_init(&map);
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        strmap_intern(&map, texts[i], strlen(texts[i]));
    int *numbers = strmap_rank(&count, &map, counts);
    assert_int_equal(count, 3);
    for (size_t i = 0; i < count; i++)
        assert_int_equal(numbers[i], expected[i]);
    xfree(numbers);
    strmap_release(&map);
    strmap_init(&map);
    xfree(strmap_rank(&count, &map, counts));
    assert_int_equal(count, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_follow_first_sight),
        cmocka_unit_test(many_strings_stay_found),
        cmocka_unit_test(strings_are_ranked_by_their_counts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
