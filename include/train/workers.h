/* workers: one update of the weights by data-parallel threads.
 *
 * A batch is cut into one shard per worker. Each computes the activations of its shard and their gradients,
 * then its part of every weight's gradient for all shards, in the order of the shards: the same seed and
 * number of threads give the same bytes. */
#ifndef NMT_WORKERS_H
#define NMT_WORKERS_H

#include "arena.h"
#include "batch.h"
#include "optim.h"
#include "seq2seq.h"

struct workers {
    const struct config *config;
    const struct seq2seq *model;
    int count;
    real *values; /* the weights */
    struct optimizer optimizer;
    real *average;               /* of the weights over time, where the config wants it; else NULL */
    struct arena *arenas;        /* [count] */
    struct arena packed;         /* of the weights, for all */
    struct pass_weights weights; /* for the way that is gone at the moment */
    real *grads;
    struct pass **passes;        /* [count]: over the shards */
    struct gradients *gradients; /* [count]: their terms */
    double *squares;             /* [count]: partial sums of the gradient norm */
    struct loss *losses;         /* [count]: of the shards */
    double baseline;             /* moving mean of the loss per token, for hard attention */
};

void workers_init(struct workers *workers, const struct config *config, const struct seq2seq *model,
                  int count);
void workers_release(struct workers *workers);
/* The weights that are validated and saved: the average, if there is one. */
const real *workers_result(const struct workers *workers);
/* Initial values, given or loaded, are their own average. */
void workers_begin_average(struct workers *workers);

/* Shard w of `workers` of the given pairs: every workers-th one, so that lengths are dealt out evenly. */
struct batch shard_of(const struct corpus *corpus, const int *pairs, int count, int w, int workers,
                      struct arena *arena);

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
double workers_bytes(const struct config *config, const struct seq2seq *model, int count, int longest_source,
                     int longest_target);

#endif
