/* Where each token of a batch stands in a packed sequence. The tokens themselves are the caller's. */
#include "packed_seq.h"

#include <assert.h>

void packed_seq_init(struct packed_seq *seq, const size_t *lengths, size_t sents, struct arena *arena)
{
    assert(sents > 0);
    seq->sents = sents;
    seq->steps = 0;
    seq->rows = 0;
    for (size_t b = 0; b < sents; b++) {
        assert(lengths[b] > 0);
        seq->rows += lengths[b];
        if (lengths[b] > seq->steps)
            seq->steps = lengths[b];
    }
    seq->order = ARENA_NEW(arena, sents, size_t);
    seq->rank = ARENA_NEW(arena, sents, size_t);
    seq->lengths = ARENA_NEW(arena, sents, size_t);
    seq->count = ARENA_ZERO(arena, seq->steps + 1, size_t);
    seq->first = ARENA_ZERO(arena, seq->steps + 1, size_t);

    /* count[t] = sentences longer than t; it is also the rank of the first sentence of length t. */
    for (size_t b = 0; b < sents; b++)
        seq->count[lengths[b] - 1]++;
    for (size_t t = seq->steps - 1; t-- > 0;)
        seq->count[t] += seq->count[t + 1];
    for (size_t t = 0; t < seq->steps; t++)
        seq->first[t + 1] = seq->first[t] + seq->count[t];
    size_t *next = ARENA_NEW(arena, seq->steps + 1, size_t);
    for (size_t t = 0; t <= seq->steps; t++)
        next[t] = seq->count[t];
    for (size_t b = 0; b < sents; b++) {
        const size_t r = next[lengths[b]]++;
        seq->order[r] = b;
        seq->rank[b] = r;
        seq->lengths[r] = lengths[b];
    }
}
