/* packed_seq: sentences of different lengths, step by step, with no padding between them.
 *
 * The sentences of a batch are ranked from the longest to the shortest. At step t the first count[t] of them
 * are still running; their vectors lie in rows first[t] … first[t] + count[t] - 1, rank by rank. All steps
 * together are `rows` rows, one per real token, so that a product over a whole batch is one GEMM without
 * waste (the "packed sequences" of PyTorch). Rank r's token t is row first[t] + r. */
#ifndef NMT_PACKED_SEQ_H
#define NMT_PACKED_SEQ_H

#include "arena.h"

struct packed_seq {
    int sents;    /* B */
    int steps;    /* length of the longest */
    int rows;     /* sum of all lengths */
    int *order;   /* [sents]: the sentence with that rank */
    int *rank;    /* [sents]: the rank of that sentence */
    int *lengths; /* [sents]: by rank, never growing */
    int *count;   /* [steps + 1]: sentences longer than t; the last is 0 */
    int *first;   /* [steps + 1] */
};

/* `lengths` [sents], each at least 1, sents at least 1; equal lengths keep their order. Memory from the
 * arena. */
void packed_seq_init(struct packed_seq *seq, const int *lengths, int sents, struct arena *arena);

#endif
