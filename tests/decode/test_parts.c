/* Lines that are translated in parts: their joined text, tokens, attention and scores. */
#include "random_translator.h"

#include <math.h>

/* Joins the translations of single lines as that of a line of them must be: texts with blanks, tokens without
 * the end marks, whose log-probabilities are those of the tokens before. */
static void expect_joined(const struct translation *line, const struct translations *alone, int count)
{
    int token = 0, column = 0;
    double sum = 0;
    size_t at = 0;
    for (int p = 0; p < count; p++) {
        const struct translation *part = alone[p].best;
        assert_memory_equal(line->text + at, part->text, strlen(part->text));
        at += strlen(part->text) + 1;
        for (int i = 0; i < part->length; i++) {
            const bool mark = i + 1 == part->length, last = p + 1 == count;
            if (mark && !last)
                break;
            const float *row = line->alpha + (token + i) * line->source_length;
            const float *from = part->alpha + i * part->source_length;
            for (int j = 0; j + 1 < part->source_length; j++)
                assert_true(row[column + j] == from[j]);
            assert_true(row[line->source_length - 1] == from[part->source_length - 1]);
            const size_t begin = line->token_begin[token + i];
            if (!mark)
                assert_int_equal(line->subwords[begin], part->subwords[part->token_begin[i]]);
            const bool with_mark = !last && i + 2 == part->length;
            assert_true(fabs(line->token_log_probabilities[token + i] - part->token_log_probabilities[i] -
                             (with_mark ? part->token_log_probabilities[i + 1] : 0)) < 1e-5);
        }
        token += part->length - 1;
        column += part->source_length - 1;
        sum += part->terms.log_probability;
    }
    assert_int_equal(line->length, token + 1);
    assert_int_equal(line->source_length, column + 1);
    assert_int_equal(line->token_begin[token], strlen(line->subwords) + 1);
    assert_true(fabs(line->terms.log_probability - sum) < 1e-9);
}

static void a_line_is_its_sentences(void **state)
{
    struct fixture *f = *state;
    static const char *const whole[] = {"  abc.\thag.\nde! ", NULL}, *const single[] = {"abc.", "hag.", "de!",
                                                                                        NULL};
    struct lines line = {.count = 0}, sentences = {.count = 0};
    struct translations out[1], alone[3];
    struct translate_options *options = &f->translator.options;
    options->beam.alignment = true;
    options->beam.max_length_ratio = 3;
    add_lines(&line, whole);
    add_lines(&sentences, single);
    translator_run(&f->translator, alone, &sentences, NULL, NULL, NULL);
    options->split = SPLIT_ON;
    translator_run(&f->translator, out, &line, NULL, NULL, NULL);
    assert_int_equal(out[0].best->parts, 3);
    assert_false(out[0].best->divided);
    assert_int_equal(f->translator.divided_lines, 0);
    expect_joined(out[0].best, alone, 3);
    struct score_terms terms = out[0].best->terms;
    assert_int_equal(terms.length, out[0].best->length - (out[0].best->end != END_MARK));
    assert_true(out[0].best->score == beam_score(&terms, &options->beam));
    translations_release(&out[0]);
    options->split = SPLIT_AUTO; /* nothing is known of the training text */
    translator_run(&f->translator, out, &line, NULL, NULL, NULL);
    assert_int_equal(out[0].best->parts, 1);
    release_all(out, &line);
    release_all(alone, &sentences);
}

/* What is copied has no tokens, attention or score. */
static void sentences_without_letters_are_left_out(void **state)
{
    struct fixture *f = *state;
    static const char *const whole[] = {"abc.\thag!\n12!\n34!", NULL},
                             *const single[] = {"abc.", "hag!", NULL},
                             *const signs[] = {"12!\n34!", "12!", " ", NULL};
    struct lines line = {.count = 0}, sentences = {.count = 0}, copied = {.count = 0};
    struct translations out[1], alone[2], copy[3];
    f->params[f->loaded.model.readout.output.bias + VOCAB_END] += 30; /* ends as early as allowed */
    f->translator.options.beam.min_length = 3;
    f->translator.options.beam.alignment = true;
    f->translator.options.split = SPLIT_ON;
    f->translator.source.protect.kinds = 1;
    add_lines(&line, whole);
    add_lines(&sentences, single);
    add_lines(&copied, signs);
    translator_run(&f->translator, alone, &sentences, NULL, NULL, NULL);
    translator_run(&f->translator, out, &line, NULL, NULL, NULL);
    translator_run(&f->translator, copy, &copied, NULL, NULL, NULL);
    assert_int_equal(alone[1].best->end, END_MARK);
    expect_joined(out[0].best, alone, 2);
    assert_non_null(strstr(out[0].best->text, "12! 34!"));
    assert_string_equal(copy[0].best->text, "12! 34!");
    assert_int_equal(out[0].best->parts, 4);
    for (int i = 0; i < 3; i++)
        assert_int_equal(copy[i].best->parts, 2 - i);
    release_all(copy, &copied);
    release_all(out, &line);
    release_all(alone, &sentences);
}

static void what_is_too_long_is_divided_whatever_the_options(void **state)
{
    struct fixture *f = *state;
    static const char *const texts[] = {"abcd, efgh", "ab", NULL};
    struct lines lines = {.count = 0};
    struct translations out[2];
    struct translate_options *options = &f->translator.options;
    options->max_tokens = 6;
    options->keep_source = true;
    add_lines(&lines, texts);
    for (enum split_kind split = SPLIT_AUTO; split <= SPLIT_OFF; split++)
        for (int n_best = 1; n_best <= 2; n_best++) {
            f->translator.divided_lines = 0;
            options->split = split;
            options->beam.n_best = n_best;
            translator_run(&f->translator, out, &lines, NULL, NULL, NULL);
            assert_int_equal(out[0].count, 1);
            assert_string_equal(out[0].best->source, "a b c d , e f g h");
            assert_int_equal(out[0].best->parts, 2);
            assert_true(out[0].best->divided);
            assert_int_equal(f->translator.divided_lines, 1);
            assert_int_equal(out[1].count, n_best);
            assert_int_equal(out[1].best->parts, 1);
            assert_false(out[1].best->divided);
            for (int i = 0; i < 2; i++)
                translations_release(&out[i]);
        }
    lines_release(&lines);
}

static void each_line_is_one_search_up_to_the_limit(void **state)
{
    struct fixture *f = *state;
    static const char *const texts[] = {"abcdefghabcd, efghabcdefgh", "abcd, efgh", NULL};
    static const int longest[] = {6, 22}; /* tokens of the longest line that was seen; below 20, 20 count */
    struct lines lines = {.count = 0};
    struct translations out[2];
    add_lines(&lines, texts);
    for (enum split_kind split = SPLIT_AUTO; split <= SPLIT_OFF; split++)
        for (int k = 0; k < 2; k++) {
            f->loaded.pair.splitter.longest = longest[k];
            f->translator.options.split = split;
            f->translator.options.max_tokens = 500;
            translator_run(&f->translator, out, &lines, NULL, NULL, NULL);
            assert_int_equal(out[0].best->parts, split == SPLIT_OFF ? 1 : 2);
            assert_int_equal(out[1].best->parts, 1);
            translations_release(&out[0]);
            translations_release(&out[1]);
            f->translator.options.max_tokens = 8;
            translator_run(&f->translator, out, &lines, NULL, NULL, NULL);
            assert_int_equal(out[1].best->parts, 2);
            translations_release(&out[0]);
            translations_release(&out[1]);
        }
    lines_release(&lines);
}

static void the_prefix_of_a_divided_line_is_that_of_its_first_part(void **state)
{
    struct fixture *f = *state;
    static const char *const texts[] = {"abcd, efgh", "abcd,", "efgh", NULL}, *const begin[] = {"hh", "hh",
                                                                                                "", NULL};
    struct lines lines = {.count = 0}, prefixes = {.count = 0};
    struct translations out[3];
    char expected[4096];
    f->translator.options.max_tokens = 6;
    f->translator.options.beam.min_length = 3;
    add_lines(&lines, texts);
    add_lines(&prefixes, begin);
    translator_run(&f->translator, out, &lines, &prefixes, NULL, NULL);
    assert_true(out[0].best->divided);
    assert_int_equal(strncmp(out[0].best->text, "hh", 2), 0);
    snprintf(expected, sizeof expected, "%s %s", out[1].best->text, out[2].best->text);
    assert_string_equal(out[0].best->text, expected);
    lines_release(&prefixes);
    release_all(out, &lines);
}

static void tokens_are_divided_between_tokens(void **state)
{
    struct fixture *f = *state;
    static const char *const texts[] = {"a b c d  e f g h", NULL};
    struct lines lines = {.count = 0};
    struct translations out[1];
    f->translator.options.max_tokens = 3;
    f->translator.options.tokens = f->translator.options.keep_source = true;
    add_lines(&lines, texts);
    translator_run(&f->translator, out, &lines, NULL, NULL, NULL);
    assert_int_equal(out[0].best->parts, 3);
    assert_string_equal(out[0].best->source, "a b c d e f g h");
    release_all(out, &lines);
}

static void what_comes_between_parts_depends_on_the_text(void **state)
{
    static const struct {
        const char *line, *parts[2], *between;
    } cases[] = {
        {"abcdefgh", {"abcd", "efgh"}, ""}, /* a word */
        {"ab./cd./", {"ab./", "cd./"}, ""}, /* an address */
        {"abc efg", {"abc", "efg"}, " "},
        {"ab。 cd。", {"ab。", "cd。"}, " "},
        {"ab。cd。", {"ab。", "cd。"}, " "}, /* the translation is not Chinese */
        {"ab日日cd", {"ab日", "日cd"}, " "},
        {"ab!\xe3\x80\x80"
         "cd",
         {"ab!", "cd"},
         " "},
        {"ab!\xe2\x80\x83"
         "cd",
         {"ab!", "cd"},
         "\xe2\x80\x83"},
        {"ab!\n cd", {"ab!", "cd"}, "  "},
    };
    struct fixture *f = *state;
    f->translator.options.max_tokens = 4;
    f->translator.options.beam.min_length = 3;
    f->translator.options.split = SPLIT_ON;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct lines lines = {.count = 0};
        struct translations out[3];
        const char *const texts[] = {cases[i].line, cases[i].parts[0], cases[i].parts[1], NULL};
        char expected[4096];
        add_lines(&lines, texts);
        translator_run(&f->translator, out, &lines, NULL, NULL, NULL);
        assert_int_equal(out[0].best->parts, 2);
        assert_true(*out[1].best->text && *out[2].best->text);
        snprintf(expected, sizeof expected, "%s%s%s", out[1].best->text, cases[i].between, out[2].best->text);
        assert_string_equal(out[0].best->text, expected);
        release_all(out, &lines);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_MODEL(a_line_is_its_sentences),
        WITH_MODEL(sentences_without_letters_are_left_out),
        WITH_MODEL(what_is_too_long_is_divided_whatever_the_options),
        WITH_MODEL(each_line_is_one_search_up_to_the_limit),
        WITH_MODEL(the_prefix_of_a_divided_line_is_that_of_its_first_part),
        WITH_MODEL(tokens_are_divided_between_tokens),
        WITH_MODEL(what_comes_between_parts_depends_on_the_text),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
