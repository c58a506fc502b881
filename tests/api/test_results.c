/* What a result says of translations: fields that belong together agree, and each option does what it
 * says. */
#include "tiny.h"

#include <math.h>

static const struct nmt_translation *best(const struct nmt_result *result, size_t line)
{
    return nmt_result_translation(result, line, 0);
}

static void expect_near(double value, double expected, double tolerance)
{
    if (!(fabs(value - expected) <= tolerance))
        fail_msg("%.9g, expected %.9g", value, expected);
}

/* Joins tokens or words with blanks. */
static void join(char *text, const char *const *parts, size_t count)
{
    *text = '\0';
    for (size_t i = 0; i < count; i++) {
        strcat(text, i ? " " : "");
        strcat(text, parts[i]);
    }
}

static void every_line_has_its_translation_in_order(void **state)
{
    const struct tiny *tiny = *state;
    struct nmt_result *result = translate(tiny->translator, tiny->sources, LINES);
    assert_int_equal(nmt_result_lines(result), LINES);
    for (size_t i = 0; i < LINES; i++) {
        assert_int_equal(nmt_result_count(result, i), 1);
        assert_string_equal(nmt_text(result, i), tiny->targets[i]);
        assert_string_equal(best(result, i)->text, tiny->targets[i]);
    }
    assert_int_equal(nmt_result_count(result, LINES), 0);
    assert_null(nmt_text(result, LINES));
    assert_null(nmt_result_translation(result, LINES, 0));
    assert_null(nmt_result_translation(result, 0, 1));
    nmt_result_free(result);
}

static void no_lines_make_a_result_without_lines(void **state)
{
    const struct tiny *tiny = *state;
    const char *none[] = {"x"};
    struct nmt_result *results[] = {
        translate(tiny->translator, NULL, 0), translate(tiny->translator, none, 0),
        nmt_score(tiny->translator, NULL, NULL, 0), nmt_translate_prefixed(tiny->translator, NULL, NULL, 0)};
    for (size_t i = 0; i < sizeof results / sizeof results[0]; i++) {
        assert_non_null(results[i]);
        assert_int_equal(nmt_result_lines(results[i]), 0);
        assert_null(nmt_text(results[i], 0));
        nmt_result_free(results[i]);
    }
}

static void an_empty_line_has_an_empty_translation(void **state)
{
    const struct tiny *tiny = *state;
    const char *lines[] = {"", tiny->sources[0], " \t ", "\n"};
    set(tiny, "alignment", "true");
    set(tiny, "n-best", "3");
    struct nmt_result *result = translate(tiny->translator, lines, 4);
    assert_string_equal(nmt_text(result, 1), tiny->targets[0]);
    for (size_t i = 0; i < 4; i += i ? 1 : 2) {
        const struct nmt_translation *t = best(result, i);
        assert_int_equal(nmt_result_count(result, i), 1);
        assert_string_equal(t->text, "");
        assert_int_equal(t->token_count + t->source_token_count + t->word_count + t->source_word_count, 0);
        assert_int_equal(t->link_count, 0);
        assert_null(t->attention);
        expect_near(t->log_probability, 0, 0);
        assert_non_null(t->token_log_probabilities);
        assert_non_null(t->word_confidences);
    }
    nmt_result_free(result);
}

static void line_ends_within_a_line_count_as_blanks(void **state)
{
    const struct tiny *tiny = *state;
    char split[4096];
    snprintf(split, sizeof split, "\r\n%s\n", tiny->sources[0]);
    for (char *blank = split; (blank = strchr(blank, ' '));)
        *blank = '\n';
    const char *lines[] = {split};
    struct nmt_result *result = translate(tiny->translator, lines, 1);
    assert_string_equal(nmt_text(result, 0), tiny->targets[0]);
    assert_int_equal(best(result, 0)->source_repaired, 0);
    nmt_result_free(result);
}

static void expect_sums(const struct nmt_translation *t)
{
    double sum = 0, of_words = 0;
    char tokens[4096];
    join(tokens, t->tokens, t->token_count);
    assert_true(t->token_count > 0 && t->word_count > 0 && t->word_count <= t->token_count);
    assert_true(t->source_token_count > 0 && t->source_word_count > 0);
    for (size_t i = 0; i <= t->token_count; i++) {
        assert_true(t->token_log_probabilities[i] <= 0);
        sum += (double)t->token_log_probabilities[i];
    }
    expect_near(sum, t->log_probability, 1e-4);
    for (size_t i = 0; i < t->word_count; i++) {
        assert_true(t->word_confidences[i] >= 0 && t->word_confidences[i] <= 1);
        of_words += log((double)t->word_confidences[i]);
    }
    expect_near(of_words, sum - (double)t->token_log_probabilities[t->token_count], 1e-3);
}

static void n_best_fall_in_score_and_their_numbers_agree(void **state)
{
    const struct tiny *tiny = *state;
    set(tiny, "beam", "6");
    set(tiny, "n-best", "4");
    struct nmt_result *result = translate(tiny->translator, tiny->sources, LINES);
    size_t several = 0;
    for (size_t i = 0; i < LINES; i++) {
        const size_t count = nmt_result_count(result, i);
        assert_true(count >= 1 && count <= 4);
        several += count > 1;
        for (size_t k = 0; k < count; k++) {
            const struct nmt_translation *t = nmt_result_translation(result, i, k);
            expect_sums(t);
            assert_true(!k || t->score <= nmt_result_translation(result, i, k - 1)->score);
            assert_null(t->links);
            assert_null(t->attention);
        }
    }
    assert_true(several > 0);
    nmt_result_free(result);
}

static void expect_alignment(const struct nmt_translation *t)
{
    const size_t columns = t->source_token_count + 1;
    for (size_t i = 0; i <= t->token_count; i++) {
        double sum = 0;
        for (size_t j = 0; j < columns; j++)
            sum += (double)t->attention[i * columns + j];
        expect_near(sum, i == t->token_count && t->target_cut ? 0 : 1, 1e-4);
    }
    assert_int_equal(t->link_count, t->word_count);
    for (size_t i = 0; i < t->link_count; i++) {
        assert_int_equal(t->links[i].target, i);
        assert_true(t->links[i].source < t->source_word_count);
    }
}

static void alignment_is_made_of_attention(void **state)
{
    const struct tiny *tiny = *state;
    set(tiny, "alignment", "true");
    struct nmt_result *result = translate(tiny->translator, tiny->sources, LINES);
    for (size_t i = 0; i < LINES; i++)
        expect_alignment(best(result, i));
    nmt_result_free(result);
}

static void tokens_and_words_are_those_of_the_tokenizer(void **state)
{
    const struct tiny *tiny = *state;
    struct nmt_result *result = translate(tiny->translator, tiny->sources, LINES);
    for (size_t i = 0; i < LINES; i++) {
        const struct nmt_translation *t = best(result, i);
        char joined[4096];
        char *tokens = nmt_tokenize(tiny->translator, NMT_SOURCE, tiny->sources[i]);
        join(joined, t->source_tokens, t->source_token_count);
        assert_string_equal(joined, tokens);
        nmt_free(tokens);
        join(joined, t->tokens, t->token_count);
        char *text = nmt_detokenize(tiny->translator, NMT_TARGET, joined);
        assert_string_equal(text, t->text);
        nmt_free(text);
        for (size_t w = 0; w < t->word_count; w++)
            assert_null(strstr(t->words[w], "@@"));
    }
    nmt_result_free(result);
}

static void tokens_go_in_as_they_come_out(void **state)
{
    const struct tiny *tiny = *state;
    char *tokens[LINES];
    for (size_t i = 0; i < LINES; i++)
        tokens[i] = nmt_tokenize(tiny->translator, NMT_SOURCE, tiny->sources[i]);
    set(tiny, "tokens", "true");
    struct nmt_result *result = translate(tiny->translator, (const char *const *)tokens, LINES);
    for (size_t i = 0; i < LINES; i++) {
        assert_string_equal(nmt_text(result, i), tiny->targets[i]);
        nmt_free(tokens[i]);
    }
    nmt_result_free(result);
}

static void keep_message(void *context, const char *message)
{
    snprintf(context, NMT_ERROR_BYTES, "%s", message);
}

static void invalid_bytes_become_replacement_characters(void **state)
{
    const struct tiny *tiny = *state;
    char message[NMT_ERROR_BYTES] = "";
    nmt_on_log(tiny->translator, keep_message, message);
    for (int side = NMT_SOURCE; side <= NMT_TARGET; side++) {
        char *tokens = nmt_tokenize(tiny->translator, (enum nmt_side)side, "\xff \xed\xa0\x80");
        assert_non_null(tokens);
        assert_null(strpbrk(tokens, "\xff\xa0"));
        char *text = nmt_detokenize(tiny->translator, (enum nmt_side)side, "a\xff");
        assert_string_equal(text, "a\xef\xbf\xbd");
        assert_string_equal(message, "not valid UTF-8; U+FFFD put in");
        nmt_free(tokens);
        nmt_free(text);
    }
}

static void translations_begin_with_their_prefixes(void **state)
{
    const struct tiny *tiny = *state;
    const char *lines[] = {tiny->sources[0], tiny->sources[0], tiny->sources[0], ""};
    const char *prefixes[] = {"Il ne", NULL, "", "Il ne"};
    struct nmt_result *result =
        expect_result(tiny->translator, nmt_translate_prefixed(tiny->translator, lines, prefixes, 4));
    assert_memory_equal(nmt_text(result, 0), "Il ne", 5);
    expect_sums(best(result, 0));
    assert_string_equal(nmt_text(result, 1), tiny->targets[0]);
    assert_string_equal(nmt_text(result, 2), tiny->targets[0]);
    nmt_result_free(result);
}

/* But for the unknown word and the mark of begin, which a search excludes. */
static void a_score_is_that_of_the_search(void **state)
{
    const struct tiny *tiny = *state;
    set(tiny, "beam", "1");
    set(tiny, "alignment", "true");
    struct nmt_result *found = translate(tiny->translator, tiny->sources, LINES);
    struct nmt_result *scored =
        expect_result(tiny->translator, nmt_score(tiny->translator, tiny->sources, tiny->targets, LINES));
    for (size_t i = 0; i < LINES; i++) {
        const struct nmt_translation *a = best(found, i), *b = best(scored, i);
        assert_int_equal(nmt_result_count(scored, i), 1);
        assert_string_equal(b->text, tiny->targets[i]);
        expect_near(b->log_probability, a->log_probability, 0.03);
        expect_near(b->score, a->score, 0.03);
        expect_sums(b);
        expect_alignment(b);
        assert_int_equal(b->token_count, a->token_count);
        for (size_t w = 0; w < a->word_count; w++) {
            assert_string_equal(b->words[w], a->words[w]);
            assert_int_equal(b->links[w].source, a->links[w].source);
        }
    }
    nmt_result_free(found);
    nmt_result_free(scored);
}

static void a_wrong_translation_scores_less(void **state)
{
    const struct tiny *tiny = *state;
    const char *sources[] = {tiny->sources[0], tiny->sources[0], tiny->sources[0], ""};
    const char *targets[] = {tiny->targets[0], tiny->targets[1], "", tiny->targets[0]};
    struct nmt_result *result =
        expect_result(tiny->translator, nmt_score(tiny->translator, sources, targets, 4));
    for (size_t i = 1; i < 3; i++)
        assert_true(best(result, i)->log_probability < best(result, 0)->log_probability - 1);
    assert_int_equal(best(result, 2)->token_count, 0);
    assert_true(isfinite(best(result, 3)->log_probability));
    nmt_result_free(result);
}

static void samples_depend_on_the_seed_alone(void **state)
{
    const struct tiny *tiny = *state;
    const char *lines[] = {"Unknown weather!"};
    char texts[3][4096];
    set(tiny, "decoding.sample", "true");
    set(tiny, "decoding.temperature", "3");
    for (int i = 0; i < 3; i++) {
        set(tiny, "decoding.seed", i == 2 ? "8" : "7");
        struct nmt_result *result = translate(tiny->translator, lines, 1);
        snprintf(texts[i], sizeof texts[i], "%s", nmt_text(result, 0));
        expect_sums(best(result, 0));
        nmt_result_free(result);
    }
    assert_string_equal(texts[0], texts[1]);
    assert_string_not_equal(texts[0], texts[2]);
}

static void a_long_line_is_divided_and_says_so(void **state)
{
    const struct tiny *tiny = *state;
    const char *lines[] = {"a b c d e f g", tiny->sources[0], "", "a\xff"};
    set(tiny, "max-tokens", "3");
    set(tiny, "alignment", "true");
    for (int off = 0; off < 2; off++) {
        set(tiny, "decoding.split", off ? "off" : "auto");
        struct nmt_result *result = translate(tiny->translator, lines, 4);
        assert_int_equal(best(result, 0)->source_token_count, 7);
        assert_int_equal(best(result, 0)->source_cut, 0);
        assert_int_equal(best(result, 0)->source_divided, 1);
        assert_int_equal(best(result, 0)->source_repaired, 0);
        assert_int_equal(best(result, 0)->parts, 3);
        assert_int_equal(best(result, 2)->source_divided, 0);
        assert_int_equal(best(result, 2)->parts, 0);
        assert_int_equal(best(result, 3)->source_repaired, 1);
        expect_sums(best(result, 0));
        nmt_result_free(result);
    }
}

static void a_long_line_is_not_lost_in_any_search(void **state)
{
    const struct tiny *tiny = *state;
    const char *lines[] = {"a b c d e f g"}, *prefixes[] = {"Il"};
    set(tiny, "max-tokens", "3");
    set(tiny, "alignment", "true");
    set(tiny, "n-best", "3");
    struct nmt_result *result = translate(tiny->translator, lines, 1);
    assert_int_equal(nmt_result_count(result, 0), 1);
    assert_int_equal(best(result, 0)->source_token_count, 7);
    nmt_result_free(result);
    set(tiny, "n-best", "1");
    result = expect_result(tiny->translator, nmt_translate_prefixed(tiny->translator, lines, prefixes, 1));
    assert_int_equal(strncmp(nmt_text(result, 0), "Il", 2), 0);
    assert_int_equal(best(result, 0)->source_token_count, 7);
    nmt_result_free(result);
    set(tiny, "tokens", "true");
    result = translate(tiny->translator, lines, 1);
    assert_int_equal(best(result, 0)->source_token_count, 7);
    nmt_result_free(result);
}

/* Up to 4,000 tokens, of which nothing is cut. */
static void what_is_too_long_is_not_scored(void **state)
{
    const struct tiny *tiny = *state;
    char line[2 * 4001 + 1] = "";
    const char *sources[] = {tiny->sources[0], line}, *targets[] = {tiny->targets[0], "Il"};
    for (int i = 0; i < 4000; i++)
        strcpy(line + 2 * i, "a ");
    struct nmt_result *result =
        expect_result(tiny->translator, nmt_score(tiny->translator, sources, targets, 2));
    assert_int_equal(best(result, 1)->source_cut, 0);
    nmt_result_free(result);
    strcat(line, "a");
    assert_null(nmt_score(tiny->translator, sources, targets, 2));
    expect_failure(tiny->translator, NMT_WRONG_INPUT,
                   "line 2: it or its translation has more than 4000 tokens");
    assert_null(nmt_score(tiny->translator, targets, sources, 2));
    expect_failure(tiny->translator, NMT_WRONG_INPUT,
                   "line 2: it or its translation has more than 4000 tokens");
}

static void sentences_are_translated_each_by_itself(void **state)
{
    const struct tiny *tiny = *state;
    char line[512], expected[512];
    snprintf(line, sizeof line, "%s\t %s\n%s", tiny->sources[0], tiny->sources[1], tiny->sources[2]);
    snprintf(expected, sizeof expected, "%s\t %s %s", tiny->targets[0], tiny->targets[1], tiny->targets[2]);
    const char *lines[] = {line};
    struct nmt_result *result = translate(tiny->translator, lines, 1);
    assert_string_equal(nmt_text(result, 0), expected);
    assert_int_equal(best(result, 0)->parts, 3);
    assert_int_equal(best(result, 0)->source_divided, 0);
    expect_sums(best(result, 0));
    nmt_result_free(result);
    set(tiny, "split", "on");
    set(tiny, "n-best", "2");
    assert_null(nmt_translate(tiny->translator, lines, 1));
    expect_failure(tiny->translator, NMT_WRONG_USE, "option 'decoding.split' is on, which 'n-best' excludes");
    set(tiny, "decoding.split", "auto");
    result = translate(tiny->translator, lines, 1);
    assert_int_equal(nmt_result_count(result, 0), 2);
    assert_int_equal(best(result, 0)->parts, 1);
    nmt_result_free(result);
}

static void the_limit_on_length_ends_a_translation(void **state)
{
    const struct tiny *tiny = *state;
    char prefix[4096] = "Il";
    for (int i = 0; i < 30; i++)
        strcat(prefix, " ne boit");
    const char *lines[] = {tiny->sources[0], tiny->sources[0]}, *prefixes[] = {prefix, NULL};
    set(tiny, "decoding.min_length", "500");
    set(tiny, "alignment", "true");
    struct nmt_result *result =
        expect_result(tiny->translator, nmt_translate_prefixed(tiny->translator, lines, prefixes, 2));
    for (size_t i = 0; i < 2; i++) {
        const struct nmt_translation *t = best(result, i);
        assert_int_equal(t->target_cut, 1);
        expect_near((double)t->token_log_probabilities[t->token_count], 0, 0);
        expect_sums(t);
        expect_alignment(t);
    }
    nmt_result_free(result);
}

static void a_line_does_not_depend_on_the_others(void **state)
{
    const struct tiny *tiny = *state;
    static const char *const settings[][2] = {{"batch", "1"}, {"batch", "7"}, {"threads", "3"}};
    for (size_t s = 0; s < sizeof settings / sizeof settings[0]; s++) {
        set(tiny, settings[s][0], settings[s][1]);
        struct nmt_result *result = translate(tiny->translator, tiny->sources, LINES);
        for (size_t i = 0; i < LINES; i++) {
            struct nmt_result *alone = translate(tiny->translator, &tiny->sources[i], 1);
            assert_string_equal(nmt_text(alone, 0), nmt_text(result, i));
            expect_near(best(alone, 0)->score, best(result, i)->score, 1e-4);
            nmt_result_free(alone);
        }
        nmt_result_free(result);
    }
}

static void an_ensemble_of_one_model_is_that_model(void **state)
{
    const struct tiny *tiny = *state;
    char error[NMT_ERROR_BYTES];
    const char *paths[] = {tiny->path, tiny->path};
    struct nmt_model *both = nmt_open_ensemble(paths, 2, error, sizeof error);
    assert_non_null(both);
    struct nmt_translator *translator = tiny_translator(both);
    struct nmt_result *one = translate(tiny->translator, tiny->sources, LINES),
                      *two = translate(translator, tiny->sources, LINES);
    for (size_t i = 0; i < LINES; i++) {
        assert_string_equal(nmt_text(two, i), nmt_text(one, i));
        expect_near(best(two, i)->log_probability, best(one, i)->log_probability, 1e-3);
    }
    nmt_result_free(one);
    nmt_result_free(two);
    two = expect_result(translator, nmt_score(translator, tiny->sources, tiny->targets, LINES));
    expect_sums(best(two, 0));
    nmt_result_free(two);
    nmt_translator_free(translator);
    nmt_close(both);
}

static void results_outlive_translator_and_model(void **state)
{
    struct tiny *tiny = *state;
    struct nmt_translator *other = tiny_translator(tiny->model);
    nmt_translator_free(tiny->translator);
    nmt_close(tiny->model);
    tiny->translator = NULL;
    tiny->model = NULL;
    struct nmt_result *result = translate(other, tiny->sources, LINES);
    nmt_translator_free(other);
    assert_string_equal(nmt_text(result, LINES - 1), tiny->targets[LINES - 1]);
    nmt_result_free(result);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TINY_TEST(every_line_has_its_translation_in_order),
        TINY_TEST(no_lines_make_a_result_without_lines),
        TINY_TEST(an_empty_line_has_an_empty_translation),
        TINY_TEST(line_ends_within_a_line_count_as_blanks),
        TINY_TEST(n_best_fall_in_score_and_their_numbers_agree),
        TINY_TEST(alignment_is_made_of_attention),
        TINY_TEST(tokens_and_words_are_those_of_the_tokenizer),
        TINY_TEST(tokens_go_in_as_they_come_out),
        TINY_TEST(invalid_bytes_become_replacement_characters),
        TINY_TEST(translations_begin_with_their_prefixes),
        TINY_TEST(a_score_is_that_of_the_search),
        TINY_TEST(a_wrong_translation_scores_less),
        TINY_TEST(samples_depend_on_the_seed_alone),
        TINY_TEST(a_long_line_is_divided_and_says_so),
        TINY_TEST(a_long_line_is_not_lost_in_any_search),
        TINY_TEST(what_is_too_long_is_not_scored),
        TINY_TEST(sentences_are_translated_each_by_itself),
        TINY_TEST(the_limit_on_length_ends_a_translation),
        TINY_TEST(a_line_does_not_depend_on_the_others),
        TINY_TEST(an_ensemble_of_one_model_is_that_model),
        TINY_TEST(results_outlive_translator_and_model),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
