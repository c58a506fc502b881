/* ranks: the processes of one command under mpirun. Without mpirun there is one, and all calls return at
 * once. Only this and allreduce.c use MPI; a build without MPI refuses to run under mpirun.
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

/* A single rank, as without mpirun. */
#define RANKS_ALONE ((struct ranks){1, 0})

/* This rank's part of `count` items: from *begin to before *end. */
static inline void ranks_part(const struct ranks *ranks, int count, int *begin, int *end)
{
    *begin = (int)((long)count * ranks->rank / ranks->count);
    *end = (int)((long)count * (ranks->rank + 1) / ranks->count);
}

/* The MPI library and its version, such as "Open MPI v4.1.4", or "none"; cut where it does not fit. */
void ranks_library_name(char *name, size_t bytes);
/* Call once, before anything else. */
int ranks_begin(struct ranks *ranks, struct err *err);
/* Call once, when all ranks are finished. */
void ranks_end(const struct ranks *ranks);
static inline bool ranks_is_first(const struct ranks *ranks)
{
    return ranks->rank == 0;
}

/* Copies rank 0's data to all ranks. */
void ranks_broadcast(const struct ranks *ranks, void *data, size_t bytes);
/* Replaces the text by rank 0's, on every rank. */
void ranks_broadcast_text(const struct ranks *ranks, struct strbuf *text);
/* Replaces the values by their sums over all ranks, on every rank. */
void ranks_sum(const struct ranks *ranks, double *values, int count);
/* Concatenates the texts of all ranks, in their order, on every rank. */
void ranks_gather(const struct ranks *ranks, struct strbuf *text);
/* If any rank failed, all return -1 with the error of the lowest rank that did; otherwise 0. */
int ranks_agree(const struct ranks *ranks, int status, struct err *err);
/* Do all ranks have the same number, such as a checksum? */
bool ranks_same(const struct ranks *ranks, unsigned long long number);

#endif
