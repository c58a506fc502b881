/* parseopt: values of options, help, and error messages. */
#include "check.h"

#include "log.h"
#include "parseopt.h"

#include <string.h>

/* A command's settings, and the table that sets them. */
struct settings {
    bool fast;
    int beam, bytes;
    double penalty;
    int form;
    const char *input, *config;
    struct string_list models, files;
    char line[512]; /* holds the arguments */
};

/* Parses a line of arguments separated by single blanks. */
static enum parse_result parse(struct settings *s, const char *line, struct err *err)
{
    const struct option_spec options[] = {
        {"fast", 'f', OPTION_FLAG, &s->fast, NULL, "no care", 0, 0},
        {"beam", 'b', OPTION_INT, &s->beam, "N", "hypotheses", 1, 1000},
        {"bytes", 0, OPTION_INT, &s->bytes, "N", "at most", 1, 1 << 30},
        {"penalty", 0, OPTION_REAL, &s->penalty, "A", "of length", 0, 10},
        {"input", 'i', OPTION_STRING, &s->input, "FILE", "what to read", 0, 0},
        {"config", 0, OPTION_STRING, &s->config, "FILE", "how to", 0, 0},
        {"model", 'm', OPTION_LIST, &s->models, "DIR", "may come again", 0, 0},
        {"compare", 0, OPTION_FILES, &s->files, "FILE...", "all the rest", 0, 0},
        {"form", 0, OPTION_CHOICE, &s->form, "plain|json|map", "of output", 0, 0},
        {NULL, 0, OPTION_FLAG, NULL, NULL, NULL, 0, 0},
    };
    char name[] = "try", *argv[LIST_MAX + 8] = {name};
    int argc = 1;
    memset(s, 0, sizeof *s);
    memset(err, 0, sizeof *err);
    snprintf(s->line, sizeof s->line, "%s", line);
    for (char *word = s->line; word && *line; argc++) {
        char *blank = strchr(word, ' ');
        argv[argc] = word;
        if (blank)
            *blank = '\0';
        word = blank ? blank + 1 : NULL;
    }
    const char *form;
    return parseopt(argc, argv, options, &form, err);
}

static void values_by_option(void **state)
{
    struct settings s;
    struct err err;
    (void)state;
    assert_int_equal(parse(&s, "-fb 12 --penalty=0.5 -i in -m a --model b", &err), PARSE_OK);
    assert_true(s.fast);
    assert_int_equal(s.beam, 12);
    assert_true(s.penalty == 0.5);
    assert_string_equal(s.input, "in");
    assert_int_equal(s.models.count, 2);
    assert_string_equal(s.models.items[0], "a");
    assert_string_equal(s.models.items[1], "b");
    assert_null(s.config);
}

/* Numbers may be repeated, long names abbreviated; without arguments nothing changes. */
static void numbers_again_and_names_shortened(void **state)
{
    struct settings s;
    struct err err;
    (void)state;
    assert_int_equal(parse(&s, "--beam 3 --beam 4", &err), PARSE_OK);
    assert_int_equal(s.beam, 4);
    assert_int_equal(parse(&s, "--pen 2", &err), PARSE_OK);
    assert_true(s.penalty == 2);
    assert_int_equal(parse(&s, "", &err), PARSE_OK);
    assert_false(s.fast);
}

static void files_take_what_follows_them(void **state)
{
    struct settings s;
    struct err err;
    (void)state;
    assert_int_equal(parse(&s, "--compare a b -f c -- d", &err), PARSE_OK);
    assert_int_equal(s.files.count, 4);
    assert_string_equal(s.files.items[2], "c");
    assert_string_equal(s.files.items[3], "d");
    assert_true(s.fast);
    assert_int_equal(parse(&s, "--compare=a b --input in --comp c d", &err), PARSE_OK);
    assert_int_equal(s.files.count, 4);
    assert_string_equal(s.files.items[3], "d");
    /* what stands behind another option is a slip, wherever the files are named */
    assert_int_equal(parse(&s, "--model m0 m1 --compare a b", &err), PARSE_WRONG);
    assert_int_equal(strncmp(err.text, "unexpected argument 'm1'", 24), 0);
    assert_int_equal(parse(&s, "--compare a b --input in c", &err), PARSE_WRONG);
    assert_int_equal(strncmp(err.text, "unexpected argument 'c'", 23), 0);
}

static void an_operand_is_an_argument_or_an_option(void **state)
{
    const char *model = NULL;
    bool fast = false;
    const struct option_spec options[] = {
        {"fast", 'f', OPTION_FLAG, &fast, NULL, "no care", 0, 0},
        {"model", 'm', OPTION_OPERAND, &model, "DIR", "which", 0, 0},
        {NULL, 0, OPTION_FLAG, NULL, NULL, NULL, 0, 0},
    };
    struct err err;
    const char *form;
    char name[] = "try", a[] = "a", b[] = "b", f[] = "-f", m[] = "-m", *plain[] = {name, a, f, NULL},
         *named[] = {name, m, b, NULL}, *two[] = {name, a, b, NULL}, *both[] = {name, m, a, b, NULL};
    (void)state;
    assert_int_equal(parseopt(3, plain, options, &form, &err), PARSE_OK);
    assert_string_equal(model, "a");
    assert_true(fast);
    assert_int_equal(parseopt(3, named, options, &form, &err), PARSE_OK);
    assert_string_equal(model, "b");
    assert_int_equal(parseopt(3, two, options, &form, &err), PARSE_WRONG);
    assert_string_equal(err.text, "unexpected argument 'b' after 'a'");
    assert_int_equal(parseopt(4, both, options, &form, &err), PARSE_WRONG);
    assert_string_equal(err.text, "option '--model' is given twice, as 'a' and 'b'");
}

static void quiet_sets_the_log_level(void **state)
{
    struct settings s;
    struct err err;
    (void)state;
    assert_int_equal(parse(&s, "--quiet", &err), PARSE_OK);
    assert_true(log_is_quiet());
    log_set_level(LOG_NORMAL);
}

static void help_may_ask_for_a_form(void **state)
{
    const struct option_spec none[] = {{NULL, 0, OPTION_FLAG, NULL, NULL, NULL, 0, 0}};
    char name[] = "try", beam[] = "--bean", plain[] = "--help", form[] = "--help=man", letter[] = "-h";
    char *const asked[][3] = {{name, plain, beam}, {name, form, beam}, {name, letter, beam}};
    (void)state;
    for (int i = 0; i < 3; i++) {
        struct err err;
        char *argv[4] = {asked[i][0], asked[i][1], asked[i][2], NULL};
        const char *wanted = "?";
        assert_int_equal(parseopt(3, argv, none, &wanted, &err), PARSE_HELP);
        if (i == 1)
            assert_string_equal(wanted, "man");
        else
            assert_null(wanted);
    }
}

static void a_value_may_look_like_an_option(void **state)
{
    struct settings s;
    struct err err;
    (void)state;
    assert_int_equal(parse(&s, "-i -beam --config -input -f", &err), PARSE_OK);
    assert_string_equal(s.input, "-beam");
    assert_string_equal(s.config, "-input");
}

static void choices_are_indices(void **state)
{
    struct settings s;
    struct err err;
    (void)state;
    assert_int_equal(parse(&s, "--form json", &err), PARSE_OK);
    assert_int_equal(s.form, 1);
    assert_int_equal(parse(&s, "--form map", &err), PARSE_OK);
    assert_int_equal(s.form, 2);
}

static void assert_wrong(const char *text, const char *line)
{
    struct settings s;
    struct err err;
    assert_int_equal(parse(&s, line, &err), PARSE_WRONG);
    assert_string_equal(err.text, text);
}

static void wrong_values_are_refused(void **state)
{
    (void)state;
    assert_wrong("option '--beam' needs a number, not 'wide'", "--beam wide");
    assert_wrong("option '--beam' needs a number, not ''", "--beam ");
    assert_wrong("option '--beam' needs a number, not '\t1'", "--beam \t1");
    assert_wrong("option '--beam' needs a number, not 'nan'", "--beam nan");
    assert_wrong("option '--beam' is 0, must be a whole number from 1 to 1000", "-b 0");
    assert_wrong("option '--beam' is 2.5, must be a whole number from 1 to 1000", "-b2.5");
    assert_wrong("option '--bytes' is 0, must be a whole number from 1 to 1073741824", "--bytes 0");
    assert_wrong("option '--penalty' is 11, must be a number from 0 to 10", "--penalty 11");
    assert_wrong("option '--form' is 'js', must be one of plain|json|map", "--form js");
    assert_wrong("option '--input' is given twice, as 'a' and 'b'", "-i a --input=b");
}

static void wrong_options_are_refused(void **state)
{
    (void)state;
    assert_wrong("unknown option '--bean'; did you mean '--beam'?", "--bean");
    assert_wrong("unknown option '--modle=x'; did you mean '--model'?", "--modle=x");
    assert_wrong("unknown option '--hlep'; did you mean '--help'?", "--hlep");
    assert_wrong("unknown option '-beam'; did you mean '--beam'?", "-beam 3");
    assert_wrong("unknown option '-fast'; did you mean '--fast'?", "-i x -fast");
    assert_wrong("unknown option '-input=x'; did you mean '--input'?", "-f -input=x");
    assert_wrong("unknown option '-config'; did you mean '--config'?", "-config x");
    assert_wrong("unknown option '--wide'", "--wide");
    assert_wrong("unknown option '--compare-with'", "--compare-with");
    assert_wrong("option '--=x' is ambiguous", "--=x");
    assert_wrong("unknown option '-x'", "-x");
    assert_wrong("unknown option '-é'", "-é");
    assert_wrong("option '--beam' needs a value", "--beam");
    assert_wrong("option '-b' needs a value", "-b");
    assert_wrong("option '--fast' takes no value", "--fast=1");
    assert_wrong("option '--co' is ambiguous", "--co x");
}

static void arguments_of_no_option_are_refused(void **state)
{
    (void)state;
    assert_wrong("unexpected argument 'text': give '--input text' to read it", "text");
    assert_wrong("unexpected argument '.': give '--model .' to use it", ".");
}

static void lists_have_an_end(void **state)
{
    char line[4 * LIST_MAX + 8] = "";
    (void)state;
    for (int i = 0; i <= LIST_MAX; i++)
        memcpy(line + 4 * i, "-ma ", 4);
    line[4 * LIST_MAX + 3] = '\0';
    assert_wrong("option '--model' given more than 64 times", line);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_by_option),
        cmocka_unit_test(numbers_again_and_names_shortened),
        cmocka_unit_test(a_value_may_look_like_an_option),
        cmocka_unit_test(files_take_what_follows_them),
        cmocka_unit_test(quiet_sets_the_log_level),
        cmocka_unit_test(help_may_ask_for_a_form),
        cmocka_unit_test(choices_are_indices),
        cmocka_unit_test(wrong_values_are_refused),
        cmocka_unit_test(wrong_options_are_refused),
        cmocka_unit_test(arguments_of_no_option_are_refused),
        cmocka_unit_test(lists_have_an_end),
        cmocka_unit_test(an_operand_is_an_argument_or_an_option),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
