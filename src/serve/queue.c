/* The ring of waiting jobs. */
#include "queue.h"

#include <string.h>

/* ---- the ring ---- */

static void enter(struct queue *queue, struct job_run *run)
{
    struct job_run *turn = queue->turn;
    if (!turn) {
        run->before = run->after = queue->turn = run;
        return;
    }
    run->after = turn;
    run->before = turn->before;
    run->before->after = run->after->before = run;
}

static void leave(struct queue *queue, struct job_run *run)
{
    if (queue->turn == run)
        queue->turn = run->after == run ? NULL : run->after;
    run->before->after = run->after;
    run->after->before = run->before;
    run->before = run->after = NULL;
}

void queue_add(struct queue *queue, struct job_sentence *sentence)
{
    struct job_run *run = sentence->run;
    sentence->next = NULL;
    if (run->first) {
        run->last->next = sentence;
    } else {
        run->first = sentence;
        enter(queue, run);
    }
    run->last = sentence;
    queue->waiting++;
}

static struct job_sentence *take_first(struct queue *queue, struct job_run *run)
{
    struct job_sentence *sentence = run->first;
    run->first = sentence->next;
    queue->waiting--;
    if (!run->first)
        leave(queue, run);
    return sentence;
}

void queue_drop(struct queue *queue, struct job_run *run)
{
    while (run->first) {
        take_first(queue, run);
        run->open--;
    }
}

/* ---- batches ---- */

static struct batch_kind kind_of(const struct job_sentence *sentence)
{
    const struct job *job = sentence->run->job;
    const struct route *route = &sentence->run->texts[sentence->text].route;
    const struct served_model *model = route->models[sentence->hop];
    const bool last = sentence->hop + 1 == route->count, detailed = job->detail && last;
    return (struct batch_kind){
        .model = model,
        .n_best = last ? job->n_best : 1,
        .beam = job->beam ? job->beam : model->loaded.config.decoding.beam,
        .alignment = (job->html || detailed) && config_has_attention(&model->loaded.config),
        .source = job->html || detailed,
        .prefix = last ? job->prefix : NULL,
        .glossary = last ? job->glossary : NULL,
    };
}

static bool same_kind(const struct batch_kind *a, const struct batch_kind *b)
{
    return a->model == b->model && a->n_best == b->n_best && a->beam == b->beam &&
           a->alignment == b->alignment && a->source == b->source && a->prefix == b->prefix &&
           a->glossary == b->glossary;
}

void queue_take(struct queue *queue, struct sentence_batch *batch, size_t most)
{
    const struct job_run *stop = NULL; /* the first of the jobs that were skipped since the last sentence */
    batch->kind = kind_of(queue->turn->first);
    batch->set = queue->turn->set;
    batch->count = 0;
    while (queue->turn && queue->turn != stop && batch->count < most) {
        struct job_run *run = queue->turn;
        const struct batch_kind kind = kind_of(run->first);
        if (same_kind(&kind, &batch->kind)) {
            batch->items[batch->count++] = take_first(queue, run);
            run->behind = false;
            stop = NULL;
        } else if (!stop) {
            stop = run;
        }
        if (queue->turn == run)
            queue->turn = run->after;
    }
}
