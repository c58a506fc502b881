/* Words that consist of known words. */
#include "check.h"

#include "compound.h"

#include <string.h>

static void compounds_are_found(void **state)
{
    (void)state;
    static const char *const known[] = {"hunde", "führer", "sicherheit", "gurt",
                                        "rad",   "regen",  "schirm",     "日本国民"};
    static const struct {
        const char *word;
        bool compound;
    } cases[] = {{"hundeführer", true},
                 {"hundeführerin", true},
                 {"sicherheitsgurt", true},
                 {"regenschirms", true},
                 {"führers", true},
                 {"regenregenregen", true},
                 {"hundeführersgurt", true},
                 {"hunde", false},
                 {"hundemüller", false},
                 {"müllerhunde", false},
                 {"regenrad", false}, /* "rad" is short */
                 {"hundexyzgurt", false},
                 {"sregen", false},
                 {"", false},
                 {"re", false},
                 {"日本国民日本国民", true}};
    struct strmap words;
    strmap_init(&words);
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        strmap_intern(&words, known[i], strlen(known[i]));
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        if (compound_is(cases[i].word, strlen(cases[i].word), &words, NULL) != cases[i].compound)
            fail_msg("%s", cases[i].word);
    const int64_t times[8] = {2, 1, 2, 2, 2, 2, 2, 2};
    assert_false(compound_is("hundeführer", 12, &words, times));
    assert_true(compound_is("hundegurt", 9, &words, times));
    char longest[5 * 14];
    for (int i = 0; i < 14; i++)
        memcpy(longest + 5 * i, "regen", 5);
    assert_true(compound_is(longest, 60, &words, NULL));
    assert_false(compound_is(longest, 65, &words, NULL)); /* longer than is looked at */
    strmap_release(&words);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(compounds_are_found)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
