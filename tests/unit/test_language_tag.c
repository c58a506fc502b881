/* Language tags: the examples of RFC 5646, appendix A, and tags that are none. */
#include "check.h"

#include "language_tag.h"

static void tags_of_the_rfc_are_well_formed(void **state)
{
    (void)state;
    static const char *const tags[] = {
        "de",
        "fr",
        "ja",
        "i-enochian",
        "zh-Hant",
        "zh-Hans",
        "sr-Cyrl",
        "sr-Latn",
        "zh-cmn-Hans-CN",
        "cmn-Hans-CN",
        "zh-yue-HK",
        "yue-HK",
        "zh-Hans-CN",
        "sr-Latn-RS",
        "sl-rozaj",
        "sl-rozaj-biske",
        "sl-nedis",
        "de-CH-1901",
        "sl-IT-nedis",
        "hy-Latn-IT-arevela",
        "de-DE",
        "en-US",
        "es-419",
        "de-CH-x-phonebk",
        "az-Arab-x-AZE-derbend",
        "x-whatever",
        "qaa-Qaaa-QM-x-southern",
        "de-Qaaa",
        "sr-Latn-QM",
        "sr-Qaaa-RS",
        "en-US-u-islamcal",
        "zh-CN-a-myext-x-private",
        "en-a-myext-b-another",
        "EN-latn-us", /* in any case */
        "sgn-be-fr",
        "art-lojban",
        "zh-min-nan",
        "zh-cmn-yue-min", /* three extended subtags */
    };
    for (size_t i = 0; i < sizeof tags / sizeof tags[0]; i++)
        if (!language_tag_valid(tags[i]))
            fail_msg("'%s' is refused", tags[i]);
}

static void other_words_are_not(void **state)
{
    (void)state;
    static const char *const words[] = {
        "de-419-DE", /* two regions (the RFC) */
        "a-DE",      /* a singleton for a language (the RFC) */
        "",
        "-",
        "e",
        "en-",
        "-en",
        "en--US",
        "en_US",
        "en US",
        "english-",
        "englishman", /* ten letters */
        "e1",
        "12",
        "en-x",
        "en-u",
        "en-u-x-a",
        "en-US-x-",
        "x",
        "x-",
        "x-toolongone",
        "en-Latn-Cyrl",
        "en-abcdefghi",
        "zh-cmn-yue-min-nan",
        "i-unknown",
        "français",
        "en\n",
    };
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (language_tag_valid(words[i]))
            fail_msg("'%s' is taken", words[i]);
}

static void tags_match_ranges(void **state)
{
    (void)state;
    assert_true(language_tag_matches("tt", "tt"));
    assert_true(language_tag_matches("TT-latn-RU", "tt-Latn"));
    assert_false(language_tag_matches("tt", "tt-Latn"));
    assert_false(language_tag_matches("tt-Latin", "tt-Latn"));
    assert_false(language_tag_matches("tta", "tt"));
    assert_false(language_tag_matches("", "tt"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tags_of_the_rfc_are_well_formed),
        cmocka_unit_test(other_words_are_not),
        cmocka_unit_test(tags_match_ranges),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
