/* random_numbers: matrices of random numbers, the same everywhere. */
#ifndef NMT_RANDOM_NUMBERS_H
#define NMT_RANDOM_NUMBERS_H

#include "real.h"
#include "rng.h"

/* From -0.5 to 0.5. */
static void fill_random(real *x, size_t count, uint64_t seed)
{
    struct rng rng;
    rng_init(&rng, seed, RNG_TEST, 0, 0);
    for (size_t i = 0; i < count; i++)
        x[i] = (real)(rng_uniform(&rng) - 0.5);
}

#endif
