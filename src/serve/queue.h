/* queue: the jobs with sentences that wait. Each job in turn gives a sentence to the next batch, so that a
 * long job does not hold up the others. Used under the engine's mutex. */
#ifndef NMT_QUEUE_H
#define NMT_QUEUE_H

#include "engine.h"
#include "job_run.h"

/* What the sentences of a batch have in common. */
struct batch_kind {
    const struct served_model *model;
    int n_best, beam; /* the latter may be less */
    bool alignment;
    bool source; /* the words that were read are wanted */
    const char *prefix;
    const struct glossary *glossary;
};

/* Sentences that are translated together. */
struct sentence_batch {
    struct batch_kind kind;
    struct model_set *set; /* of the model; not shared: that of the sentences' jobs */
    struct job_sentence *items[MOST_BATCH];
    size_t count;
};

/* All zero is an empty one. */
struct queue {
    struct job_run *turn; /* in the ring: whose turn it is; NULL: no sentence waits */
    size_t waiting;       /* sentences */
};

/* Adds a sentence behind the others of its job. */
void queue_add(struct queue *queue, struct job_sentence *sentence);
/* Takes the first sentence of the job whose turn it is, and up to `most` of its kind, of all jobs in turn. */
void queue_take(struct queue *queue, struct sentence_batch *batch, size_t most);
/* Takes all sentences of a job. */
void queue_drop(struct queue *queue, struct job_run *run);

#endif
