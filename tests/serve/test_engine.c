/* The engine: translations are those of a translator alone. Many jobs at once, and how jobs end, are in
 * test_engine_jobs.c. */
#include "engine_fixture.h"
#include "html_page.h"

/* ---- what comes back ---- */

static void a_line_is_translated(void **state)
{
    const struct fixture *f = *state;
    for (int i = 0; i < LINES; i++)
        expect_text(f, f->source[i], f->target[i]);
}

static void lines_and_the_blanks_around_them_stay(void **state)
{
    const struct fixture *f = *state;
    char text[8192], expected[8192];
    snprintf(text, sizeof text, "\n  %s\t\n\n%s\r\n \n42 + 1 = 43 !\n", f->source[0], f->source[1]);
    snprintf(expected, sizeof expected, "\n  %s\t\n\n%s\r\n \n42 + 1 = 43 !\n", f->target[0], f->target[1]);
    expect_text(f, text, expected);
    static const char *const ends[] = {"\r", "\v", "\f", "\xC2\x85", "\xE2\x80\xA8", "\xE2\x80\xA9"};
    struct waiting first;
    const char *alone = translate(&first, f, "the red car");    /* no sentence ends */
    for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++) { /* of other programs */
        snprintf(text, sizeof text, "the red car%s%s%s", ends[i], f->source[1], ends[i]);
        snprintf(expected, sizeof expected, "%s%s%s%s", alone, ends[i], f->target[1], ends[i]);
        expect_text(f, text, expected);
    }
    waiting_release(&first);
    expect_text(f, "", "");
    expect_text(f, " \n\n", " \n\n");
    expect_text(f, "123 ... \xF0\x9F\x98\x80", "123 ... \xF0\x9F\x98\x80");
}

static void a_list_keeps_its_order(void **state)
{
    const struct fixture *f = *state;
    struct waiting waiting;
    waiting_init(&waiting, "EN", "fr");
    for (int i = 0; i < LINES; i++)
        add_text(waiting.job, f->source[LINES - 1 - i]);
    engine_submit(f->engine, waiting.job);
    const struct job *job = wait_for(&waiting);
    assert_int_equal(job->status, JOB_DONE);
    assert_int_equal(job->sentence_count, LINES);
    for (int i = 0; i < LINES; i++)
        assert_string_equal(job->served[i].text, f->target[LINES - 1 - i]);
    waiting_release(&waiting);
}

static void sentences_come_with_their_places_and_attention(void **state)
{
    const struct fixture *f = *state;
    struct waiting waiting;
    char text[4096];
    snprintf(text, sizeof text, " %s\n%s", f->source[2], f->source[3]);
    waiting_init(&waiting, "en", "fr");
    add_text(waiting.job, text);
    waiting.job->detail = true;
    waiting.job->n_best = 3;
    engine_submit(f->engine, waiting.job);
    const struct job *job = wait_for(&waiting);
    const struct served_text *served = job->served;
    assert_int_equal(job->status, JOB_DONE);
    assert_int_equal(served->sentence_count, 2);
    for (int i = 0; i < 2; i++) {
        const struct served_sentence *s = &served->sentences[i];
        assert_string_equal(s->text, f->source[2 + i]);
        assert_memory_equal(text + s->source.begin, s->text, s->source.end - s->source.begin);
        assert_int_equal(s->translations.count, 3);
        assert_non_null(s->translations.best[0].alpha);
        assert_non_null(s->translations.best[0].source);
        assert_null(s->middle);
        assert_memory_equal(served->text + s->target.begin, s->translations.best[0].text,
                            s->target.end - s->target.begin);
    }
    assert_true(served->alternative_count >= 1);
    assert_string_not_equal(served->alternatives[0], served->text);
    waiting_release(&waiting);
}

static void a_prefix_is_kept(void **state)
{
    const struct fixture *f = *state;
    struct waiting waiting;
    waiting_init(&waiting, "en", "fr");
    add_text(waiting.job, f->source[0]);
    waiting.job->prefix = xstrdup(f->target[1]);
    engine_submit(f->engine, waiting.job);
    const struct job *job = wait_for(&waiting);
    assert_int_equal(job->status, JOB_DONE);
    assert_memory_equal(job->served[0].text, f->target[1], strlen(f->target[1]) - 2);
    waiting_release(&waiting);
    waiting_init(&waiting, "en", "fr");
    add_text(waiting.job, f->source[0]);
    waiting.job->prefix = xstrdup("");
    waiting.job->n_best = 4;
    waiting.job->detail = true;
    engine_submit(f->engine, waiting.job);
    const struct translations *others = &wait_for(&waiting)->served[0].sentences[0].translations;
    assert_int_equal(others->count, 4);
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < i; k++) /* their first words differ */
            assert_true(strncmp(others->best[i].subwords, others->best[k].subwords,
                                others->best[i].token_begin[1]) != 0);
    waiting_release(&waiting);
    waiting_init(&waiting, "en", "fr"); /* an empty one is for a sentence, and else none */
    add_text(waiting.job, "One.\nTwo.");
    add_text(waiting.job, f->source[0]);
    waiting.job->prefix = xstrdup("");
    waiting.job->n_best = 2;
    engine_submit(f->engine, waiting.job);
    assert_int_equal(wait_for(&waiting)->status, JOB_DONE);
    assert_string_equal(waiting.job->served[1].text, f->target[0]);
    waiting_release(&waiting);
    waiting_init(&waiting, "en", "fr");
    add_text(waiting.job, "One.\nTwo.");
    waiting.job->prefix = xstrdup("Un");
    expect_end(&waiting, f, JOB_WRONG, "a prefix is for a text of one line");
}

/* Other translations do not change the best one. */
static void alternatives_stand_beside_the_best(void **state)
{
    const struct fixture *f = *state;
    static const char *const prefixes[] = {"", "La", "Un", "Qui"};
    for (int i = 0; i < LINES * 4; i++) {
        struct waiting waiting[2];
        for (int k = 0; k < 2; k++) {
            waiting_init(&waiting[k], "en", "fr");
            add_text(waiting[k].job, f->source[i / 4]);
            waiting[k].job->prefix = xstrdup(prefixes[i % 4]);
            waiting[k].job->n_best = 1 + 2 * k;
            waiting[k].job->beam = i % 3; /* 0: the model's */
            engine_submit(f->engine, waiting[k].job);
            assert_int_equal(wait_for(&waiting[k])->status, JOB_DONE);
        }
        assert_string_equal(waiting[1].job->served[0].text, waiting[0].job->served[0].text);
        assert_int_equal(waiting[1].job->served[0].alternative_count, 2);
        waiting_release(&waiting[0]);
        waiting_release(&waiting[1]);
    }
}

/* Submits a page; returns the job, which the caller releases with what waits. */
static const struct job *translate_page(struct waiting *waiting, const struct fixture *f, const char *source,
                                        const char *page)
{
    waiting_init(waiting, source, "fr");
    add_text(waiting->job, page);
    waiting->job->html = waiting->job->detail = true;
    waiting->job->n_best = 2;
    engine_submit(f->engine, waiting->job);
    return wait_for(waiting);
}

static void tags_stay_in_html(void **state)
{
    const struct fixture *f = *state;
    char page[8192], expected[8192];
    struct waiting waiting;
    static const char form[] = "<p class=a>%s <br>\n%s</P><!-- x --><pre><code>%s</code></pre>";
    static const char *const sources[] = {"en", LANGUAGE_AUTO};
    if (html_check_available(&(struct err){.text = ""}))
        skip();
    snprintf(page, sizeof page, form, f->source[0], f->source[1], f->source[2]);
    snprintf(expected, sizeof expected, form, f->target[0], f->target[1], f->source[2]);
    for (int i = 0; i < 2; i++) {
        const struct job *job = translate_page(&waiting, f, sources[i], page);
        assert_int_equal(job->status, JOB_DONE);
        const struct served_text *served = job->served;
        assert_string_equal(served->text, expected);
        assert_string_equal(served->source, "en");
        assert_int_equal(served->sentence_count, 2);
        assert_memory_equal(served->text + served->sentences[0].target.begin, f->target[0],
                            strlen(f->target[0]));
        assert_int_equal(served->alternative_count, 1);
        waiting_release(&waiting);
    }
}

static void pages_that_need_no_model_stay(void **state)
{
    const struct fixture *f = *state;
    char french[8192];
    const char *const pages[] = {french, "<p>12 &lt; 30<br>!</p>", ""};
    struct waiting waiting;
    if (html_check_available(&(struct err){.text = ""}))
        skip();
    snprintf(french, sizeof french, "<p><b>%s</b> %s", f->target[0], f->target[1]);
    for (size_t i = 0; i < sizeof pages / sizeof *pages; i++) {
        const struct job *job = translate_page(&waiting, f, LANGUAGE_AUTO, pages[i]);
        assert_int_equal(job->status, JOB_DONE);
        assert_string_equal(job->served[0].text, pages[i]);
        assert_string_equal(job->served[0].source, "fr");
        waiting_release(&waiting);
    }
}

static void pages_that_cannot_be_read_are_refused(void **state)
{
    struct err err = {.text = "too many elements within each other"}; /* unless any page is refused */
    static const char *const sources[] = {"en", LANGUAGE_AUTO};
    char page[1900];
    for (int i = 0; i < 600; i++)
        memcpy(page + 3 * i, "<b>", 3);
    snprintf(page + 1800, sizeof page - 1800, "a house");
    html_check_available(&err);
    for (size_t i = 0; i < sizeof sources / sizeof *sources; i++) {
        struct waiting waiting;
        assert_int_equal(translate_page(&waiting, *state, sources[i], page)->status, JOB_WRONG);
        assert_string_equal(waiting.job->err.text, err.text);
        waiting_release(&waiting);
    }
}

/* ---- languages ---- */

static void languages_are_checked(void **state)
{
    const struct fixture *f = *state;
    static const struct {
        const char *source, *target, *why;
    } wrong[] = {{"en", "de", "de is not supported"},
                 {"xx", "fr", "xx is not supported"},
                 {"fr", "en", "en is not available as a target language from fr"}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct waiting waiting;
        waiting_init(&waiting, wrong[i].source, wrong[i].target);
        add_text(waiting.job, f->source[0]);
        expect_end(&waiting, f, JOB_WRONG, wrong[i].why);
    }
    struct waiting same;
    waiting_init(&same, "fr-CA", "fr");
    add_text(same.job, "Rien. Tout !");
    engine_submit(f->engine, same.job);
    assert_string_equal(wait_for(&same)->served[0].text, "Rien. Tout !");
    waiting_release(&same);
}

/* "Un parc ?" is French, unless it is in a list that is mostly English. What is mostly in another script is
 * what it is alone, here for its one word of Latin letters. */
static void short_texts_of_a_list_have_its_language(void **state)
{
    const struct fixture *f = *state;
    static const char forty[] = "Il ne boit pas de cidre. Il fait chaud \xC3\xA0";
    static const char cyrillic[] = "\xD0\xB6\xD0\xB6\xD0\xB6\xD0\xB6 \xC3\xA0";
    static const char more[] = "Il ne boit pas de cidre. Il fait chaud \xC3\xA0.";
    const struct {
        const char *text, *source;
    } list[] = {{"Un parc ?", "en"},   {"...", "fr"},         {f->source[6], "en"},
                {f->source[14], "en"}, {f->source[18], "en"}, {more, "fr"},
                {f->source[19], "en"}, {forty, "en"},         {cyrillic, "fr"}};
    const size_t count = sizeof list / sizeof *list;
    const int kinds = html_check_available(&(struct err){.text = ""}) ? 1 : 2;
    for (size_t last = 1; last <= count; last += count - 1)
        for (int html = 0; html < kinds; html++) {
            struct waiting waiting;
            waiting_init(&waiting, LANGUAGE_AUTO, "fr");
            waiting.job->html = html;
            for (size_t i = 0; i < last; i++)
                add_text(waiting.job, list[i].text);
            engine_submit(f->engine, waiting.job);
            const struct job *job = wait_for(&waiting);
            assert_int_equal(job->status, JOB_DONE);
            for (size_t i = 0; i < last; i++)
                assert_string_equal(job->served[i].source, last == 1 ? "fr" : list[i].source);
            waiting_release(&waiting);
        }
}

/* Into English, which no model makes: what is short, or beside other text, stays as it is. */
static void short_texts_take_a_language_that_has_a_way(void **state)
{
    const struct fixture *f = *state;
    static const char longer[] = "Il ne boit pas de cidre. Il fait chaud \xC3\xA0 midi.";
    const char *const texts[] = {"Un parc ?", f->source[0], longer};
    struct waiting waiting;
    for (size_t last = 1; last <= 3; last++) {
        waiting_init(&waiting, LANGUAGE_AUTO, "en");
        for (size_t i = 0; i < last; i++)
            add_text(waiting.job, texts[i]);
        add_text(waiting.job, f->source[6]);
        engine_submit(f->engine, waiting.job);
        assert_int_equal(wait_for(&waiting)->status, JOB_DONE);
        for (size_t i = 0; i < last; i++) {
            assert_string_equal(waiting.job->served[i].text, texts[i]);
            assert_string_equal(waiting.job->served[i].source, "en");
        }
        waiting_release(&waiting);
    }
    waiting_init(&waiting, LANGUAGE_AUTO, "en");
    add_text(waiting.job, longer);
    expect_end(&waiting, f, JOB_WRONG, "en is not available as a target language from fr");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        ENGINE_TEST(a_line_is_translated),
        ENGINE_TEST(lines_and_the_blanks_around_them_stay),
        ENGINE_TEST(a_list_keeps_its_order),
        ENGINE_TEST(sentences_come_with_their_places_and_attention),
        ENGINE_TEST(a_prefix_is_kept),
        ENGINE_TEST(alternatives_stand_beside_the_best),
        ENGINE_TEST(tags_stay_in_html),
        ENGINE_TEST(pages_that_need_no_model_stay),
        ENGINE_TEST(pages_that_cannot_be_read_are_refused),
        ENGINE_TEST(languages_are_checked),
        ENGINE_TEST(short_texts_of_a_list_have_its_language),
        ENGINE_TEST(short_texts_take_a_language_that_has_a_way),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
