#include "attention_mechanism.h"
#include "rng.h"

#include <math.h>
#include <string.h>

bool attention_is_hard(const struct attention *attention)
{
    return attention->choice.hard;
}

bool contexts_are_expected(const struct hard_attention *hard, uint32_t sentence)
{
    if (!hard || !hard->sampled || hard->forced)
        return false;
    struct rng rng;
    rng_init(&rng, hard->key, RNG_EXPECTED, sentence, 0);
    return rng_uniform(&rng) < hard->expected;
}

void choose_position(real *alpha, real *soft, size_t n, const struct hard_attention *hard, uint32_t draw)
{
    size_t chosen = 0;
    memcpy(soft, alpha, n * sizeof *alpha);
    if (hard && hard->forced) {
        chosen = (size_t)hard->forced[draw];
    } else if (hard && hard->sampled) {
        struct rng rng;
        rng_init(&rng, hard->key, RNG_ATTENTION, draw, 0);
        double left = rng_uniform(&rng);
        /* The last position with any weight takes what rounding leaves over. */
        for (size_t j = 0; j < n && left >= 0; j++)
            if (soft[j] > 0) {
                chosen = j;
                left -= (double)soft[j];
            }
    } else {
        for (size_t j = 1; j < n; j++)
            if (soft[j] > soft[chosen])
                chosen = j;
    }
    memset(alpha, 0, n * sizeof *alpha);
    alpha[chosen] = 1;
}

void choice_backward(real *dalpha, const real *alpha, const real *soft, size_t n,
                     const struct hard_attention *hard, real advantage)
{
    for (size_t j = 0; j < n; j++) {
        const real chosen = alpha[j] > 0 ? advantage / soft[j] : 0; /* A ∇ log α_chosen */
        const real entropy = soft[j] > 0 ? (real)log((double)soft[j]) + 1 : 0;
        dalpha[j] = chosen + (real)hard->entropy * hard->scale * entropy; /* -∇H = Σ (log α + 1) ∇α */
    }
}
