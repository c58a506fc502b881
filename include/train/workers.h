/* workers: one update of the weights by data-parallel threads.
 *
 * A batch is cut into shards, one per worker. Each worker computes the activations of its shard and their
 * gradients, then its part of every weight's gradient over all shards, in the order of the shards. Workers
 * are tasks for threads: the same seed and number of shards give the same bytes with any number of
 * threads. Under mpirun the shards are divided among the ranks, and gradients are summed over ranks before
 * the step, which is the same on all; the first gradients are sent while the last ones are still being
 * computed. */
#ifndef NMT_WORKERS_H
#define NMT_WORKERS_H

#include "allreduce.h"
#include "arena.h"
#include "batch.h"
#include "optim.h"
#include "ranks.h"
#include "seq2seq.h"
#include "team.h"

struct workers {
    const struct config *config;
    const struct seq2seq *model;
    struct ranks ranks;
    struct team *team;
    int count;    /* on this rank */
    real *values; /* the weights */
    struct optimizer optimizer;
    real *average;               /* moving average of the weights; NULL if not configured */
    struct arena *arenas;        /* [count] */
    struct arena prepacked;      /* for the prepacked weights, shared by all workers */
    struct pass_weights weights; /* packed for the current pass, forward or backward */
    real *grads;
    struct allreduce *allreduce; /* sums gradients over ranks */
    struct pass **passes;        /* [count]: one per shard; NULL if the shard is empty */
    struct grad_terms *terms[2]; /* [count] each: gradient terms of the shards; two, since chunks of the
                                  * output layer alternate */
    double *squares;             /* [count]: partial sums of the squared gradient norm */
    struct loss *losses;         /* [count]: one per shard */
    double baseline;             /* moving average of the loss per token, for hard attention */
};

/* `count` workers on `threads` threads, on each rank; `count` must be the same on all. After a failure, too,
 * workers_release frees them. */
int workers_init(struct workers *workers, const struct config *config, const struct seq2seq *model, int count,
                 int threads, const struct ranks *ranks, struct err *err);
void workers_release(struct workers *workers);
/* The weights to validate and save: the average, if there is one. */
const real *workers_result(const struct workers *workers);
/* Sets the average to the initial or loaded weights. */
void workers_begin_average(struct workers *workers);

/* Shard w of `workers` of the given pairs: every workers-th one, so that lengths are balanced. */
struct batch shard_of(const struct corpus *corpus, const int *pairs, int count, int w, int workers,
                      struct arena *arena);

/* Sums a loss over all ranks; all get the result. */
struct loss loss_over_ranks(const struct loss *own, const struct ranks *ranks);

struct update_result {
    struct loss loss;
    double gradient_norm;
    bool finite; /* loss and norm; if false, the weights are unchanged */
};

/* One update with the gradients of `batches` batches: batch i has the corpus's pairs `pairs`[begin[i],
 * begin[i + 1]). `number` counts updates from 1. */
struct update_result workers_update(struct workers *workers, const struct corpus *corpus, const int *pairs,
                                    const size_t *begin, int batches, long number, double rate);
/* The numbers that the products of a training multiply: training.precision. */
enum product_kind training_products(const struct config *config);
/* Bytes that training needs on one of `ranks` ranks of `count` workers each: parameter blocks, prepacked
 * weights, and activations of the rank's part of the largest batch. */
double workers_bytes(const struct config *config, const struct seq2seq *model, size_t count, size_t ranks,
                     size_t longest_source, size_t longest_target);

#endif
