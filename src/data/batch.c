/* Shuffles, sorts and cuts the pairs of a corpus into batches. The network's input arrays are made in
 * train/workers.c. */
#include "batch.h"

#include "mem.h"
#include "rng.h"

#include <stdlib.h>
#include <string.h>

#define POOL_BATCHES 100

void batch_order_init(struct batch_order *order)
{
    memset(order, 0, sizeof *order);
}

void batch_order_release(struct batch_order *order)
{
    xfree(order->pairs);
    xfree(order->begin);
    batch_order_init(order);
}

/* A pair and its lengths, for sorting. */
struct sized {
    size_t source, target;
    int turn; /* position in the shuffled order, so that pairs of equal length are not always batched
               * together */
    int pair;
};

static int by_length(const void *a, const void *b)
{
    const struct sized *x = a, *y = b;
    if (x->target != y->target)
        return x->target < y->target ? -1 : 1;
    if (x->source != y->source)
        return x->source < y->source ? -1 : 1;
    return x->turn < y->turn ? -1 : x->turn > y->turn;
}

/* The end of the batch that begins at `from`. */
static size_t batch_end(const struct sized *sized, size_t from, size_t end, int sents, int tokens)
{
    if (sents)
        return from + (size_t)sents < end ? from + (size_t)sents : end;
    const size_t most = (size_t)tokens;
    size_t target = 0, source = 0, at = from;
    for (; at < end; at++) {
        target += sized[at].target - 1;
        source += sized[at].source;
        if (at > from && (target > most || source > BATCH_SOURCE_FACTOR * most))
            break;
    }
    return at;
}

/* Appends the batches of one pool to `order`, in shuffled order. */
static void add_pool(struct batch_order *order, size_t *placed, const struct sized *sized, size_t count,
                     int sents, int tokens, struct rng *rng)
{
    size_t *begin = NULL, capacity = 0;
    int batches = 0;
    for (size_t from = 0; from < count; from = batch_end(sized, from, count, sents, tokens)) {
        GROW(begin, (size_t)batches + 1, capacity);
        begin[batches++] = from;
    }
    int *turn = xmalloc((size_t)batches, sizeof *turn);
    for (int i = 0; i < batches; i++)
        turn[i] = i;
    rng_shuffle(rng, turn, batches);
    for (int i = 0; i < batches; i++) {
        const size_t from = begin[turn[i]], end = batch_end(sized, from, count, sents, tokens);
        GROW(order->begin, order->batches + 2, order->capacity);
        order->begin[order->batches++] = *placed;
        for (size_t at = from; at < end; at++)
            order->pairs[(*placed)++] = sized[at].pair;
    }
    xfree(turn);
    xfree(begin);
}

void batch_order_make(struct batch_order *order, const struct corpus *corpus, int sents, int tokens,
                      uint64_t seed, uint64_t epoch, uint64_t part)
{
    const size_t pairs = corpus->pairs;
    struct rng rng;
    rng_init(&rng, seed, RNG_SHUFFLE, epoch, part);
    batch_order_release(order);
    order->pairs = xmalloc(pairs, sizeof *order->pairs);
    int *shuffled = xmalloc(pairs, sizeof *shuffled);
    struct sized *sized = xmalloc(pairs, sizeof *sized);
    for (size_t i = 0; i < pairs; i++)
        shuffled[i] = (int)i;
    rng_shuffle(&rng, shuffled, (int)pairs);
    for (size_t i = 0; i < pairs; i++) {
        sized[i].pair = shuffled[i];
        sized[i].turn = (int)i;
        corpus_source(corpus, (size_t)shuffled[i], &sized[i].source);
        corpus_target(corpus, (size_t)shuffled[i], &sized[i].target);
    }
    /* With token batches, a pool has as many pairs as POOL_BATCHES batches of average pairs. */
    const double average = pairs ? (double)corpus->ids_count / (double)(2 * pairs) : 1;
    const size_t pool = POOL_BATCHES * (sents ? (size_t)sents : (size_t)(tokens / average) + 1);
    size_t placed = 0;
    for (size_t from = 0; from < pairs; from += pool) {
        const size_t count = pairs - from < pool ? pairs - from : pool;
        qsort(sized + from, count, sizeof *sized, by_length);
        add_pool(order, &placed, sized + from, count, sents, tokens, &rng);
    }
    if (order->batches)
        order->begin[order->batches] = placed;
    xfree(shuffled);
    xfree(sized);
}

double batch_order_bytes(double pairs)
{
    return pairs * (double)(sizeof(struct sized) + 2 * sizeof(int) + sizeof(size_t));
}
