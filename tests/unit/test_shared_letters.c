/* Which languages share letters: by how frequent each is, not by whether it occurs. */
#include "check.h"

#include "shared_letters.h"

static void add(struct lines *lines, const char *text, int times)
{
    for (int i = 0; i < times; i++)
        lines_add(lines, text, strlen(text));
}

static double shared(const char *source, const char *target, const char *foreign)
{
    struct lines sides[2] = {{.count = 0}, {.count = 0}};
    add(&sides[0], source, 20);
    add(&sides[1], target, 20);
    add(&sides[0], foreign, 1);
    add(&sides[1], foreign, 1);
    const double part = shared_letters(&sides[0], &sides[1]);
    lines_release(&sides[0]);
    lines_release(&sides[1]);
    return part;
}

static void letters_of_one_alphabet_are_shared(void **state)
{
    (void)state;
    assert_true(shared("the quick brown fox jumps over the lazy dog", "portez ce vieux whisky au juge", "") >
                0.8);
    assert_true(shared("abc", "abc", "") == 1);
    assert_true(shared("ab", "abcd", "") == 0.5);
}

static void letters_of_two_alphabets_are_not(void **state)
{
    (void)state;
    assert_true(shared("the cat sat on the mat", "кошка сидела на ковре", "") == 0);
    /* here and there a name in the other's letters, digits and signs are the same */
    assert_true(shared("the cat sat, 12", "кошка сидела, 12", "Linux Кошка") < 0.1);
    assert_true(shared("кошка сидела, 12", "the cat sat, 12", "Linux Кошка") < 0.1);
}

static void text_without_letters_shares_none(void **state)
{
    (void)state;
    assert_true(shared("1 2 3", "1 2 3", "") == 0);
    assert_true(shared("", "abc", "") == 0);
    assert_true(shared("abc", "", "") == 0);
    assert_true(shared("a\xff",
                       "\xff\xff"
                       "a",
                       "") == 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(letters_of_one_alphabet_are_shared),
        cmocka_unit_test(letters_of_two_alphabets_are_not),
        cmocka_unit_test(text_without_letters_shares_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
