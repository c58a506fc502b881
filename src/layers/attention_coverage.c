#include "attention_mechanism.h"
#include "elementary.h"
#include "vecmath.h"

#include <string.h>

#define MOST_FERTILITY 2 /* N: target words that a source word can become, as in Tu et al. 2016 */

bool attention_has_coverage(const struct attention *attention)
{
    return attention->choice.coverage != COVERAGE_NONE;
}

/* ---- fertility: Φ = N σ(U_f h) ---- */

void fertility_forward(struct attention_source *at, const struct attention *attention, const real *params)
{
    const size_t k = attention->width;
    for (size_t i = 0; i < at->seq->rows; i++) {
        at->inverse_fertility[i] = 1;
        if (attention->choice.coverage == COVERAGE_FERTILITY)
            at->inverse_fertility[i] =
                1 / (MOST_FERTILITY *
                     real_sigmoid(vec_dot(params + attention->fertility, at->annotations + i * k, k)));
    }
}

void fertility_backward(real *dannotations, struct grad_terms *terms, const struct attention_acts *acts,
                        const struct attention_source *at, const struct attention *attention,
                        const real *params, struct arena *arena)
{
    const size_t k = attention->width;
    real *dweight = ARENA_ZERO(arena, k, real);
    if (attention->choice.coverage != COVERAGE_FERTILITY)
        return;
    for (size_t i = 0; i < at->seq->rows; i++) {
        /* 1/Φ = (1 + exp(-x)) / N, of which the derivative is 1/N - 1/Φ */
        const real dx = acts->dinverse[i] * ((real)1 / MOST_FERTILITY - at->inverse_fertility[i]);
        vec_axpy(dweight, dx, at->annotations + i * k, k);
        vec_axpy(dannotations + i * k, dx, params + attention->fertility, k);
    }
    grad_terms_sum(terms, attention->fertility, const_mat_of(dweight, 1, attention->width));
}

/* ---- the key with what it was seen already ---- */

const real *covered_key(struct attention_acts *acts, const real *key, real coverage,
                        const struct attention *attention, const real *params)
{
    const size_t a = attention->units;
    memcpy(acts->covered, key, a * sizeof *key);
    vec_axpy(acts->covered, coverage, params + attention->coverage, a);
    return acts->covered;
}

real covered_key_backward(real *dkey, struct attention_acts *acts, real coverage,
                          const struct attention *attention, const real *params)
{
    const size_t a = attention->units;
    const real dcoverage = vec_dot(acts->dcovered, params + attention->coverage, a);
    vec_add(dkey, acts->dcovered, a);
    vec_axpy(acts->dcoverage_vector, coverage, acts->dcovered, a);
    memset(acts->dcovered, 0, a * sizeof *acts->dcovered);
    return dcoverage;
}

/* ---- from step to step ---- */

void attention_cover(real *after, const real *before, const real *alpha, size_t b,
                     const struct attention_source *at)
{
    const struct packed_seq *source = at->seq;
    for (size_t j = 0; j < source->steps; j++) {
        const bool inside = j < source->lengths[b];
        const real inverse = inside ? at->inverse_fertility[source->first[j] + b] : 0;
        after[j] = before[j] + alpha[j] * inverse;
    }
}

void cover_backward(real *dalpha, struct attention_acts *acts, const real *alpha, const real *dcoverage,
                    size_t b, const struct attention_source *at)
{
    const struct packed_seq *source = at->seq;
    for (size_t j = 0; j < source->lengths[b]; j++) {
        const size_t position = source->first[j] + b;
        dalpha[j] += dcoverage[j] * at->inverse_fertility[position];
        acts->dinverse[position] += dcoverage[j] * alpha[j];
    }
}
