/* allreduce: gradients summed up over all ranks, bucket by bucket, while workers compute the next bucket.
 *
 * A bucket is a run of the block of gradients. Each rank sums up one part of it, of which all send it what
 * they have, in the order of the ranks, and sends the sums to all: of p ranks, each sends 2 (p - 1) / p times
 * the bucket's bytes, as in a ring (Thakur, Rabenseifner and Gropp 2005, "Optimization of Collective
 * Communication Operations in MPICH": reduce-scatter and allgather). A thread of its own does it. It leaves
 * the cores to the workers for as long as they have work, and looks after the network now and then.
 *
 * Between the first allreduce_begin and allreduce_finish the ranks do nothing else with each other. */
#ifndef NMT_ALLREDUCE_H
#define NMT_ALLREDUCE_H

#include "err.h"
#include "ranks.h"

#include <stdbool.h>
#include <stddef.h>

struct allreduce;

/* *allreduce is NULL with one rank, and all calls below do nothing then. Rounded: each number goes as
 * bfloat16, half the bytes, and so do the sums. */
int allreduce_open(struct allreduce **allreduce, const struct ranks *ranks, bool rounded, struct err *err);
void allreduce_close(struct allreduce *allreduce);
/* Memory for buckets of `count` values in all, at most. */
static inline double allreduce_bytes(const struct ranks *ranks, size_t count)
{
    return ranks->count > 1 ? 1.1 * (double)count * sizeof(float) : 0;
}
/* Begins to replace the values by their sums over all ranks, which all begin the same buckets in the same
 * order. Nobody may touch them until allreduce_finish. */
void allreduce_begin(struct allreduce *allreduce, float *values, size_t count);
/* Waits for all that were begun. */
void allreduce_finish(struct allreduce *allreduce);

#endif
