/* Random numbers from counters, mixed by SplitMix64: uniform, below a bound, normal. The caller names the
 * stream. */
#include "rng.h"

#include "err.h"

#include <math.h>

/* The finaliser of SplitMix64 (Steele, Lea, Flood 2014). */
static uint64_t mix(uint64_t x)
{
    x ^= x >> 30;
    x *= 0xbf58476d1ce4e5b9u;
    x ^= x >> 27;
    x *= 0x94d049bb133111ebu;
    return x ^ x >> 31;
}

void rng_init(struct rng *rng, uint64_t seed, enum rng_purpose purpose, uint64_t a, uint64_t b)
{
    const uint64_t golden = 0x9e3779b97f4a7c15u;
    uint64_t key = mix(seed + golden);
    key = mix(key + golden * (uint64_t)purpose);
    key = mix(key ^ mix(a + golden));
    rng->key = mix(key ^ mix(b + 2 * golden));
    rng->counter = 0;
}

uint64_t rng_next(struct rng *rng)
{
    return mix(rng->key + 0x9e3779b97f4a7c15u * ++rng->counter);
}

double rng_uniform(struct rng *rng)
{
    return (double)(rng_next(rng) >> 11) * 0x1p-53;
}

double rng_normal(struct rng *rng)
{
    /* Box-Muller. The second number is dropped, so that a draw depends on the counter alone. */
    const double u = 1.0 - rng_uniform(rng);
    const double v = rng_uniform(rng);
    return sqrt(-2.0 * log(u)) * cos(6.283185307179586 * v);
}

uint64_t rng_below(struct rng *rng, uint64_t bound)
{
    ASSERT(bound > 0);
    const uint64_t unbiased = UINT64_MAX - UINT64_MAX % bound;
    uint64_t x;
    do
        x = rng_next(rng);
    while (x >= unbiased);
    return x % bound;
}

void rng_shuffle(struct rng *rng, int *items, int count)
{
    for (int i = count - 1; i > 0; i--) {
        const int j = (int)rng_below(rng, (uint64_t)i + 1);
        const int item = items[i];
        items[i] = items[j];
        items[j] = item;
    }
}
