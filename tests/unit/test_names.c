/* names: indices in lists, and slips of the fingers. */
#include "check.h"

#include "names.h"

#include <string.h>

static void a_name_has_the_index_of_its_place(void **state)
{
    (void)state;
    assert_int_equal(names_index("gru|lstm|rnn", "gru"), 0);
    assert_int_equal(names_index("gru|lstm|rnn", "lstm"), 1);
    assert_int_equal(names_index("gru|lstm|rnn", "rnn"), 2);
    assert_int_equal(names_index("gru|lstm|rnn", "ls"), -1);
    assert_int_equal(names_index("gru|lstm|rnn", "gru|lstm"), -1);
    assert_int_equal(names_index("gru|lstm|rnn", ""), -1);
}

/* The first pair is Levenshtein's usual example. */
static void distances(void **state)
{
    char longest[65];
    (void)state;
    assert_int_equal(edit_distance("kitten", "sitting"), 3);
    assert_int_equal(edit_distance("train", "train"), 0);
    assert_int_equal(edit_distance("", "info"), 4);
    assert_int_equal(edit_distance("info", ""), 4);
    memset(longest, 'a', 64);
    longest[64] = '\0';
    assert_int_equal(edit_distance(longest, "info"), EDIT_DISTANCE_NONE - 1);
    assert_int_equal(edit_distance("info", longest), EDIT_DISTANCE_NONE - 1);
    assert_int_equal(edit_distance(longest + 1, longest + 1), 0);
}

static void slips(void **state)
{
    (void)state;
    assert_true(names_similar("trian", "train"));
    assert_true(names_similar("translat", "translate"));
    assert_true(names_similar("infos", "info"));
    assert_false(names_similar("build", "train"));
    assert_false(names_similar("x", "tune"));
}

static void the_nearest_comes_first(void **state)
{
    int best = EDIT_DISTANCE_NONE;
    (void)state;
    assert_true(names_nearer(&best, "trian", "translate"));
    assert_true(names_nearer(&best, "trian", "train"));
    assert_int_equal(best, 2);
    assert_false(names_nearer(&best, "trian", "brain"));
    assert_int_equal(best, 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_name_has_the_index_of_its_place),
        cmocka_unit_test(distances),
        cmocka_unit_test(slips),
        cmocka_unit_test(the_nearest_comes_first),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
