/* The engine's workers: which of them does what, and when. A job's own steps are in job_run.c, the order of
 * sentences in queue.c, translation in sentence_batch.c. */
#include "engine.h"

#include "log.h"
#include "mem.h"
#include "mem_guard.h"
#include "prepacked.h"
#include "sentence_batch.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <time.h>

/* After a batch of several sentences, its callers' next ones are waited for this long. */
#define GATHER_SECONDS 0.002

struct worker {
    struct engine *engine;
    pthread_t thread;
    struct worker_translators translators;
};

struct engine {
    const struct engine_options *options;
    atomic_bool stopped; /* open jobs and workers are to end */
    pthread_mutex_t mutex;
    pthread_cond_t work; /* something to do */
    /* Under the mutex: */
    struct model_set *set;
    struct job_run *first_new, *last_new; /* jobs that have not begun */
    struct queue queue;
    size_t gathered;     /* sentences of the batch before … */
    double gather_until; /* … as many of which are waited for until then */
    struct engine_counts counts;
    int worker_count, idle;
    struct worker *workers; /* [options->threads] */
};

static struct timespec time_of(double seconds)
{
    struct timespec time = {.tv_sec = (time_t)seconds};
    time.tv_nsec = (long)((seconds - (double)time.tv_sec) * 1e9);
    return time;
}

/* ---- the end of a job ---- */

static void refuse(struct job_run *run, enum job_status status, const char *why)
{
    if (run->job->status != JOB_DONE)
        return;
    run->job->status = status;
    err_set(&run->job->err, "%s", why);
}

static void refuse_failed(struct job_run *run, const struct err *err)
{
    refuse(run, err->number == ENOMEM ? JOB_OUT_OF_MEMORY : JOB_FAILED, err->text);
}

static void refuse_busy(struct job_run *run)
{
    refuse(run, JOB_BUSY, "the server is busy");
}

static void refuse_unawaited(struct job_run *run)
{
    const struct job *job = run->job;
    if (atomic_load(&job->cancelled) || atomic_load(run->stopped))
        refuse(run, JOB_CANCELLED, "cancelled");
    else if (run->behind)
        refuse_busy(run);
    else
        refuse(run, JOB_LATE, "the translation takes too long");
}

static void join(void *context)
{
    job_run_join(context);
}

/* Without the mutex. */
static void end_job(struct engine *engine, struct job_run *run)
{
    struct job *job = run->job;
    struct err err;
    const long sentences = (long)run->sentence_count;
    if (job->status == JOB_DONE && mem_guard(join, run, &err))
        refuse_failed(run, &err);
    const enum job_status status = job->status;
    job->done(job);
    pthread_mutex_lock(&engine->mutex);
    engine->counts.jobs[status]++;
    engine->counts.sentences += status == JOB_DONE ? sentences : 0;
    engine->counts.open_jobs--;
    pthread_mutex_unlock(&engine->mutex);
}

/* Ends the jobs of a list, with the mutex, which is released meanwhile. */
static void end_jobs(struct engine *engine, struct job_run *list)
{
    pthread_mutex_unlock(&engine->mutex);
    while (list) {
        struct job_run *run = list;
        list = run->after;
        end_job(engine, run);
    }
    pthread_mutex_lock(&engine->mutex);
}

/* ---- the beginning of a job ---- */

struct splitting {
    struct job_run *run;
    size_t most;
};

static void split(void *context)
{
    const struct splitting *splitting = context;
    job_run_split(splitting->run, splitting->most);
}

/* Hands the sentences of a job to the workers. */
static void queue_job(struct engine *engine, struct job_run *run)
{
    const size_t most = (size_t)engine->options->most_waiting;
    if (engine->queue.waiting && engine->queue.waiting + run->sentence_count > most) {
        refuse_busy(run);
        return;
    }
    for (size_t i = 0; i < run->sentence_count; i++)
        if (job_sentence_text(&run->sentences[i])) {
            queue_add(&engine->queue, &run->sentences[i]);
            run->open++;
        }
    if (run->open > 1)
        pthread_cond_broadcast(&engine->work);
}

static void begin_job(struct engine *engine)
{
    struct job_run *run = engine->first_new;
    struct splitting splitting = {run, (size_t)engine->options->most_sentences};
    struct err err;
    engine->first_new = run->after;
    run->after = NULL;
    run->set = model_set_share(engine->set);
    pthread_mutex_unlock(&engine->mutex);
    if (job_run_is_awaited(run) && mem_guard(split, &splitting, &err))
        refuse_failed(run, &err);
    if (!job_run_is_awaited(run))
        refuse_unawaited(run);
    pthread_mutex_lock(&engine->mutex);
    if (run->job->status == JOB_DONE)
        queue_job(engine, run);
    if (!run->open)
        end_jobs(engine, run);
}

/* ---- batches ---- */

/* Takes a job's sentences off the queue. True if none of them is being translated. */
static bool give_up(struct engine *engine, struct job_run *run)
{
    queue_drop(&engine->queue, run);
    return !run->open;
}

/* Ends the waiting jobs for which nobody waits. */
static void end_unawaited(struct engine *engine)
{
    struct job_run *ended = NULL, *run = engine->queue.turn;
    const struct job_run *last = run ? run->before : NULL;
    for (struct job_run *next; run; run = next) {
        next = run == last ? NULL : run->after;
        if (job_run_is_awaited(run))
            continue;
        refuse_unawaited(run);
        if (give_up(engine, run)) {
            run->after = ended;
            ended = run;
        }
    }
    if (ended)
        end_jobs(engine, ended);
}

/* The sentence's job goes on after a batch, or is given up. */
static void finish_hop(struct engine *engine, struct job_sentence *sentence, enum batch_result result,
                       const struct err *err)
{
    struct job_run *run = sentence->run;
    if (result == BATCH_FAILED)
        refuse_failed(run, err);
    else if (result == BATCH_CANCELLED)
        refuse_unawaited(run);
    else if (sentence->translations[sentence->hop - 1].best[0].end == END_OVERFLOW)
        refuse(run, JOB_FAILED, "the model's numbers are not finite");
    if (run->job->status == JOB_DONE && job_sentence_text(sentence))
        queue_add(&engine->queue, sentence);
    else
        run->open--;
    if (run->job->status != JOB_DONE)
        give_up(engine, run);
}

/* Translates a batch, with the mutex, which is released meanwhile; in halves, where memory does not
 * suffice. */
static void translate(struct worker *worker, struct sentence_batch *batch)
{
    struct engine *engine = worker->engine;
    struct job_run *ended = NULL;
    struct err err;
    pthread_mutex_unlock(&engine->mutex);
    const enum batch_result result = sentence_batch_run(batch, &worker->translators, &err);
    pthread_mutex_lock(&engine->mutex);
    if (result == BATCH_FAILED && err.number == ENOMEM && batch->count > 1) {
        struct sentence_batch half = *batch;
        half.count = batch->count / 2;
        translate(worker, &half);
        half.count = batch->count - batch->count / 2;
        memcpy(half.items, batch->items + batch->count / 2, half.count * sizeof *half.items);
        translate(worker, &half);
        return;
    }
    engine->counts.batches++;
    for (size_t i = 0; i < batch->count; i++) {
        struct job_run *run = batch->items[i]->run;
        finish_hop(engine, batch->items[i], result, &err);
        if (!run->open) {
            run->after = ended;
            ended = run;
        }
    }
    engine->gathered = batch->count;
    engine->gather_until = clock_seconds() + GATHER_SECONDS;
    if (ended)
        end_jobs(engine, ended);
    if (engine->idle && engine->queue.waiting > 1) /* for a second model */
        pthread_cond_broadcast(&engine->work);
}

/* ---- workers ---- */

static bool gathers(const struct engine *engine)
{
    return engine->gathered > 1 && engine->queue.waiting < engine->gathered &&
           clock_seconds() < engine->gather_until;
}

/* Waits for something to do, at most until that time. */
static void wait_for_work(struct engine *engine, double until)
{
    const struct timespec time = time_of(until);
    engine->idle++;
    pthread_cond_timedwait(&engine->work, &engine->mutex, &time);
    engine->idle--;
}

/* The sentences that wait, shared out between the workers that have nothing else to do. */
static size_t share_of(const struct engine *engine)
{
    const size_t takers = 1 + (size_t)engine->idle;
    const size_t share = (engine->queue.waiting + takers - 1) / takers;
    return share < MOST_BATCH ? share : MOST_BATCH;
}

static void next_batch(struct worker *worker)
{
    struct engine *engine = worker->engine;
    struct sentence_batch batch;
    end_unawaited(engine);
    if (!engine->queue.turn)
        return;
    queue_take(&engine->queue, &batch, share_of(engine));
    translate(worker, &batch);
}

static void *work(void *context)
{
    struct worker *worker = context;
    struct engine *engine = worker->engine;
    pthread_mutex_lock(&engine->mutex);
    for (;;) {
        if (engine->first_new)
            begin_job(engine);
        else if (engine->queue.turn && gathers(engine))
            wait_for_work(engine, engine->gather_until);
        else if (engine->queue.turn)
            next_batch(worker);
        else if (atomic_load(&engine->stopped))
            break;
        else
            wait_for_work(engine, clock_seconds() + 3600);
        if (worker->translators.set && worker->translators.set != engine->set)
            worker_translators_release(&worker->translators);
    }
    pthread_mutex_unlock(&engine->mutex);
    worker_translators_release(&worker->translators);
    return NULL;
}

static void start_workers(struct engine *engine)
{
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    for (int i = 0; i < engine->options->threads; i++) {
        struct worker *worker = &engine->workers[i];
        worker->engine = engine;
        if (pthread_create(&worker->thread, NULL, work, worker))
            break;
        engine->worker_count++;
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

/* ---- the engine ---- */

struct engine *engine_new(const struct engine_options *options, struct err *err)
{
    struct model_set *set = model_set_open(options->models, options->settings, err);
    if (!set)
        return NULL;
    struct engine *engine = xcalloc(1, sizeof *engine);
    pthread_condattr_t attributes;
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_mutex_init(&engine->mutex, NULL);
    pthread_cond_init(&engine->work, &attributes);
    pthread_condattr_destroy(&attributes);
    atomic_init(&engine->stopped, false);
    engine->options = options;
    engine->set = set;
    engine->workers = xcalloc((size_t)options->threads, sizeof *engine->workers);
    prepacked_begin(options->threads);
    start_workers(engine);
    if (engine->worker_count == options->threads)
        return engine;
    engine_free(engine);
    err_set(err, "cannot start %d threads", options->threads);
    return NULL;
}

void engine_submit(struct engine *engine, struct job *job)
{
    struct job_run *run = job->run;
    job->status = JOB_DONE;
    run->stopped = &engine->stopped;
    run->after = NULL;
    pthread_mutex_lock(&engine->mutex);
    if (engine->first_new)
        engine->last_new->after = run;
    else
        engine->first_new = run;
    engine->last_new = run;
    run->behind = engine->counts.open_jobs++ > 0;
    pthread_cond_signal(&engine->work);
    pthread_mutex_unlock(&engine->mutex);
}

struct model_set *engine_models(struct engine *engine)
{
    pthread_mutex_lock(&engine->mutex);
    struct model_set *set = model_set_share(engine->set);
    pthread_mutex_unlock(&engine->mutex);
    return set;
}

struct reloading {
    const struct engine_options *options;
    struct model_set *set;
    struct err *err;
};

static void open_models(void *context)
{
    struct reloading *reloading = context;
    reloading->set = model_set_open(reloading->options->models, reloading->options->settings, reloading->err);
}

int engine_reload(struct engine *engine, struct err *err)
{
    struct reloading reloading = {engine->options, NULL, err};
    if (mem_guard(open_models, &reloading, err) || !reloading.set)
        return -1;
    pthread_mutex_lock(&engine->mutex);
    struct model_set *old = engine->set;
    engine->set = reloading.set;
    pthread_cond_broadcast(&engine->work);
    pthread_mutex_unlock(&engine->mutex);
    model_set_release(old);
    return 0;
}

void engine_count(struct engine *engine, struct engine_counts *counts)
{
    pthread_mutex_lock(&engine->mutex);
    *counts = engine->counts;
    counts->waiting_sentences = (long)engine->queue.waiting;
    pthread_mutex_unlock(&engine->mutex);
}

void engine_free(struct engine *engine)
{
    if (!engine)
        return;
    pthread_mutex_lock(&engine->mutex);
    atomic_store(&engine->stopped, true);
    pthread_cond_broadcast(&engine->work);
    pthread_mutex_unlock(&engine->mutex);
    for (int i = 0; i < engine->worker_count; i++)
        pthread_join(engine->workers[i].thread, NULL);
    model_set_release(engine->set);
    pthread_mutex_destroy(&engine->mutex);
    pthread_cond_destroy(&engine->work);
    xfree(engine->workers);
    xfree(engine);
}
