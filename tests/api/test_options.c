/* Options by name: what is set is what is got, and what is wrong is named. Keys of models. */
#include "tiny.h"

static void expect_option(const struct tiny *tiny, const char *option, const char *expected)
{
    char value[256] = "";
    assert_int_equal(nmt_get(tiny->translator, option, value, sizeof value), (int)strlen(expected));
    assert_string_equal(value, expected);
}

static void defaults_are_those_of_the_model(void **state)
{
    static const char *const defaults[][2] = {
        {"decoding.beam", "5"},    {"beam", "5"},         {"decoding.length_penalty", "1.2"},
        {"length-penalty", "1.2"}, {"n-best", "1"},       {"threads", "1"},
        {"batch", "32"},           {"max-tokens", "500"}, {"alignment", "false"},
        {"unk-replace", "false"},  {"dictionary", ""},    {"glossary", ""},
        {"tokens", "false"},       {"decoding.tag", ""},  {"decoding.normalization", "plain"}};
    for (size_t i = 0; i < sizeof defaults / sizeof defaults[0]; i++)
        expect_option(*state, defaults[i][0], defaults[i][1]);
}

static void what_is_set_is_got(void **state)
{
    static const char *const values[][3] = {/* option, value, the option that it is another name of */
                                            {"beam", "7", "decoding.beam"},
                                            {"length-penalty", "0.75", "decoding.length_penalty"},
                                            {"coverage-penalty", "0.25", "decoding.coverage_penalty"},
                                            {"max-length-ratio", "3", "decoding.max_length_ratio"},
                                            {"decoding.normalization", "wu", "decoding.normalization"},
                                            {"decoding.sample", "true", "decoding.sample"},
                                            {"n-best", "3", "n-best"},
                                            {"threads", "2", "threads"},
                                            {"batch", "65536", "batch"},
                                            {"max-tokens", "10", "max-tokens"},
                                            {"alignment", "true", "alignment"},
                                            {"unk-replace", "true", "unk-replace"},
                                            {"tokens", "true", "tokens"}};
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++) {
        set(*state, values[i][0], values[i][1]);
        expect_option(*state, values[i][0], values[i][1]);
        expect_option(*state, values[i][2], values[i][1]);
    }
}

static void a_value_is_cut_to_its_place_as_by_snprintf(void **state)
{
    const struct tiny *tiny = *state;
    char value[4] = "xyz";
    assert_int_equal(nmt_get(tiny->translator, "alignment", NULL, 0), 5);
    assert_int_equal(nmt_get(tiny->translator, "alignment", value, sizeof value), 5);
    assert_string_equal(value, "fal");
    assert_int_equal(nmt_model_get(tiny->model, "text.tokenizer", value, sizeof value), 6);
    assert_string_equal(value, "scr");
    assert_int_equal(nmt_model_get(tiny->model, "decoding.tag", value, sizeof value), 0);
    assert_string_equal(value, "");
}

static void a_model_has_its_config(void **state)
{
    const struct tiny *tiny = *state;
    char value[256];
    assert_int_equal(nmt_model_get(tiny->model, "model.decoder.units", value, sizeof value), 2);
    assert_string_equal(value, "32");
    assert_int_equal(nmt_model_get(tiny->model, "model.decoder", value, sizeof value), -1);
    assert_int_equal(nmt_model_get(tiny->model, "model.decoder.unit", value, sizeof value), -1);
    assert_int_equal(nmt_model_get(tiny->model, NULL, value, sizeof value), -1);
    assert_int_equal(nmt_model_get(NULL, "seed", value, sizeof value), -1);
}

static void wrong_options_are_named_and_change_nothing(void **state)
{
    static const char *const wrong[][3] = {
        {"decoding.bem", "5", "unknown key 'decoding.bem'; did you mean 'decoding.beam'?"},
        {"n-bets", "5", "unknown option 'n-bets'; did you mean 'n-best'?"},
        {"training.threads", "5",
         "'training.threads' is no option: of the config's keys, only those of 'decoding' are"},
        {"decoding.precision", "int8",
         "'decoding.precision' is no option of a translator: nmt pack gives it to a model"},
        {"decoding", "5", "unknown option 'decoding'; did you mean 'tokens'?"},
        {"beam", "0", "config key 'decoding.beam' is 0, out of range 1 to 1000"},
        {"decoding.beam", "1001", "config key 'decoding.beam' is 1001, out of range 1 to 1000"},
        {"length-penalty", "0,5", "config key 'decoding.length_penalty' must be a number, not '0,5'"},
        {"decoding.normalization", "x",
         "config key 'decoding.normalization' is 'x' where one of plain|wu is needed"},
        {"decoding.tag", "<x>", "config key 'decoding.tag' is '<x>', which is no tag of the training text"},
        {"decoding.beam", "\r1", "config key 'decoding.beam' must be a whole number, not '?1'"},
        {"beam", " 1", "config key 'decoding.beam' must be a whole number, not ' 1'"},
        {"length-penalty", "1\t", "config key 'decoding.length_penalty' must be a number, not '1?'"},
        {"n-best", "\n1", "option 'n-best' must be a whole number, not '?1'"},
        {"n-best", "0", "option 'n-best' is 0, out of range 1 to 1000"},
        {"n-best", "1.5", "option 'n-best' must be a whole number, not '1.5'"},
        {"threads", "-1", "option 'threads' is -1, out of range 0 to 1024"},
        {"batch", "", "option 'batch' must be a whole number, not ''"},
        {"batch", "99999999999999999999", "option 'batch' is 99999999999999999999, out of range 1 to 65536"},
        {"alignment", "yes", "option 'alignment' must be true or false, not 'yes'"},
        {"dictionary", "-", "option 'dictionary' must be a file, not '-'"},
        {"glossary", "-", "option 'glossary' must be a file, not '-'"},
        {"glossary", "nowhere.tsv", "cannot open 'nowhere.tsv': No such file or directory"},
        {"batch", "1\n\x1b[1m2", "option 'batch' must be a whole number, not '1??[1m2'"},
        {"dictionary", "nowhere.tsv", "cannot open 'nowhere.tsv': No such file or directory"},
        {"", "5", "unknown option ''; did you mean 'beam'?"},
    };
    const struct tiny *tiny = *state;
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        assert_int_equal(nmt_set(tiny->translator, wrong[i][0], wrong[i][1]), -1);
        assert_string_equal(nmt_error(tiny->translator), wrong[i][2]);
        assert_int_not_equal(nmt_error_code(tiny->translator), NMT_NO_ERROR);
    }
    defaults_are_those_of_the_model(state);
    assert_int_equal(nmt_get(tiny->translator, "n-bets", NULL, 0), -1);
    expect_failure(tiny->translator, NMT_WRONG_USE, "unknown option 'n-bets'; did you mean 'n-best'?");
    assert_int_equal(nmt_get(tiny->translator, "model.embedding", NULL, 0), -1);
    expect_failure(tiny->translator, NMT_WRONG_USE,
                   "'model.embedding' is no option: of the config's keys, only those of 'decoding' are");
}

/* Does a text of such characters end with a whole one? */
static int ends_whole(const char *text)
{
    const char *last = strrchr(text, '\xc3');
    return last && last[1] == '\xa9';
}

static void errors_are_cut_between_characters(void **state)
{
    const struct tiny *tiny = *state;
    char name[1202] = "", error[NMT_ERROR_BYTES], expected[NMT_ERROR_BYTES];
    for (size_t shift = 0; shift < 2; shift++) {
        memset(name, 'a', shift);
        name[shift] = '\0';
        while (strlen(name) < 1200)
            strcat(name, "\xc3\xa9");
        assert_null(nmt_open(name, error, sizeof error));
        assert_non_null(strstr(error, "\xc3\xa9: File name too long"));
        strcpy(expected, error);
        for (size_t bytes = 30; bytes < 34; bytes++) {
            assert_null(nmt_open(name, error, bytes));
            assert_true(strlen(error) >= bytes - 2 && strlen(error) < bytes);
            assert_memory_equal(error, expected, strlen(error));
            assert_true(ends_whole(error));
        }
        assert_int_equal(nmt_set(tiny->translator, "decoding.tag", name), -1);
        assert_true(ends_whole(nmt_error(tiny->translator)));
        assert_int_equal(nmt_set(tiny->translator, "batch", name), -1);
        assert_non_null(strstr(nmt_error(tiny->translator), "\xc3\xa9'"));
    }
}

static void a_file_that_cannot_be_read_is_wrong_input(void **state)
{
    const struct tiny *tiny = *state;
    static const char *const options[] = {"dictionary", "glossary"};
    for (int i = 0; i < 2; i++) {
        assert_int_equal(nmt_set(tiny->translator, options[i], "nowhere.tsv"), -1);
        expect_failure(tiny->translator, NMT_WRONG_INPUT,
                       "cannot open 'nowhere.tsv': No such file or directory");
        assert_int_equal(nmt_set(tiny->translator, options[i], "-"), -1);
        assert_int_equal(nmt_error_code(tiny->translator), NMT_WRONG_USE);
    }
}

static void more_than_the_beam_cannot_be_the_best(void **state)
{
    const struct tiny *tiny = *state;
    set(tiny, "n-best", "6");
    assert_null(nmt_translate(tiny->translator, tiny->sources, LINES));
    expect_failure(tiny->translator, NMT_WRONG_USE, "option 'n-best' is 6, more than the beam of 5");
    struct nmt_result *scores = nmt_score(tiny->translator, tiny->sources, tiny->targets, LINES);
    assert_non_null(scores); /* which are searched for nothing */
    nmt_result_free(scores);
    set(tiny, "beam", "6");
    nmt_result_free(translate(tiny->translator, tiny->sources, LINES));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TINY_TEST(defaults_are_those_of_the_model),
        TINY_TEST(what_is_set_is_got),
        TINY_TEST(a_value_is_cut_to_its_place_as_by_snprintf),
        TINY_TEST(a_model_has_its_config),
        TINY_TEST(wrong_options_are_named_and_change_nothing),
        TINY_TEST(errors_are_cut_between_characters),
        TINY_TEST(a_file_that_cannot_be_read_is_wrong_input),
        TINY_TEST(more_than_the_beam_cannot_be_the_best),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
