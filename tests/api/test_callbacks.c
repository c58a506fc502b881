/* What a translator calls back: progress, the question whether to stop, messages; and what a callback may
 * do. */
#include "tiny.h"

#include "unit/temporary.h"

#include <locale.h>

/* What one test's callbacks saw, and what they do. */
struct calls {
    const struct tiny *tiny;
    struct nmt_translator *other;
    size_t progress, done, lines;
    int asked, cancel_at;
    char messages[4096];
};

static void count_progress(void *context, size_t done, size_t lines)
{
    struct calls *calls = context;
    assert_true(done >= calls->done && done <= lines);
    calls->progress++;
    calls->done = done;
    calls->lines = lines;
}

static int count_questions(void *context)
{
    struct calls *calls = context;
    return ++calls->asked == calls->cancel_at;
}

static void keep_message(void *context, const char *message)
{
    struct calls *calls = context;
    strcat(calls->messages, message);
    strcat(calls->messages, "\n");
}

static void progress_comes_after_each_batch(void **state)
{
    const struct tiny *tiny = *state;
    static const char *const threads[] = {"1", "3"};
    set(tiny, "batch", "4");
    for (int i = 0; i < 2; i++) {
        struct calls calls = {.tiny = tiny};
        set(tiny, "threads", threads[i]);
        nmt_on_progress(tiny->translator, count_progress, &calls);
        nmt_result_free(translate(tiny->translator, tiny->sources, LINES));
        assert_true(calls.progress >= LINES / 4);
        assert_int_equal(calls.done, LINES);
        assert_int_equal(calls.lines, LINES);
        nmt_on_progress(tiny->translator, NULL, NULL);
        nmt_result_free(translate(tiny->translator, tiny->sources, LINES));
        assert_int_equal(calls.done, LINES);
    }
}

static void lines_without_a_search_are_done_too(void **state)
{
    static const char *const lines[] = {"", " ", "\n"};
    const struct tiny *tiny = *state;
    struct calls calls = {.tiny = tiny};
    nmt_on_progress(tiny->translator, count_progress, &calls);
    nmt_result_free(translate(tiny->translator, NULL, 0));
    assert_int_equal(calls.progress, 0);
    nmt_result_free(translate(tiny->translator, lines, 3));
    assert_int_equal(calls.progress, 1);
    assert_int_equal(calls.done, 3);
    assert_int_equal(calls.lines, 3);
}

static void a_call_can_be_cancelled_while_it_reads(void **state)
{
    const struct tiny *tiny = *state;
    struct calls calls = {.tiny = tiny, .cancel_at = 3};
    const char *lines[1000];
    for (size_t i = 0; i < 1000; i++)
        lines[i] = i < 500 ? "" : tiny->sources[0];
    nmt_on_cancel(tiny->translator, count_questions, &calls);
    nmt_on_progress(tiny->translator, count_progress, &calls);
    assert_null(nmt_translate(tiny->translator, lines, 1000));
    expect_failure(tiny->translator, NMT_CANCELLED, "cancelled");
    assert_int_equal(calls.progress, 0);
    calls.asked = 2;
    assert_null(nmt_translate(tiny->translator, lines, 1)); /* a blank line */
    expect_failure(tiny->translator, NMT_CANCELLED, "cancelled");
    calls.asked = 2;
    assert_null(nmt_score(tiny->translator, lines, lines, 1));
    expect_failure(tiny->translator, NMT_CANCELLED, "cancelled");
    calls.cancel_at = 0;
    struct nmt_result *result = translate(tiny->translator, &lines[500], 1);
    assert_string_equal(nmt_text(result, 0), tiny->targets[0]);
    nmt_result_free(result);
}

static void a_call_can_be_cancelled_at_every_step(void **state)
{
    const struct tiny *tiny = *state;
    struct calls calls = {.tiny = tiny};
    set(tiny, "threads", "2");
    set(tiny, "batch", "8");
    nmt_on_cancel(tiny->translator, count_questions, &calls);
    nmt_result_free(translate(tiny->translator, tiny->sources, LINES));
    const int steps = calls.asked;
    assert_true(steps > 5);
    for (calls.cancel_at = 1; calls.cancel_at <= steps; calls.cancel_at++) {
        calls.asked = 0;
        assert_null(nmt_translate(tiny->translator, tiny->sources, LINES));
        expect_failure(tiny->translator, NMT_CANCELLED, "cancelled");
    }
    calls.cancel_at = 0;
    struct nmt_result *result = translate(tiny->translator, tiny->sources, LINES);
    assert_string_equal(nmt_text(result, 0), tiny->targets[0]);
    nmt_result_free(result);
}

static void warnings_name_their_lines(void **state)
{
    const struct tiny *tiny = *state;
    struct calls calls = {.tiny = tiny};
    const char *lines[] = {"Hi", "a\xff", "a b c d e f g"};
    set(tiny, "max-tokens", "3");
    nmt_on_log(tiny->translator, keep_message, &calls);
    for (int off = 0; off < 2; off++) {
        memset(calls.messages, 0, sizeof calls.messages);
        set(tiny, "decoding.split", off ? "off" : "auto");
        nmt_result_free(translate(tiny->translator, lines, 3));
        assert_string_equal(calls.messages,
                            "line 2: not valid UTF-8; U+FFFD put in\nline 3: a sentence is longer than the "
                            "model has seen or max-tokens allows: translated in parts\n");
    }
}

static void warnings_say_what_may_be_invalid(void **state)
{
    const struct tiny *tiny = *state;
    struct calls calls = {.tiny = tiny};
    const char *others[] = {"Il", "\xff"};
    nmt_on_log(tiny->translator, keep_message, &calls);
    nmt_result_free(
        expect_result(tiny->translator, nmt_translate_prefixed(tiny->translator, tiny->sources, others, 2)));
    nmt_result_free(expect_result(tiny->translator, nmt_score(tiny->translator, tiny->sources, others, 2)));
    assert_string_equal(calls.messages, "line 2: it or its prefix is not valid UTF-8; U+FFFD put in\n"
                                        "line 2: it or its target is not valid UTF-8; U+FFFD put in\n");
}

static void warnings_name_missed_terms(void **state)
{
    const struct tiny *tiny = *state;
    struct calls calls = {.tiny = tiny};
    const char *lines[] = {"Hi", "Hello, hello!"};
    char path[] = "/tmp/nmt-api-XXXXXX";
    assert_int_equal(temporary_file(path), 0);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs("hello\t\xe2\x98\x82\n", file); /* which is in no word of the training text */
    fclose(file);
    set(tiny, "glossary", path);
    remove(path);
    nmt_on_log(tiny->translator, keep_message, &calls);
    nmt_result_free(translate(tiny->translator, lines, 2));
    assert_non_null(strstr(calls.messages, "1 term cannot be written by the model"));
    assert_non_null(strstr(calls.messages, "\nline 2: 2 terms of the glossary not used\n"));
    assert_null(strstr(calls.messages, "line 1"));
}

static void messages_are_cut_between_characters(void **state)
{
    const struct tiny *tiny = *state;
    const char *lines[] = {"Hi"};
    for (int odd = 0; odd < 2; odd++) {
        struct calls calls = {.tiny = tiny};
        char path[] = "/tmp/nmt-api-XXXXXX";
        assert_int_equal(temporary_file(path), 0);
        FILE *file = fopen(path, "w");
        assert_non_null(file);
        for (int term = 0; term < 10; term++) { /* whose translations are letters of two bytes, no model's */
            fprintf(file, "a%d\t%s", term, odd && !term ? "x" : "");
            for (int i = 0; i < 150; i++)
                fputs("\xd1\x91", file);
            fputs("\n", file);
        }
        fclose(file);
        set(tiny, "glossary", path);
        remove(path);
        nmt_on_log(tiny->translator, keep_message, &calls);
        nmt_result_free(translate(tiny->translator, lines, 1));
        const char *end = strstr(calls.messages, "10 terms cannot be written by the model");
        assert_non_null(end);
        end = strchr(end, '\n');
        assert_true(end[-2] == '\xd1' && end[-1] == '\x91'); /* the last letter is whole */
    }
}

/* Uses another translator, and is refused its own. */
static void translate_within(void *context, size_t done, size_t lines)
{
    struct calls *calls = context;
    const struct tiny *tiny = calls->tiny;
    struct nmt_result *result = translate(calls->other, tiny->sources, 2);
    assert_string_equal(nmt_text(result, 1), tiny->targets[1]);
    nmt_result_free(result);
    assert_null(nmt_translate(tiny->translator, tiny->sources, 1));
    expect_failure(tiny->translator, NMT_WRONG_USE, "the translator is in use by another call");
    assert_int_equal(nmt_set(tiny->translator, "beam", "2"), -1);
    assert_int_equal(nmt_get(tiny->translator, "beam", NULL, 0), -1);
    assert_null(nmt_tokenize(tiny->translator, NMT_SOURCE, "x"));
    nmt_on_progress(tiny->translator, NULL, NULL);
    nmt_translator_free(tiny->translator);
    calls->done = done;
    calls->lines = lines;
    calls->progress++;
}

static void a_callback_may_use_other_translators(void **state)
{
    const struct tiny *tiny = *state;
    struct calls calls = {.tiny = tiny, .other = tiny_translator(tiny->model)};
    set(tiny, "batch", "7");
    nmt_on_progress(tiny->translator, translate_within, &calls);
    struct nmt_result *result = translate(tiny->translator, tiny->sources, LINES);
    assert_string_equal(nmt_text(result, 0), tiny->targets[0]);
    assert_true(calls.progress > 1);
    nmt_result_free(result);
    nmt_translator_free(calls.other);
}

static locale_t hosts_locale;

static int note_locale(void *context)
{
    int *other = context;
    *other += uselocale((locale_t)0) != hosts_locale;
    return 0;
}

static void callbacks_run_in_the_locale_of_their_host(void **state)
{
    const struct tiny *tiny = *state;
    int other = 0;
    hosts_locale = newlocale(LC_ALL_MASK, "C.UTF-8", (locale_t)0);
    if (!hosts_locale)
        skip();
    const locale_t before = uselocale(hosts_locale);
    set(tiny, "threads", "2");
    set(tiny, "batch", "4");
    nmt_on_cancel(tiny->translator, note_locale, &other);
    nmt_result_free(translate(tiny->translator, tiny->sources, LINES));
    assert_ptr_equal(uselocale(before), hosts_locale);
    assert_int_equal(other, 0);
    freelocale(hosts_locale);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TINY_TEST(progress_comes_after_each_batch),
        TINY_TEST(lines_without_a_search_are_done_too),
        TINY_TEST(a_call_can_be_cancelled_while_it_reads),
        TINY_TEST(a_call_can_be_cancelled_at_every_step),
        TINY_TEST(warnings_name_their_lines),
        TINY_TEST(warnings_say_what_may_be_invalid),
        TINY_TEST(warnings_name_missed_terms),
        TINY_TEST(messages_are_cut_between_characters),
        TINY_TEST(a_callback_may_use_other_translators),
        TINY_TEST(callbacks_run_in_the_locale_of_their_host),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
