/* The engine where there is no memory: engine_out_of_memory MODEL TEXT...
 *
 * Each allocation that a job needs fails, alone and with all that follow. The job ends and says so, or has
 * the answer that it always has; nothing is left behind; and the next job is as if nothing had been. */
#include "cli/failing_alloc.h"

#include "engine.h"
#include "html_page.h"
#include "mem.h"

#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t ended = PTHREAD_COND_INITIALIZER;
static bool done;
static long failed, survived, wrong;

static void note_end(struct job *job)
{
    (void)job;
    pthread_mutex_lock(&mutex);
    done = true;
    pthread_cond_signal(&ended);
    pthread_mutex_unlock(&mutex);
}

/* What a job is like. */
struct kind {
    const char *name;
    int n_best;
    bool detail, glossary, html;
};

static struct job *new_job(const struct kind *kind, char **texts, int count)
{
    struct job *job = job_new();
    job->source = xstrdup(kind->html ? LANGUAGE_AUTO : "en");
    job->target = xstrdup("fr");
    job->texts = xcalloc((size_t)count, sizeof *job->texts);
    for (int i = 0; i < count; i++)
        job->texts[job->count++] = xstrdup(texts[i]);
    job->detail = kind->detail;
    job->n_best = kind->n_best;
    job->html = kind->html;
    if (kind->glossary) {
        job->glossary = xcalloc(1, sizeof *job->glossary);
        glossary_add(job->glossary, "the", 3, "le");
    }
    job->done = note_end;
    return job;
}

/* Allocations number first to last find no memory; returns how many there were. */
static long run(struct engine *engine, struct job *job, long first, long last)
{
    done = false;
    fail_allocations(first, last);
    engine_submit(engine, job);
    pthread_mutex_lock(&mutex);
    while (!done)
        pthread_cond_wait(&ended, &mutex);
    pthread_mutex_unlock(&mutex);
    return leave_allocations();
}

static bool same_answers(const struct job *a, const struct job *b)
{
    bool same = a->count == b->count;
    for (size_t i = 0; same && i < a->count; i++)
        same = !strcmp(a->served[i].text, b->served[i].text) &&
               a->served[i].sentence_count == b->served[i].sentence_count &&
               a->served[i].alternative_count == b->served[i].alternative_count;
    return same;
}

static void complain(const struct kind *kind, long number, const char *why)
{
    printf("%s, allocation %ld: %s\n", kind->name, number, why);
    wrong++;
}

static void check_job(const struct kind *kind, const struct job *job, const struct job *right, long number)
{
    if (job->status == JOB_OUT_OF_MEMORY && strstr(job->err.text, "out of memory"))
        failed++;
    else if (job->status == JOB_DONE && same_answers(job, right))
        survived++;
    else
        complain(kind, number, job->status == JOB_DONE ? "another answer" : job->err.text);
}

/* Until the worker has let go of the job. */
static void await_rest(struct engine *engine)
{
    struct engine_counts counts;
    do
        engine_count(engine, &counts);
    while (counts.open_jobs);
}

static void try_kind(struct engine *engine, const struct kind *kind, char **texts, int count)
{
    struct job *right = new_job(kind, texts, count);
    run(engine, right, 0, 0);
    for (int twice = 0; twice < 2; twice++) {
        long number = 0, calls;
        do {
            number++;
            const long before = allocations_living();
            struct job *job = new_job(kind, texts, count);
            calls = run(engine, job, number, twice ? LONG_MAX : number);
            check_job(kind, job, right, number);
            job_free(job);
            await_rest(engine);
            if (allocations_living() != before)
                complain(kind, number, "not all is given back");
        } while (calls >= number); /* it was reached, and failed */
    }
    if (right->status != JOB_DONE)
        complain(kind, 0, right->err.text);
    job_free(right);
}

static void try_reload(struct engine *engine)
{
    static const struct kind kind = {.name = "reload"};
    long number = 0, calls;
    do {
        struct err err = {.text = ""};
        const long before = allocations_living();
        number++;
        fail_allocations(number, number);
        const int status = engine_reload(engine, &err);
        calls = leave_allocations();
        failed += status != 0;
        survived += !status;
        if (status && !strstr(err.text, "out of memory") && !strstr(err.text, "Cannot allocate memory"))
            complain(&kind, number, err.text);
        if (status && allocations_living() != before) /* else workers are about to leave the old models */
            complain(&kind, number, "not all is given back");
    } while (calls >= number);
}

int main(int argc, char **argv)
{
    static const struct kind kinds[] = {{.name = "plain", .n_best = 1},
                                        {.name = "detail", .detail = true, .n_best = 3},
                                        {.name = "glossary", .n_best = 1, .glossary = true},
                                        {.name = "html, auto", .n_best = 2, .html = true}};
    struct string_list models = {{argc > 1 ? argv[1] : ""}, 1}, settings = {.count = 0};
    const struct engine_options options = {&models, &settings, 1, 1000, 1000};
    struct err err;
    struct engine *engine = engine_new(&options, &err);
    if (!engine) {
        puts(err.text);
        return 1;
    }
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (!kinds[i].html || !html_check_available(&err))
            try_kind(engine, &kinds[i], argv + 2, argc - 2);
    try_reload(engine);
    try_kind(engine, &kinds[0], argv + 2, argc - 2);
    engine_free(engine);
    printf("%ld jobs failed, %ld found a way, %ld wrong\n", failed, survived, wrong);
    return wrong != 0 || !failed;
}
