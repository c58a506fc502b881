/* normalizer: from scores e to weights α that are not negative and sum to 1.
 *
 *   softmax     α = exp(e) / Σ exp(e)
 *   sparsemax   α = max(0, e - τ), τ such that they sum to 1: the nearest point of the simplex, with many
 *               zeros (Martins and Astudillo 2016, arXiv:1602.02068) */
#ifndef NMT_NORMALIZER_H
#define NMT_NORMALIZER_H

#include "real.h"

#include <stddef.h>

struct normalizer {
    const char *name;
    void (*forward)(real *e, size_t n); /* in place; n at least 1 */
    /* dalpha becomes de. */
    void (*backward)(real *dalpha, const real *alpha, size_t n);
};

/* By the values of model.attention.normalizer. */
extern const struct normalizer normalizer_kinds[];

#endif
