/* allreduce: sums gradients over all ranks, bucket by bucket, while workers compute the next bucket.
 *
 * A bucket is a run of the block of gradients. Each rank sums one part of it: it receives that part from all
 * ranks, adds in the order of the ranks, and sends the sums to all. With p ranks, each sends 2 (p - 1) / p
 * times the bucket's bytes, as in a ring (Thakur, Rabenseifner and Gropp 2005, "Optimization of Collective
 * Communication Operations in MPICH": reduce-scatter and allgather). A thread of its own does the work. While
 * workers compute, it leaves them the cores and only polls the network now and then.
 *
 * Between the first allreduce_begin and allreduce_finish, ranks must make no other calls to each other. */
#ifndef NMT_ALLREDUCE_H
#define NMT_ALLREDUCE_H

#include "err.h"
#include "ranks.h"

#include <stdbool.h>
#include <stddef.h>

struct allreduce;

/* Starts the thread. With one rank, *allreduce is NULL and all calls below do nothing. rounded: values and
 * sums are sent as bfloat16, half the bytes. */
int allreduce_open(struct allreduce **allreduce, const struct ranks *ranks, bool rounded, struct err *err);
void allreduce_close(struct allreduce *allreduce);
/* Upper bound on the memory for buckets of `count` values in all, with what arena_reset takes in reserve. */
static inline double allreduce_bytes(const struct ranks *ranks, size_t count)
{
    return ranks->count > 1 ? 1.2 * (double)count * sizeof(float) : 0;
}
/* Starts to replace the values by their sums over all ranks. All ranks begin the same buckets in the same
 * order. The values must not be touched until allreduce_finish. */
void allreduce_begin(struct allreduce *allreduce, float *values, size_t count);
/* Waits until all buckets are summed. */
void allreduce_finish(struct allreduce *allreduce);

#endif
