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
    size_t sents;    /* B */
    size_t steps;    /* length of the longest */
    size_t rows;     /* sum of all lengths */
    size_t *order;   /* [sents]: the sentence with that rank */
    size_t *rank;    /* [sents]: the rank of that sentence */
    size_t *lengths; /* [sents]: by rank, descending */
    size_t *count;   /* [steps + 1]: sentences longer than t; the last is 0 */
    size_t *first;   /* [steps + 1] */
};

/* `lengths` [sents], each at least 1, sents at least 1; equal lengths keep their order. Memory from the
 * arena. */
void packed_seq_init(struct packed_seq *seq, const size_t *lengths, size_t sents, struct arena *arena);

#endif
