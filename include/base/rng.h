/* rng: counter-based random numbers: only the counters need saving.
 *
 * A stream is named by (seed, purpose, a, b), for instance (seed, RNG_DROPOUT, update, worker); its i-th
 * number is a function of the name and i alone. */
#ifndef NMT_RNG_H
#define NMT_RNG_H

#include <stdint.h>

enum rng_purpose {
    RNG_INIT = 1,
    RNG_SHUFFLE,
    RNG_DROPOUT,
    RNG_TEST,
    RNG_SEGMENT,
    RNG_SAMPLE,
    RNG_CORPUS,
    RNG_ATTENTION,
    RNG_BLOCKS = 10, /* 9 belonged to a method that is gone */
    RNG_EXPECTED,
    RNG_PLACEHOLDERS,
    RNG_CONCATENATE
};

struct rng {
    uint64_t key;
    uint64_t counter;
};

void rng_init(struct rng *rng, uint64_t seed, enum rng_purpose purpose, uint64_t a, uint64_t b);
uint64_t rng_next(struct rng *rng);
double rng_uniform(struct rng *rng);                      /* in [0, 1) */
double rng_normal(struct rng *rng);                       /* mean 0, variance 1 */
uint64_t rng_below(struct rng *rng, uint64_t bound);      /* in [0, bound), bound > 0, without bias */
void rng_shuffle(struct rng *rng, int *items, int count); /* Fisher-Yates */

/* A 32-bit hash of index `i` in a stream, cheap enough for one number per activation: see dropout.c.
 * Constants from the search of C. Wellons, "Prospecting for Hash Functions" (lowbias32). */
static inline uint32_t rng_hash32(uint32_t key, uint32_t i)
{
    uint32_t x = i ^ key;
    x ^= x >> 16;
    x *= 0x7feb352du;
    x ^= x >> 15;
    x *= 0x846ca68bu;
    x ^= x >> 16;
    return x;
}

#endif
