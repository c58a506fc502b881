/* ranks: the processes of one training under mpirun, each with a part of every batch. Without mpirun there is
 * one, and nothing here does anything. MPI enters the program here alone; where nmt was built without it,
 * mpirun is refused.
 *
 * What all ranks call, all must call in the same order. */
#ifndef NMT_RANKS_H
#define NMT_RANKS_H

#include "err.h"
#include "real.h"

#include <stdbool.h>
#include <stddef.h>

struct ranks {
    int count; /* 1 without mpirun */
    int rank;  /* from 0; that one reads and writes the model directory, and speaks */
};

/* Once, before anything else. */
int ranks_begin(struct ranks *ranks, struct err *err);
/* Once, when all ranks have come to their end. */
void ranks_end(const struct ranks *ranks);
static inline bool ranks_is_first(const struct ranks *ranks)
{
    return ranks->rank == 0;
}

/* All get what the first one has. */
void ranks_broadcast(const struct ranks *ranks, void *data, size_t bytes);
void ranks_broadcast_reals(const struct ranks *ranks, real *values, size_t count);
/* All get the sums over all. */
void ranks_sum_reals(const struct ranks *ranks, real *values, size_t count);
void ranks_sum(const struct ranks *ranks, double *values, int count);
/* Has any rank failed? Then all return -1 with the error of the lowest that has; otherwise 0. */
int ranks_agree(const struct ranks *ranks, int status, struct err *err);
/* Do all have the same number, such as a checksum? */
bool ranks_same(const struct ranks *ranks, unsigned long long number);

#endif
