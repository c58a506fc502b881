/* batch: the order in which a corpus, or a part of it, is trained on.
 *
 * Each epoch shuffles all pairs, divides them into pools of many batches, sorts each pool by length, cuts
 * it into batches of similar length, and shuffles these. The order is a function of (seed, epoch, part). */
#ifndef NMT_BATCH_H
#define NMT_BATCH_H

#include "corpus.h"

struct batch_order {
    int *pairs;    /* indices into the corpus */
    size_t *begin; /* [batches + 1]: start of each batch in `pairs` */
    size_t batches, capacity;
};

void batch_order_init(struct batch_order *order);
void batch_order_release(struct batch_order *order);
/* The most source tokens of a batch, as a multiple of its most target tokens. */
#define BATCH_SOURCE_FACTOR 2
/* Makes batches of `sents` pairs or, if that is 0, of at most `tokens` target tokens and BATCH_SOURCE_FACTOR
 * times as many source tokens (but at least one pair). */
void batch_order_make(struct batch_order *order, const struct corpus *corpus, int sents, int tokens,
                      uint64_t seed, uint64_t epoch, uint64_t part);
/* What making an order takes, at most. */
double batch_order_bytes(double pairs);

#endif
