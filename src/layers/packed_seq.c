#include "packed_seq.h"

#include <assert.h>

void packed_seq_init(struct packed_seq *seq, const int *lengths, int sents, struct arena *arena)
{
    assert(sents > 0);
    seq->sents = sents;
    seq->steps = 0;
    seq->rows = 0;
    for (int b = 0; b < sents; b++) {
        assert(lengths[b] > 0);
        seq->rows += lengths[b];
        if (lengths[b] > seq->steps)
            seq->steps = lengths[b];
    }
    seq->order = ARENA_NEW(arena, sents, int);
    seq->rank = ARENA_NEW(arena, sents, int);
    seq->lengths = ARENA_NEW(arena, sents, int);
    seq->count = ARENA_ZERO(arena, seq->steps + 1, int);
    seq->first = ARENA_ZERO(arena, seq->steps + 1, int);

    /* count[t] = sentences longer than t; it is also the rank of the first sentence of length t. */
    for (int b = 0; b < sents; b++)
        seq->count[lengths[b] - 1]++;
    for (int t = seq->steps - 2; t >= 0; t--)
        seq->count[t] += seq->count[t + 1];
    for (int t = 0; t < seq->steps; t++)
        seq->first[t + 1] = seq->first[t] + seq->count[t];
    int *next = ARENA_NEW(arena, seq->steps + 1, int);
    for (int t = 0; t <= seq->steps; t++)
        next[t] = seq->count[t];
    for (int b = 0; b < sents; b++) {
        const int r = next[lengths[b]]++;
        seq->order[r] = b;
        seq->rank[b] = r;
        seq->lengths[r] = lengths[b];
    }
}
