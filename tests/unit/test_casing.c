/* Capitals and small letters by language. */
#include "check.h"

#include "casing.h"

static void languages_have_their_casing(void **state)
{
    static const char *const turkic[] = {"tr",  "TR",      "tr-TR",      "az",       "az-Latn-AZ",
                                         "aze", "tur",     "crh",        "gag",      "kaa",
                                         "zza", "tt-Latn", "kk-latn-KZ", "tat-Latn", "kaz-Latn"};
    static const char *const common[] = {"en",       "t",       "tra",        "trk-TR",   "kk",      "x-tr",
                                         "tt-Latin", "tt-Cyrl", "az-Cyrl-AZ", "kaa-Cyrl", "crh-cyrl"};
    (void)state;
    for (size_t i = 0; i < sizeof turkic / sizeof turkic[0]; i++)
        assert_int_equal(casing_of_language(turkic[i]), CASING_TURKIC);
    for (size_t i = 0; i < sizeof common / sizeof common[0]; i++)
        assert_int_equal(casing_of_language(common[i]), CASING_COMMON);
    assert_int_equal(casing_of_language(NULL), CASING_COMMON);
    assert_int_equal(casing_of_language("el-GR"), CASING_GREEK);
    assert_int_equal(casing_of_language("hy"), CASING_ARMENIAN);
    assert_int_equal(casing_of_language("hyw"), CASING_COMMON); /* has other capitals */
}

static void expect(void (*give)(struct strbuf *, enum casing, const char *, size_t), enum casing casing,
                   const char *text, const char *expected)
{
    struct strbuf out;
    strbuf_init(&out);
    give(&out, casing, text, strlen(text));
    assert_string_equal(out.text, expected);
    strbuf_release(&out);
}

/* The pairs of letters are those of Unicode's SpecialCasing.txt for tr and az. */
static void letters_change_case(void **state)
{
    (void)state;
    expect(casing_lower, CASING_TURKIC, "DIŞ İÇ ÖĞE I", "dış iç öğe ı");
    expect(casing_lower, CASING_COMMON, "DIŞ I", "diş i");
    expect(casing_upper, CASING_TURKIC, "dış iç öğe straße", "DIŞ İÇ ÖĞE STRASSE");
    expect(casing_upper, CASING_COMMON, "dış iç", "DIŞ IÇ");
    expect(casing_upper, CASING_COMMON, "კატა, ცxა", "კატა, ცXა"); /* capitals that are hardly used */
    expect(casing_upper, CASING_GREEK, "το σπίτι είναι ΐδιο", "ΤΟ ΣΠΙΤΙ ΕΙΝΑΙ ΪΔΙΟ");
    expect(casing_lower, CASING_GREEK, "Ώρες", "ώρες");
    expect(casing_fold, CASING_GREEK, "Ώρες", "ωρες");
    expect(casing_upper, CASING_GREEK, "ρολόι, άυλος, Μάιος, γεια", "ΡΟΛΟΪ, ΑΫΛΟΣ, ΜΑΪΟΣ, ΓΕΙΑ");
    expect(casing_fold, CASING_GREEK, "ρολόι ΡΟΛΟΪ ΡΟΛΟΙ ΰ", "ρολοι ρολοι ρολοι υ");
    expect(casing_fold, CASING_TURKIC, "DIŞ", "dış");
    expect(casing_upper, CASING_ARMENIAN, "բարև և", "ԲԱՐԵՎ ԵՎ");
    expect(casing_fold, CASING_ARMENIAN, "Բարև", "բարեվ");
    expect(casing_lower, CASING_ARMENIAN, "Բարև", "բարև");
}

static void ends_are_whole(void **state)
{
    (void)state;
    expect(casing_capitalize, CASING_TURKIC, "iyi", "İyi");
    expect(casing_capitalize, CASING_TURKIC, "ılık", "Ilık");
    expect(casing_capitalize, CASING_COMMON, "iyi", "Iyi");
    expect(casing_capitalize, CASING_COMMON, "ʻāina", "ʻĀina");
    expect(casing_capitalize, CASING_COMMON, "ʻ", "ʻ");
    expect(casing_capitalize, CASING_COMMON, "ʼn man", "ʼn man");
    expect(casing_capitalize, CASING_ARMENIAN, "և նա", "Եվ նա");
    for (enum casing casing = CASING_COMMON; casing < CASINGS; casing++) {
        expect(casing_lower, casing, "", "");
        expect(casing_upper, casing, "", "");
        expect(casing_capitalize, casing, "", "");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(languages_have_their_casing),
        cmocka_unit_test(letters_change_case),
        cmocka_unit_test(ends_are_whole),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
