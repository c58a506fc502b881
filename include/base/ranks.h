/* ranks: the processes of one command under mpirun, each with a part of the work. Without mpirun there is
 * one, and all calls return at once. MPI enters the program here and in allreduce.c alone; where nmt was
 * built without it, mpirun is refused.
 *
 * All ranks must make the same calls in the same order. */
#ifndef NMT_RANKS_H
#define NMT_RANKS_H

#include "err.h"
#include "strbuf.h"

#include <stdbool.h>
#include <stddef.h>

struct ranks {
    int count; /* 1 without mpirun */
    int rank;  /* rank 0 does all output */
};

/* One rank alone: without mpirun, or for itself. */
#define RANKS_ALONE ((struct ranks){1, 0})

/* Of `count` things in a row, those of this rank: from *begin to before *end. */
static inline void ranks_part(const struct ranks *ranks, int count, int *begin, int *end)
{
    *begin = (int)((long)count * ranks->rank / ranks->count);
    *end = (int)((long)count * (ranks->rank + 1) / ranks->count);
}

/* Once, before anything else. */
int ranks_begin(struct ranks *ranks, struct err *err);
/* Once, when all ranks have come to their end. */
void ranks_end(const struct ranks *ranks);
static inline bool ranks_is_first(const struct ranks *ranks)
{
    return ranks->rank == 0;
}

/* Every rank gets what rank 0 has. */
void ranks_broadcast(const struct ranks *ranks, void *data, size_t bytes);
void ranks_share(const struct ranks *ranks, struct strbuf *text);
/* Every rank gets the sums over all. */
void ranks_sum(const struct ranks *ranks, double *values, int count);
/* Every rank gets the texts of all, in the order of the ranks. */
void ranks_gather(const struct ranks *ranks, struct strbuf *text);
/* Has any rank failed? Then all return -1 with the error of the lowest that has; otherwise 0. */
int ranks_agree(const struct ranks *ranks, int status, struct err *err);
/* Do all have the same number, such as a checksum? */
bool ranks_same(const struct ranks *ranks, unsigned long long number);

#endif
