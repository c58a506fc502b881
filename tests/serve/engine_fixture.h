/* engine_fixture: what the tests of the engine begin with: an engine of the model that knows the text of
 * tiny_text.h by heart, and jobs that are waited for. */
#ifndef NMT_TEST_ENGINE_FIXTURE_H
#define NMT_TEST_ENGINE_FIXTURE_H

#include "engine.h"
#include "log.h"
#include "mem.h"
#include "tiny_text.h"

#include <pthread.h>
#include <time.h>

#define ENGINE_TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

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
    char *source[LINES], *target[LINES];
    struct string_list models, settings;
    struct engine_options options;
    struct engine *engine;
};

/* ---- jobs ---- */

static inline void note_end(struct job *job)
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

static inline void waiting_init(struct waiting *waiting, const char *source, const char *target)
{
    *waiting = (struct waiting){.job = job_new()};
    pthread_mutex_init(&waiting->mutex, NULL);
    pthread_cond_init(&waiting->cond, NULL);
    waiting->job->source = xstrdup(source);
    waiting->job->target = xstrdup(target);
    waiting->job->done = note_end;
    waiting->job->context = waiting;
}

static inline void add_text(struct job *job, const char *text)
{
    job->texts = xrealloc(job->texts, job->count + 1, sizeof *job->texts);
    job->texts[job->count++] = xstrdup(text);
}

static inline struct job *wait_for(struct waiting *waiting)
{
    pthread_mutex_lock(&waiting->mutex);
    while (!waiting->done)
        pthread_cond_wait(&waiting->cond, &waiting->mutex);
    pthread_mutex_unlock(&waiting->mutex);
    return waiting->job;
}

static inline void waiting_release(struct waiting *waiting)
{
    job_free(waiting->job);
    pthread_mutex_destroy(&waiting->mutex);
    pthread_cond_destroy(&waiting->cond);
}

/* Translates a text; the caller releases what waits. */
static inline const char *translate(struct waiting *waiting, const struct fixture *f, const char *text)
{
    waiting_init(waiting, "en", "fr");
    add_text(waiting->job, text);
    engine_submit(f->engine, waiting->job);
    const struct job *job = wait_for(waiting);
    assert_string_equal(job->err.text, "");
    assert_int_equal(job->status, JOB_DONE);
    return job->served[0].text;
}

static inline void expect_text(const struct fixture *f, const char *text, const char *expected)
{
    struct waiting waiting;
    assert_string_equal(translate(&waiting, f, text), expected);
    waiting_release(&waiting);
}

/* Until the engine has counted each job: it does so after it has called `done`. */
static inline void wait_for_all(const struct fixture *f, struct engine_counts *counts)
{
    const double latest = clock_seconds() + 60;
    for (engine_count(f->engine, counts); counts->open_jobs; engine_count(f->engine, counts)) {
        assert_true(clock_seconds() < latest);
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    }
}

static inline void expect_end(struct waiting *waiting, const struct fixture *f, enum job_status status,
                              const char *why)
{
    engine_submit(f->engine, waiting->job);
    const struct job *job = wait_for(waiting);
    assert_string_equal(job->err.text, why);
    assert_int_equal(job->status, status);
    waiting_release(waiting);
}

/* ---- an engine ---- */

static inline void start(struct fixture *f)
{
    struct err err = {.text = ""};
    f->engine = engine_new(&f->options, &err);
    assert_string_equal(err.text, "");
    assert_non_null(f->engine);
}

static inline int set_up(void **state)
{
    struct fixture *f = calloc(1, sizeof *f);
    snprintf(f->path, sizeof f->path, "%s/models/tiny", getenv("NMT_TINY"));
    tiny_read(f->source, "train.en");
    tiny_read(f->target, "train.fr");
    f->models = (struct string_list){{f->path}, 1};
    f->options = (struct engine_options){&f->models, &f->settings, 2, 10000, 10000};
    start(f);
    *state = f;
    return 0;
}

static inline int tear_down(void **state)
{
    struct fixture *f = *state;
    engine_free(f->engine);
    for (int i = 0; i < LINES; i++) {
        free(f->source[i]);
        free(f->target[i]);
    }
    free(f);
    return 0;
}

#endif
