/* packed_seq: sentences of different lengths, step by step, without padding (PyTorch's "packed sequence").
 *
 * The sentences of a batch are ranked from the longest to the shortest. At step t the first count[t] of
 * them have a token; their vectors are rows first[t] … first[t] + count[t] - 1, in the order of ranks. All
 * steps together have `rows` rows, one per real token, so that a product over a whole batch is a single
 * GEMM. Token t of the sentence with rank r is row first[t] + r. */
#ifndef NMT_PACKED_SEQ_H
#define NMT_PACKED_SEQ_H

#include "arena.h"

struct packed_seq {
    size_t sents;    /* B */
    size_t steps;    /* length of the longest */
    size_t rows;     /* sum of all lengths */
    size_t *order;   /* [sents]: the sentence with each rank */
    size_t *rank;    /* [sents]: the rank of each sentence */
    size_t *lengths; /* [sents]: by rank, descending */
    size_t *count;   /* [steps + 1]: number of sentences longer than t; the last is 0 */
    size_t *first;   /* [steps + 1] */
};

/* lengths [sents], each at least 1; sents >= 1. Ties keep their order. Memory comes from the arena. */
void packed_seq_init(struct packed_seq *seq, const size_t *lengths, size_t sents, struct arena *arena);

#endif
