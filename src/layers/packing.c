#include "packing.h"

#include <assert.h>

void packing_init(struct packing *packing, const int *lengths, int sents, struct arena *arena)
{
    assert(sents > 0);
    packing->sents = sents;
    packing->steps = 0;
    packing->rows = 0;
    for (int b = 0; b < sents; b++) {
        assert(lengths[b] > 0);
        packing->rows += lengths[b];
        if (lengths[b] > packing->steps)
            packing->steps = lengths[b];
    }
    packing->order = ARENA_NEW(arena, sents, int);
    packing->rank = ARENA_NEW(arena, sents, int);
    packing->lengths = ARENA_NEW(arena, sents, int);
    packing->count = ARENA_ZERO(arena, packing->steps + 1, int);
    packing->first = ARENA_ZERO(arena, packing->steps + 1, int);

    /* count[t] = sentences longer than t; it is also the rank of the first sentence of length t. */
    for (int b = 0; b < sents; b++)
        packing->count[lengths[b] - 1]++;
    for (int t = packing->steps - 2; t >= 0; t--)
        packing->count[t] += packing->count[t + 1];
    for (int t = 0; t < packing->steps; t++)
        packing->first[t + 1] = packing->first[t] + packing->count[t];
    int *next = ARENA_NEW(arena, packing->steps + 1, int);
    for (int t = 0; t <= packing->steps; t++)
        next[t] = packing->count[t];
    for (int b = 0; b < sents; b++) {
        const int r = next[lengths[b]]++;
        packing->order[r] = b;
        packing->rank[b] = r;
        packing->lengths[r] = lengths[b];
    }
}
