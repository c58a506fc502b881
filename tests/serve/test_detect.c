/* How the languages of a set of models are recognised: the tiny model, and one from before there were
 * profiles. $NMT_TINY is the folder of train.en, train.fr and models/tiny. */
#include "unit/check.h"

#include "mem.h"
#include "model_set.h"

#include <string.h>

static struct model_set *open_tiny(void)
{
    struct string_list settings = {.count = 0};
    struct err err;
    char *path = xasprintf("%s/models/tiny", getenv("NMT_TINY"));
    struct model_set *set =
        model_set_open(&(const struct string_list){.items = {path}, .count = 1}, &settings, &err);
    if (!set)
        fail_msg("%s", err.text);
    xfree(path);
    return set;
}

static size_t detect(struct language_guess *guesses, const struct model_set *set, const char *text)
{
    return model_set_detect(guesses, set, text, strlen(text));
}

static void both_languages_are_recognised(void **state)
{
    (void)state;
    struct language_guess guesses[2];
    struct model_set *set = open_tiny();
    assert_int_equal(detect(guesses, set, "Where is the man with the dog?"), 2);
    assert_string_equal(guesses[0].code, "en");
    assert_string_equal(guesses[1].code, "fr");
    assert_true(guesses[0].confidence > 0.8 && guesses[0].confidence + guesses[1].confidence < 1.000001);
    assert_int_equal(detect(guesses, set, "OÙ EST L'HOMME AVEC LE CHIEN ?"), 2);
    assert_string_equal(guesses[0].code, "fr");
    assert_int_equal(detect(guesses, set, "Где собака?"), 2);
    assert_true(guesses[0].confidence < 0.01);
    assert_int_equal(detect(guesses, set, " 12 + 3 !"), 0);
    assert_int_equal(detect(guesses, set, ""), 0);
    model_set_release(set);
}

/* Its text is not taken for another language. */
static void nothing_is_recognised_where_a_profile_is_missing(void **state)
{
    (void)state;
    struct language_guess guesses[2];
    struct model_set *set = open_tiny();
    language_profile_release(&set->languages[0].profile);
    assert_int_equal(detect(guesses, set, "Where is the man?"), 0);
    model_set_release(set);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(both_languages_are_recognised),
                                       cmocka_unit_test(nothing_is_recognised_where_a_profile_is_missing)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
