/* The engine with many jobs: each has its own translations, whoever asks at the same time; long ones do not
 * hold up short ones; and every way in which a job may end. Run under ThreadSanitizer too (scripts/test
 * long). */
#include "engine_fixture.h"
#include "html_page.h"

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
    struct engine_counts counts;
    struct waiting waiting;
    wait_for_all(f, &counts); /* a job behind others would be told so */
    job_of_lines(&waiting, f, 3000);
    waiting.job->deadline = clock_seconds() + 0.05;
    expect_end(&waiting, f, JOB_LATE, "the translation takes too long");
    expect_text(f, f->source[4], f->target[4]);
}

/* Also while its text is split: that does not go on until there are too many sentences. */
static void a_late_job_is_not_split_to_its_end(void **state)
{
    const struct fixture *f = *state;
    struct strbuf line;
    strbuf_init(&line);
    for (int i = 0; i < 1000000; i++) /* it takes a second and more */
        strbuf_adds(&line, i ? " a" : "a");
    const int kinds = html_check_available(&(struct err){.text = ""}) ? 1 : 2;
    for (int html = 0; html < kinds; html++) {
        struct engine_counts counts;
        struct waiting waiting;
        wait_for_all(f, &counts);
        waiting_init(&waiting, "en", "fr");
        add_text(waiting.job, line.text);
        waiting.job->html = html;
        waiting.job->deadline = clock_seconds() + 0.4;
        expect_end(&waiting, f, JOB_LATE, "the translation takes too long");
    }
    strbuf_release(&line);
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

/* Of a line or a block; in a block, what has no letters is no sentence. */
static void too_many_sentences_are_refused(void **state)
{
    struct fixture *f = *state;
    struct strbuf many, few;
    strbuf_init(&many);
    strbuf_init(&few);
    for (int i = 0; i < 20; i++) {
        strbuf_addf(&many, "%s ", f->source[i % LINES]);
        strbuf_adds(&few, "12! 13? ");
    }
    strbuf_addf(&few, "%s<p>%s", f->source[0], f->source[1]);
    engine_free(f->engine);
    f->options.most_sentences = 10;
    start(f);
    const int kinds = html_check_available(&(struct err){.text = ""}) ? 1 : 2;
    for (int html = 0; html < kinds; html++) {
        struct waiting waiting;
        waiting_init(&waiting, "en", "fr");
        add_text(waiting.job, many.text);
        waiting.job->html = html;
        expect_end(&waiting, f, JOB_TOO_LARGE, "the request has more than 10 sentences");
    }
    if (kinds == 2) {
        struct waiting waiting;
        waiting_init(&waiting, "en", "fr");
        add_text(waiting.job, few.text);
        waiting.job->html = true;
        engine_submit(f->engine, waiting.job);
        assert_int_equal(wait_for(&waiting)->status, JOB_DONE);
        assert_int_equal(waiting.job->sentence_count, 2);
        waiting_release(&waiting);
    }
    strbuf_release(&many);
    strbuf_release(&few);
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
    const struct CMUnitTest tests[] = {
        ENGINE_TEST(each_caller_gets_its_own),
        ENGINE_TEST(a_long_job_does_not_hold_up_a_short_one),
        ENGINE_TEST(a_long_line_does_not_hold_up_a_short_one),
        ENGINE_TEST(a_cancelled_job_ends_early),
        ENGINE_TEST(a_late_job_ends_early),
        ENGINE_TEST(a_late_job_is_not_split_to_its_end),
        ENGINE_TEST(a_job_that_waited_too_long_is_told_that_others_did),
        ENGINE_TEST(too_much_is_refused),
        ENGINE_TEST(too_many_sentences_are_refused),
        ENGINE_TEST(an_engine_that_ends_ends_its_jobs),
        ENGINE_TEST(models_are_checked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
