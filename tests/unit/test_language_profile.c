/* Profiles of languages: what is learned, which language a text is in, and the file. */
#include "check.h"

#include "language_profile.h"
#include "temporary_model.h"

#include <math.h>

enum { EN, FR, RU, JA, LANGUAGES };

static const char *const lines[LANGUAGES][4] = {
    {"The old man is walking with his dog in the street.", "Two children are playing in the water.",
     "A woman with a red hat sings.", "What is this, and where are they?"},
    {"Le vieil homme marche avec son chien dans la rue.", "Deux enfants jouent dans l'eau.",
     "Une femme avec un chapeau rouge chante.", "Qu'est-ce que c'est, et où sont-ils ?"},
    {"Старик идёт с собакой по улице.", "Двое детей играют в воде.", "Женщина в красной шляпе поёт.",
     "Что это такое и где они?"},
    {"老人が犬と通りを歩いています。", "二人の子供が水の中で遊んでいます。",
     "赤い帽子をかぶった女性が歌っています。", "これは何ですか、彼らはどこにいますか。"}};

static void learn(struct language_profile *profile, const char *const *text, size_t count)
{
    size_t bytes[4];
    for (size_t i = 0; i < count; i++)
        bytes[i] = strlen(text[i]);
    language_profile_init(profile);
    language_profile_learn(profile, text, bytes, count);
}

static int set_up(void **state)
{
    static struct language_profile profiles[LANGUAGES];
    for (int i = 0; i < LANGUAGES; i++)
        learn(&profiles[i], lines[i], 4);
    const int status = make_temporary_dir(state);
    *state = profiles;
    return status;
}

static int tear_down(void **state)
{
    for (int i = 0; i < LANGUAGES; i++)
        language_profile_release((struct language_profile *)*state + i);
    return remove_temporary_dir(state);
}

static struct language_fit fit(const struct language_profile *profile, const char *text)
{
    return language_profile_fit(profile, text, strlen(text));
}

/* The most probable language. */
static int best_of(double *confidence, const struct language_profile *profiles, const char *text)
{
    struct language_fit fits[LANGUAGES];
    double confidences[LANGUAGES];
    int best = 0;
    for (int i = 0; i < LANGUAGES; i++)
        fits[i] = fit(&profiles[i], text);
    language_confidences(confidences, fits, LANGUAGES);
    for (int i = 0; i < LANGUAGES; i++) {
        assert_true(confidences[i] >= 0 && confidences[i] <= 1);
        best = confidences[i] > confidences[best] ? i : best;
    }
    *confidence = confidences[best];
    return best;
}

static void ngrams_are_counted(void **state)
{
    (void)state;
    static const char *const text[] = {"Ab, ab 12", "É_b"};
    struct language_profile profile;
    struct strbuf printed;
    learn(&profile, text, 2);
    strbuf_init(&printed);
    language_profile_print(&printed, &profile);
    assert_string_equal(printed.text, "_ 4\nb 3\nb_ 3\n_a 2\n_ab 2\n_ab_ 2\na 2\nab 2\nab_ 2\n_b 1\n_b_ 1\n"
                                      "_é 1\n_é_ 1\né 1\né_ 1\n");
    language_profile_release(&profile);
    strbuf_release(&printed);
}

static void languages_are_recognised(void **state)
{
    static const struct {
        const char *text;
        int language;
    } cases[] = {
        {"The dog plays.", EN},         {"THE WOMAN IS THERE", EN},     {"Le chien joue.", FR},   {"où", FR},
        {"Собака играет на улице", RU}, {"女性が犬と遊んでいます", JA}, {"ｔｈｅ ｗｏｍａｎ", EN}};
    double confidence;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        assert_int_equal(best_of(&confidence, *state, cases[i].text), cases[i].language);
    best_of(&confidence, *state,
            "A man with a dog is walking in the street, and two children are in the water.");
    assert_true(confidence > 0.99);
    best_of(&confidence, *state, "e");
    assert_true(confidence < 0.9);
    assert_true(fit(*state, "où <span title=\"the woman\">").log_probability ==
                fit(*state, "où").log_probability);
    assert_true(fit(*state, "http://the.woman/is/there %s").letters > 0); /* without other words */
}

/* However long it is. */
static void unknown_letters_give_no_confidence(void **state)
{
    double confidence;
    best_of(&confidence, *state, "Ο γέρος περπατάει με τον σκύλο του στον δρόμο");
    assert_true(confidence < 0.01);
    best_of(&confidence, *state, "한국어");
    assert_true(confidence < 0.01);
}

static void text_without_letters_has_none(void **state)
{
    static const char *const cases[] = {"", "12 + 3!", " \n", "\xe2\x82\xac"};
    double confidence;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        assert_int_equal(fit(*state, cases[i]).letters, 0);
        best_of(&confidence, *state, cases[i]);
        assert_true(confidence == 0);
    }
}

/* The beginning is enough, and no character of it is cut. */
static void long_text_is_fast(void **state)
{
    struct strbuf text;
    strbuf_init(&text);
    for (int i = 0; i < 10000; i++)
        strbuf_adds(&text, "7€ ");
    strbuf_addch(&text, 'a');
    for (int i = 0; i < 100000; i++)
        strbuf_adds(&text, "ж");
    const struct language_fit found = language_profile_fit(*state, text.text, text.length);
    assert_in_range(found.letters, 1000, 10000);
    assert_int_equal(found.known, 1);
    strbuf_release(&text);
}

/* Those of all words of up to six letters of an alphabet that the profile knows. */
static double sum_of_words(const struct language_profile *profile, char *word, size_t length)
{
    double sum = length ? exp(fit(profile, word).log_probability) : 0;
    for (const char *letter = "abc"; *letter && length < 6; letter++) {
        word[length] = *letter;
        sum += sum_of_words(profile, word, length + 1);
        word[length] = 0;
    }
    return sum;
}

static void probabilities_sum_to_one(void **state)
{
    static const char *const text[] = {"ab abc ca a b ab c ab"};
    struct language_profile profile;
    char word[8] = "";
    (void)state;
    learn(&profile, text, 1);
    const double sum = sum_of_words(&profile, word, 0);
    assert_true(sum > 0.8 && sum < 1);
    language_profile_release(&profile);
}

/* Writes `text` as a model's file and loads it. */
static int load(struct language_profile *profile, const char *text, struct err *err)
{
    struct model_files files;
    open_temporary_model(&files, "source.ngrams", text);
    language_profile_init(profile);
    const int status = language_profile_load(profile, &files, "source.ngrams", err);
    close_temporary_model(&files, "source.ngrams");
    return status;
}

static void the_file_is_read_as_it_was_written(void **state)
{
    const struct language_profile *profiles = *state;
    for (int i = 0; i < LANGUAGES; i++) {
        struct language_profile loaded;
        struct strbuf texts[2];
        struct err err;
        strbuf_init(&texts[0]);
        strbuf_init(&texts[1]);
        language_profile_print(&texts[0], &profiles[i]);
        if (load(&loaded, texts[0].text, &err))
            fail_msg("%s", err.text);
        language_profile_print(&texts[1], &loaded);
        assert_string_equal(texts[0].text, texts[1].text);
        assert_true(fit(&loaded, lines[i][0]).log_probability ==
                    fit(&profiles[i], lines[i][0]).log_probability);
        language_profile_release(&loaded);
        strbuf_release(&texts[0]);
        strbuf_release(&texts[1]);
    }
}

static void bad_files_are_refused(void **state)
{
    (void)state;
    static const char *const bad[] = {
        "ab",   "ab ",       "ab 0\n",    "ab -1\n", "ab 1x\n", "ab 99999999999999999999\n",
        " 3\n", "abcde 1\n", "a\xff 1\n", "a  1\n"};
    struct language_profile profile;
    struct err err;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        assert_int_equal(load(&profile, bad[i], &err), -1);
        assert_non_null(strstr(err.text, "source.ngrams': line 1 is not an n-gram and its count"));
    }
    assert_int_equal(load(&profile, "ab 3\nab 2\n", &err), -1);
    assert_non_null(strstr(err.text, "source.ngrams': the n-gram of line 2 is there already"));
    assert_int_equal(load(&profile, "", &err), 0);
    assert_int_equal(profile.ngrams.count, 0);
    language_profile_release(&profile);
}

/* Counts that no text has give no nonsense. */
static void contradictions_do_no_harm(void **state)
{
    (void)state;
    struct language_profile profile;
    struct err err;
    assert_int_equal(load(&profile, "ab 2147483647\na 1\nabcd 5\n", &err), 0);
    const struct language_fit found = fit(&profile, "abcd abab ba");
    assert_true(isfinite(found.log_probability) && found.log_probability < 0);
    language_profile_release(&profile);
}

static void profiles_of_several_texts_are_summed(void **state)
{
    const struct language_profile *profiles = *state;
    struct language_profile whole, halves[2], sum;
    learn(&halves[0], lines[EN], 2);
    learn(&halves[1], lines[EN] + 2, 2);
    language_profile_init(&sum);
    language_profile_merge(&sum, (const struct language_profile *const[]){&halves[0], &halves[1]}, 2);
    language_profile_init(&whole);
    language_profile_merge(&whole, (const struct language_profile *const[]){&profiles[EN]}, 1);
    assert_int_equal(sum.ngrams.count, whole.ngrams.count);
    for (int i = 0; i < 4; i++) {
        const double a = fit(&sum, lines[i][0]).log_probability, b = fit(&whole, lines[i][0]).log_probability;
        assert_true(fabs(a - b) < 1e-9);
    }
    for (int i = 0; i < 2; i++)
        language_profile_release(&halves[i]);
    language_profile_release(&sum);
    language_profile_release(&whole);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(ngrams_are_counted),
                                       cmocka_unit_test(languages_are_recognised),
                                       cmocka_unit_test(unknown_letters_give_no_confidence),
                                       cmocka_unit_test(text_without_letters_has_none),
                                       cmocka_unit_test(long_text_is_fast),
                                       cmocka_unit_test(probabilities_sum_to_one),
                                       cmocka_unit_test(the_file_is_read_as_it_was_written),
                                       cmocka_unit_test(bad_files_are_refused),
                                       cmocka_unit_test(contradictions_do_no_harm),
                                       cmocka_unit_test(profiles_of_several_texts_are_summed)};
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
