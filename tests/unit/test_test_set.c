/* Test sets: from files or a config, with one or several references, and mismatches. */
#include "check.h"

#include "log.h"
#include "temporary.h"
#include "test_set.h"

#include <unistd.h>

static char source[64], first[64], second[64], two_lines[64], none[64], tsv[64];

static const struct {
    char *path;
    const char *name, *text;
} files[] = {
    {source, "source", "a\nb\nc\n"},
    {first, "first", "x x x x\ny y y y\nz z z z\n"},
    {second, "second", "u\nv\nw\n"},
    {two_lines, "two-lines", "x\ny\n"},
    {none, "none", ""},
    {tsv, "tsv", "a\tx x x x\nb\ty y y y\n"},
};
#define FILES (sizeof files / sizeof files[0])

static int write_files(void **state)
{
    log_set_level(LOG_QUIET);
    if (make_temporary_dir(state))
        return -1;
    for (size_t i = 0; i < FILES; i++) {
        snprintf(files[i].path, sizeof source, "%s/%s", temporary_dir, files[i].name);
        FILE *file = fopen(files[i].path, "w");
        fputs(files[i].text, file);
        fclose(file);
    }
    return 0;
}

static int remove_files(void **state)
{
    for (size_t i = 0; i < FILES; i++)
        unlink(files[i].path);
    return remove_temporary_dir(state);
}

static void several_references(void **state)
{
    const struct string_list references = {{first, second}, 2};
    struct test_set set = {.named = 0};
    struct err err;
    const char *of_line[LIST_MAX];
    (void)state;
    assert_int_equal(test_set_load(&set, source, &references, NULL, &err), 0);
    assert_int_equal(set.reference_count, 2);
    assert_int_equal(set.source.count, 3);
    test_set_references(of_line, &set, 1);
    assert_string_equal(of_line[0], "y y y y");
    assert_string_equal(of_line[1], "v");
    test_set_release(&set);
}

static void without_files_the_split_of_the_config(void **state)
{
    const struct string_list no_references = {{NULL}, 0};
    struct test_set set = {.named = 0};
    struct config config;
    struct err err;
    (void)state;
    config_init(&config);
    config.data.test.tsv = strdup(tsv);
    assert_int_equal(test_set_load(&set, NULL, &no_references, &config, &err), 0);
    assert_int_equal(set.source.count, 2);
    assert_string_equal(set.source.text[1], "b");
    assert_string_equal(set.references[0].text[1], "y y y y");
    test_set_release(&set);
    config_release(&config);
}

static void expect_error(const char *text, const char *path, const char *reference,
                         const struct config *config)
{
    const struct string_list references = {{reference}, reference != NULL};
    struct test_set set = {.named = 0};
    struct err err;
    assert_int_equal(test_set_load(&set, path, &references, config, &err), -1);
    assert_non_null(strstr(err.text, text));
    test_set_release(&set);
}

static void what_does_not_fit_is_refused(void **state)
{
    struct config config;
    (void)state;
    config_init(&config);
    expect_error("has 3 lines but", source, two_lines, NULL);
    expect_error("no lines", none, none, NULL);
    expect_error("no test set", NULL, NULL, NULL);
    expect_error("no test set", NULL, NULL, &config);
    expect_error("cannot read", temporary_dir, first, NULL);
    config_release(&config);
}

static void translations_are_expected_to_have_all_lines(void **state)
{
    const struct string_list references = {{first}, 1};
    struct test_set set = {.named = 0};
    struct err err;
    (void)state;
    assert_int_equal(test_set_load(&set, NULL, &references, NULL, &err), 0); /* a hypothesis alone needs no
                                                                              * source */
    assert_int_equal(test_set_expect(&set, "mine", 3, &err), 0);
    assert_int_equal(test_set_expect(&set, "mine", 2, &err), -1);
    assert_non_null(strstr(err.text, "'mine' has 2 lines but"));
    test_set_release(&set);
}

static void every_line_is_scored(void **state)
{
    const struct string_list references = {{first}, 1};
    struct test_set set = {.named = 0};
    struct metrics metrics;
    struct err err;
    (void)state;
    assert_int_equal(test_set_load(&set, NULL, &references, NULL, &err), 0);
    metrics_init(&metrics, &(struct metric_options){.tokenize = MTEVAL_13A}, 1);
    test_set_score(&metrics, &set, &set.references[0]);
    assert_int_equal(metrics.bleu.hypothesis_words, 12);
    assert_true(metric_table[PLACE_BLEU].score(&metrics) > 99.99);
    test_set_release(&set);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(several_references),
        cmocka_unit_test(without_files_the_split_of_the_config),
        cmocka_unit_test(what_does_not_fit_is_refused),
        cmocka_unit_test(translations_are_expected_to_have_all_lines),
        cmocka_unit_test(every_line_is_scored),
    };
    return cmocka_run_group_tests(tests, write_files, remove_files);
}
