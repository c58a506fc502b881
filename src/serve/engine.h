/* engine: translates the jobs of many callers at once, with one model or several.
 *
 * Worker threads take sentences of all open jobs in turn, a batch at a time, so that a long job does not hold
 * up a short one. A job between two languages that no model has goes through two models, sentence by
 * sentence. Work on a job that runs out of memory ends that job alone. */
#ifndef NMT_ENGINE_H
#define NMT_ENGINE_H

#include "job.h"
#include "model_set.h"

struct engine;

/* Most sentences that are translated together. Of 64 callers with a sentence each, a batch of 16 serves as
 * many in a second as one of 64, and whoever comes while batches run waits a quarter of the time; with 8, a
 * tenth fewer. */
#define MOST_BATCH 16

struct engine_options {
    const struct string_list *models;   /* paths of directories or packed files, at least one */
    const struct string_list *settings; /* "decoding.beam=5", for all models */
    int threads;                        /* workers */
    int most_sentences;                 /* of a job */
    int most_waiting; /* sentences; a job that would make it more is refused, unless none waits */
};

/* What an engine has done so far, and does now. */
struct engine_counts {
    long jobs[JOB_STATUS_COUNT]; /* that have ended with each status */
    long sentences, batches;     /* translated */
    long open_jobs, waiting_sentences;
};

/* Opens the models and starts the workers. The options must outlive it. NULL on failure. */
struct engine *engine_new(const struct engine_options *options, struct err *err);
/* Takes a job, which may be done before this returns. Not from within guarded work (mem_guard.h). */
void engine_submit(struct engine *engine, struct job *job);
/* The current models, shared: the caller releases them. */
struct model_set *engine_models(struct engine *engine);
/* Opens all models anew. Jobs that have begun keep theirs. On failure, the old ones stay. */
int engine_reload(struct engine *engine, struct err *err);
void engine_count(struct engine *engine, struct engine_counts *counts);
/* Ends open jobs. No job may be submitted any more. */
void engine_free(struct engine *engine);

#endif
