/* concatenate: makes longer pairs of two, one behind the other, so that a network sees each sentence in other
 * places, beside others (Nguyen, Murray and Chiang 2021, arXiv:2105.01691). */
#ifndef NMT_CONCATENATE_H
#define NMT_CONCATENATE_H

#include "corpus.h"
#include "language_pair.h"
#include "rng.h"

/* Concatenates a share of the pairs, from 0 to 1, by twos that are drawn at random; not if a side became
 * longer than max_tokens, or if there were too many placeholders. The corpus then has other pairs in another
 * order. */
void concatenate(struct corpus *corpus, const struct language_pair *pair, double share, int max_tokens,
                 struct rng *rng);

#endif
