/* Computes where each token of a batch is in a packed sequence. The tokens themselves are up to the
 * caller. */
#include "packed_seq.h"

#include "err.h"

#include <string.h>

/* count[t] = sentences longer than t; first[t] = rows of the steps before t. */
static void count_steps(struct packed_seq *seq, const size_t *lengths)
{
    for (size_t b = 0; b < seq->sents; b++)
        seq->count[lengths[b] - 1]++;
    for (size_t t = seq->steps - 1; t-- > 0;)
        seq->count[t] += seq->count[t + 1];
    for (size_t t = 0; t < seq->steps; t++)
        seq->first[t + 1] = seq->first[t] + seq->count[t];
}

/* The first sentence of length n has rank count[n], the number of longer ones. */
static void rank_sentences(struct packed_seq *seq, const size_t *lengths, struct arena *arena)
{
    size_t *next = ARENA_NEW(arena, seq->steps + 1, size_t); /* by length: the next free rank */
    memcpy(next, seq->count, (seq->steps + 1) * sizeof *next);
    for (size_t b = 0; b < seq->sents; b++) {
        const size_t r = next[lengths[b]]++;
        seq->order[r] = b;
        seq->rank[b] = r;
        seq->lengths[r] = lengths[b];
    }
}

void packed_seq_init(struct packed_seq *seq, const size_t *lengths, size_t sents, struct arena *arena)
{
    ASSERT(sents > 0);
    *seq = (struct packed_seq){.sents = sents};
    for (size_t b = 0; b < sents; b++) {
        ASSERT(lengths[b] > 0);
        seq->rows += lengths[b];
        if (lengths[b] > seq->steps)
            seq->steps = lengths[b];
    }
    seq->order = ARENA_NEW(arena, sents, size_t);
    seq->rank = ARENA_NEW(arena, sents, size_t);
    seq->lengths = ARENA_NEW(arena, sents, size_t);
    seq->count = ARENA_ZERO(arena, seq->steps + 1, size_t);
    seq->first = ARENA_ZERO(arena, seq->steps + 1, size_t);
    count_steps(seq, lengths);
    rank_sentences(seq, lengths, arena);
}
