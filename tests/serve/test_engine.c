/* The engine: translations are those of a translator alone, whoever asks at the same time; long jobs do not
 * hold up short ones; and every way in which a job may end. $NMT_TINY is the folder of train.en, train.fr and
 * models/tiny, a model that knows the twenty pairs by heart. Run under ThreadSanitizer too (scripts/test
 * long). */
#include "unit/check.h"

#include "engine.h"
#include "html_page.h"
#include "log.h"
#include "mem.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define LINES 20

/* A job and whoever waits for it. */
struct waiting {
    struct job *job;
    pthread_mutex_t mutex;
    pthread_cond_t cond;
    bool done;
    struct engine *engine; /* whose batches are counted; NULL: none */
    long batches;          /* when the job ended */
};

struct fixture {
    char path[4096];
    char source[LINES][1024], target[LINES][1024];
    struct string_list models, settings;
    struct engine_options options;
    struct engine *engine;
};

/* ---- jobs ---- */

static void note_end(struct job *job)
{
    struct waiting *waiting = job->context;
    struct engine_counts counts = {0};
    if (waiting->engine)
        engine_count(waiting->engine, &counts);
    pthread_mutex_lock(&waiting->mutex);
    waiting->batches = counts.batches;
    waiting->done = true;
    pthread_cond_signal(&waiting->cond);
    pthread_mutex_unlock(&waiting->mutex);
}

static void waiting_init(struct waiting *waiting, const char *source, const char *target)
{
    *waiting = (struct waiting){.job = job_new()};
    pthread_mutex_init(&waiting->mutex, NULL);
    pthread_cond_init(&waiting->cond, NULL);
    waiting->job->source = xstrdup(source);
    waiting->job->target = xstrdup(target);
    waiting->job->done = note_end;
    waiting->job->context = waiting;
}

static void add_text(struct job *job, const char *text)
{
    job->texts = xrealloc(job->texts, job->count + 1, sizeof *job->texts);
    job->texts[job->count++] = xstrdup(text);
}

static struct job *wait_for(struct waiting *waiting)
{
    pthread_mutex_lock(&waiting->mutex);
    while (!waiting->done)
        pthread_cond_wait(&waiting->cond, &waiting->mutex);
    pthread_mutex_unlock(&waiting->mutex);
    return waiting->job;
}

static void waiting_release(struct waiting *waiting)
{
    job_free(waiting->job);
    pthread_mutex_destroy(&waiting->mutex);
    pthread_cond_destroy(&waiting->cond);
}

/* Translates a text; the caller releases what waits. */
static const char *translate(struct waiting *waiting, const struct fixture *f, const char *text)
{
    waiting_init(waiting, "en", "fr");
    add_text(waiting->job, text);
    engine_submit(f->engine, waiting->job);
    const struct job *job = wait_for(waiting);
    assert_string_equal(job->err.text, "");
    assert_int_equal(job->status, JOB_DONE);
    return job->served[0].text;
}

static void expect_text(const struct fixture *f, const char *text, const char *expected)
{
    struct waiting waiting;
    assert_string_equal(translate(&waiting, f, text), expected);
    waiting_release(&waiting);
}

/* Until the engine has counted each job: it does so after it has called `done`. */
static void wait_for_all(const struct fixture *f, struct engine_counts *counts)
{
    const double latest = clock_seconds() + 60;
    for (engine_count(f->engine, counts); counts->open_jobs; engine_count(f->engine, counts)) {
        assert_true(clock_seconds() < latest);
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    }
}

static void expect_end(struct waiting *waiting, const struct fixture *f, enum job_status status,
                       const char *why)
{
    engine_submit(f->engine, waiting->job);
    const struct job *job = wait_for(waiting);
    assert_string_equal(job->err.text, why);
    assert_int_equal(job->status, status);
    waiting_release(waiting);
}

/* ---- an engine ---- */

static void read_lines(char lines[LINES][1024], const char *name)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", getenv("NMT_TINY"), name);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    for (int i = 0; i < LINES; i++) {
        assert_non_null(fgets(lines[i], sizeof lines[i], file));
        lines[i][strcspn(lines[i], "\n")] = '\0';
    }
    fclose(file);
}

static void start(struct fixture *f)
{
    struct err err = {.text = ""};
    f->engine = engine_new(&f->options, &err);
    assert_string_equal(err.text, "");
    assert_non_null(f->engine);
}

static int set_up(void **state)
{
    struct fixture *f = calloc(1, sizeof *f);
    snprintf(f->path, sizeof f->path, "%s/models/tiny", getenv("NMT_TINY"));
    read_lines(f->source, "train.en");
    read_lines(f->target, "train.fr");
    f->models = (struct string_list){{f->path}, 1};
    f->options = (struct engine_options){&f->models, &f->settings, 2, 10000, 10000};
    start(f);
    *state = f;
    return 0;
}

static int tear_down(void **state)
{
    struct fixture *f = *state;
    engine_free(f->engine);
    free(f);
    return 0;
}

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
    waiting_init(&waiting, "en", "fr");
    add_text(waiting.job, "One.\nTwo.");
    waiting.job->prefix = xstrdup("Un");
    expect_end(&waiting, f, JOB_WRONG, "a prefix is for a text of one line");
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

/* ---- many at once ---- */

struct caller {
    const struct fixture *f;
    int first, wrong;
};

static void *ask_many(void *context)
{
    struct caller *caller = context;
    const struct fixture *f = caller->f;
    for (int i = 0; i < 3 * LINES; i++) {
        const int line = (caller->first + 7 * i) % LINES;
        struct waiting waiting;
        waiting_init(&waiting, "en", "fr");
        add_text(waiting.job, f->source[line]);
        waiting.job->detail = i % 3 == 0;
        waiting.job->n_best = 1 + i % 2;
        engine_submit(f->engine, waiting.job);
        const struct job *job = wait_for(&waiting);
        caller->wrong += job->status != JOB_DONE || strcmp(job->served[0].text, f->target[line]) != 0;
        waiting_release(&waiting);
    }
    return NULL;
}

static void each_caller_gets_its_own(void **state)
{
    struct fixture *f = *state;
    struct caller callers[8];
    pthread_t threads[8];
    struct err err = {.text = ""};
    struct engine_counts counts;
    for (int i = 0; i < 8; i++) {
        callers[i] = (struct caller){f, i, 0};
        assert_int_equal(pthread_create(&threads[i], NULL, ask_many, &callers[i]), 0);
    }
    for (int i = 0; i < 5; i++)
        assert_int_equal(engine_reload(f->engine, &err), 0);
    for (int i = 0; i < 8; i++) {
        pthread_join(threads[i], NULL);
        assert_int_equal(callers[i].wrong, 0);
    }
    wait_for_all(f, &counts);
    assert_int_equal(counts.jobs[JOB_DONE], 8 * 3 * LINES);
    assert_int_equal(counts.sentences, 8 * 3 * LINES);
    assert_int_equal(counts.waiting_sentences, 0);
}

/* A job with as many sentences. */
static void job_of_lines(struct waiting *waiting, const struct fixture *f, int lines)
{
    waiting_init(waiting, "en", "fr");
    for (int i = 0; i < lines; i++)
        add_text(waiting->job, f->source[i % LINES]);
}

/* Both jobs are done, the second one batches before the first. The engine, of one thread, begins with neither
 * before it has both: until then it is held by the end of another job. */
static void expect_second_first(struct fixture *f, struct waiting *first, struct waiting *second)
{
    struct waiting held;
    engine_free(f->engine);
    f->options.threads = 1;
    start(f);
    first->engine = second->engine = f->engine;
    job_of_lines(&held, f, 1);
    pthread_mutex_lock(&held.mutex);
    engine_submit(f->engine, held.job);
    engine_submit(f->engine, first->job);
    engine_submit(f->engine, second->job);
    pthread_mutex_unlock(&held.mutex);
    assert_int_equal(wait_for(&held)->status, JOB_DONE);
    waiting_release(&held);
    assert_int_equal(wait_for(second)->status, JOB_DONE);
    assert_int_equal(wait_for(first)->status, JOB_DONE);
    assert_true(second->batches < first->batches);
}

static void a_long_job_does_not_hold_up_a_short_one(void **state)
{
    struct fixture *f = *state;
    struct waiting first, second;
    job_of_lines(&first, f, 1000);
    job_of_lines(&second, f, 1);
    expect_second_first(f, &first, &second);
    for (int i = 0; i < 1000; i++)
        assert_string_equal(first.job->served[i].text, f->target[i % LINES]);
    waiting_release(&first);
    waiting_release(&second);
}

/* A line of one long sentence is divided: it counts as many, and waits in turn. HTML likewise. */
static void a_long_line_does_not_hold_up_a_short_one(void **state)
{
    struct fixture *f = *state;
    struct strbuf line;
    strbuf_init(&line);
    for (int i = 0; i < 20000; i++)
        strbuf_adds(&line, i ? " house" : "house");
    const int kinds = html_check_available(&(struct err){.text = ""}) ? 1 : 2;
    for (int html = 0; html < kinds; html++) {
        struct waiting first, second;
        waiting_init(&first, "en", "fr");
        add_text(first.job, line.text);
        first.job->html = html;
        job_of_lines(&second, f, 1);
        expect_second_first(f, &first, &second);
        assert_true(first.job->sentence_count > 100);
        waiting_release(&first);
        waiting_release(&second);
    }
    strbuf_release(&line);
}

/* ---- other ends ---- */

static void a_cancelled_job_ends_early(void **state)
{
    const struct fixture *f = *state;
    struct waiting waiting;
    struct engine_counts counts;
    job_of_lines(&waiting, f, 3000);
    engine_submit(f->engine, waiting.job);
    job_cancel(waiting.job);
    assert_int_equal(wait_for(&waiting)->status, JOB_CANCELLED);
    waiting_release(&waiting);
    wait_for_all(f, &counts);
    assert_int_equal(counts.jobs[JOB_CANCELLED], 1);
    assert_int_equal(counts.waiting_sentences, 0);
}

static void a_late_job_ends_early(void **state)
{
    const struct fixture *f = *state;
    struct waiting waiting;
    job_of_lines(&waiting, f, 3000);
    waiting.job->deadline = clock_seconds() + 0.05;
    expect_end(&waiting, f, JOB_LATE, "the translation takes too long");
    expect_text(f, f->source[4], f->target[4]);
}

/* One that has only waited behind others may come again. */
static void a_job_that_waited_too_long_is_told_that_others_did(void **state)
{
    const struct fixture *f = *state;
    struct waiting first, second;
    job_of_lines(&first, f, 3000);
    job_of_lines(&second, f, 1);
    second.job->deadline = clock_seconds();
    engine_submit(f->engine, first.job);
    expect_end(&second, f, JOB_BUSY, "the server is busy");
    job_cancel(first.job);
    wait_for(&first);
    waiting_release(&first);
}

static void too_much_is_refused(void **state)
{
    struct fixture *f = *state;
    struct waiting waiting, open;
    struct engine_counts counts;
    engine_free(f->engine);
    f->options.most_sentences = 3000;
    f->options.most_waiting = 10;
    start(f);
    job_of_lines(&waiting, f, 3001);
    expect_end(&waiting, f, JOB_TOO_LARGE, "the request has more than 3000 sentences");
    job_of_lines(&open, f, 3000);
    job_of_lines(&waiting, f, 11);
    engine_submit(f->engine, open.job); /* nothing waits so far: any number may */
    do
        engine_count(f->engine, &counts);
    while (!counts.waiting_sentences);
    expect_end(&waiting, f, JOB_BUSY, "the server is busy");
    assert_int_equal(wait_for(&open)->status, JOB_DONE);
    waiting_release(&open);
}

static void an_engine_that_ends_ends_its_jobs(void **state)
{
    struct fixture *f = *state;
    struct waiting waiting;
    job_of_lines(&waiting, f, 3000);
    engine_submit(f->engine, waiting.job);
    engine_free(f->engine);
    f->engine = NULL;
    assert_int_equal(wait_for(&waiting)->status, JOB_CANCELLED);
    waiting_release(&waiting);
}

static void models_are_checked(void **state)
{
    struct fixture *f = *state;
    struct err err = {.text = ""};
    char why[9000];
    f->models = (struct string_list){{f->path, f->path}, 2};
    assert_int_equal(engine_reload(f->engine, &err), -1);
    snprintf(why, sizeof why, "cannot serve '%s' beside '%s': both translate en to fr", f->path, f->path);
    assert_string_equal(err.text, why);
    f->models = (struct string_list){{"nowhere"}, 1};
    assert_int_equal(engine_reload(f->engine, &err), -1);
    f->models = (struct string_list){{f->path}, 1};
    expect_text(f, f->source[5], f->target[5]);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(a_line_is_translated),
        TEST(lines_and_the_blanks_around_them_stay),
        TEST(a_list_keeps_its_order),
        TEST(sentences_come_with_their_places_and_attention),
        TEST(a_prefix_is_kept),
        TEST(tags_stay_in_html),
        TEST(pages_that_need_no_model_stay),
        TEST(pages_that_cannot_be_read_are_refused),
        TEST(languages_are_checked),
        TEST(short_texts_of_a_list_have_its_language),
        TEST(each_caller_gets_its_own),
        TEST(a_long_job_does_not_hold_up_a_short_one),
        TEST(a_long_line_does_not_hold_up_a_short_one),
        TEST(a_cancelled_job_ends_early),
        TEST(a_late_job_ends_early),
        TEST(a_job_that_waited_too_long_is_told_that_others_did),
        TEST(too_much_is_refused),
        TEST(an_engine_that_ends_ends_its_jobs),
        TEST(models_are_checked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
