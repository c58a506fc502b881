/* workers: one update of the weights by data-parallel threads.
 *
 * A batch is cut into shards, one per worker. Each computes the activations of its shard and their gradients,
 * then its part of every weight's gradient for all shards, in the order of the shards. Workers are dealt out
 * to threads: the same seed and number of shards give the same bytes, with any number of threads. Under
 * mpirun each rank has as many of the shards, and the ranks' gradients are summed up before the step, which
 * all of them then take alike; the first ones already while the last ones are still being added. */
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
    int count;    /* of this rank */
    real *values; /* the weights */
    struct optimizer optimizer;
    real *average;               /* of the weights over time, where the config wants it; else NULL */
    struct arena *arenas;        /* [count] */
    struct arena prepacked;      /* of the weights, for all */
    struct pass_weights weights; /* for the way that is gone at the moment */
    real *grads;
    struct allreduce *allreduce; /* of them, with the other ranks */
    struct pass **passes;        /* [count]: over the shards */
    struct grad_terms *terms[2]; /* [count]: their terms; two, for chunks of the output layer in turns */
    double *squares;             /* [count]: partial sums of the gradient norm */
    struct loss *losses;         /* [count]: of the shards */
    double baseline;             /* moving mean of the loss per token, for hard attention */
};

/* `count` workers on `threads` threads in each rank; the same count in all. */
int workers_init(struct workers *workers, const struct config *config, const struct seq2seq *model, int count,
                 int threads, const struct ranks *ranks, struct err *err);
void workers_release(struct workers *workers);
/* The weights that are validated and saved: the average, if there is one. */
const real *workers_result(const struct workers *workers);
/* Initial values, given or loaded, are their own average. */
void workers_begin_average(struct workers *workers);

/* Shard w of `workers` of the given pairs: every workers-th one, so that lengths are dealt out evenly. */
struct batch shard_of(const struct corpus *corpus, const int *pairs, int count, int w, int workers,
                      struct arena *arena);

/* Of all ranks together; all get it. */
struct loss loss_over_ranks(const struct loss *own, const struct ranks *ranks);

struct update_result {
    struct loss loss;
    double gradient_norm;
    bool finite; /* loss and norm; if not, the weights were left alone */
};

/* One update with the gradients of `batches` batches: batch i are the pairs of the corpus that stand in
 * `pairs` from begin[i] to before begin[i + 1]. `number` counts updates from 1. */
struct update_result workers_update(struct workers *workers, const struct corpus *corpus, const int *pairs,
                                    const size_t *begin, int batches, long number, double rate);
/* Bytes that training takes: blocks, and activations of the largest batch. */
double workers_bytes(const struct config *config, const struct seq2seq *model, size_t count,
                     size_t longest_source, size_t longest_target);

#endif
