#include "attention.h"

#include "elementary.h"
#include "vecmath.h"

#include <stdio.h>
#include <string.h>

void attention_declare(struct attention *attention, struct layout *layout, const char *prefix,
                       int query_width, int annotation_width, int units)
{
    char name[PARAM_MAX_NAME];
    attention->units = units;
    snprintf(name, sizeof name, "%s.query", prefix);
    linear_declare(&attention->query, layout, name, query_width, units, false);
    snprintf(name, sizeof name, "%s.key", prefix);
    linear_declare(&attention->key, layout, name, annotation_width, units, true);
    snprintf(name, sizeof name, "%s.score", prefix);
    attention->score = layout_declare(layout, name, "weight", 1, units, INIT_GLOROT);
}

/* e = vᵀ tanh(query + key) */
VEC_CLONES static real score(const real *v, const real *query, const real *key, size_t units)
{
    real e = 0;
#pragma omp simd reduction(+ : e)
    for (size_t i = 0; i < units; i++)
        e += v[i] * real_tanh(query[i] + key[i]);
    return e;
}

/* Its gradients, given de; the tanh is computed anew. */
VEC_CLONES static void score_backward(real *dv, real *dquery, real *dkey, real de, const real *v,
                                      const real *query, const real *key, size_t units)
{
#pragma omp simd
    for (size_t i = 0; i < units; i++) {
        const real u = real_tanh(query[i] + key[i]);
        const real dsum = de * v[i] * (1 - u * u);
        dv[i] += de * u;
        dquery[i] += dsum;
        dkey[i] += dsum;
    }
}

void attention_weights(real *alpha, const real *query, const real *keys, const int *column,
                       const struct attention *attention, const real *params, const struct packing *source,
                       int rows)
{
    const size_t a = (size_t)attention->units, steps = (size_t)source->steps;
    const real *v = params + attention->score;
    for (size_t i = 0; i < (size_t)rows; i++) {
        const size_t b = (size_t)column[i], length = (size_t)source->lengths[b];
        real *e = alpha + i * steps;
        for (size_t j = 0; j < length; j++)
            e[j] = score(v, query + i * a, keys + ((size_t)source->first[j] + b) * a, a);
        vec_softmax(e, e, length);
        memset(e + length, 0, (steps - length) * sizeof *e);
    }
}

void attention_sum(real *sums, const real *alpha, const real *values, int width, const int *column,
                   const struct packing *source, int rows)
{
    const size_t w = (size_t)width, steps = (size_t)source->steps;
    memset(sums, 0, (size_t)rows * w * sizeof *sums);
    for (size_t i = 0; i < (size_t)rows; i++) {
        const size_t b = (size_t)column[i], length = (size_t)source->lengths[b];
        for (size_t j = 0; j < length; j++)
            vec_axpy(sums + i * w, alpha[i * steps + j], values + ((size_t)source->first[j] + b) * w, w);
    }
}

void attention_sum_backward(real *dalpha, const real *dsums, const real *values, int width, const int *column,
                            const struct packing *source, int rows)
{
    const size_t w = (size_t)width, steps = (size_t)source->steps;
    for (size_t i = 0; i < (size_t)rows; i++) {
        const size_t b = (size_t)column[i], length = (size_t)source->lengths[b];
        const real *dsum = dsums + i * w;
        for (size_t j = 0; j < length; j++) /* sum = … + α_j values_j */
            dalpha[i * steps + j] = vec_dot(dsum, values + ((size_t)source->first[j] + b) * w, w);
    }
}

void attention_values_backward(real *dvalues, const real *dsums, const real *alpha, int width,
                               const int *column, const struct packing *source, const struct packing *target)
{
    const size_t w = (size_t)width, steps = (size_t)source->steps;
    for (int r = 0; r < target->sents; r++) {
        const int b = column[r];
        for (int t = 0; t < target->lengths[r]; t++) {
            const size_t row = (size_t)(target->first[t] + r);
            for (int j = 0; j < source->lengths[b]; j++) /* sum = … + α_j values_j */
                vec_axpy(dvalues + (size_t)(source->first[j] + b) * w, alpha[row * steps + (size_t)j],
                         dsums + row * w, w);
        }
    }
}

void attention_weights_backward(real *dquery, real *dkeys, real *dscore, real *dalpha, const real *alpha,
                                const real *query, const real *keys, const int *column,
                                const struct attention *attention, const real *params,
                                const struct packing *source, int rows)
{
    const size_t a = (size_t)attention->units, steps = (size_t)source->steps;
    const real *v = params + attention->score;
    memset(dquery, 0, (size_t)rows * a * sizeof *dquery);
    for (size_t i = 0; i < (size_t)rows; i++) {
        const size_t b = (size_t)column[i], length = (size_t)source->lengths[b];
        const real *p = alpha + i * steps, *dp = dalpha + i * steps;
        const real mean = vec_dot(p, dp, length);
        for (size_t j = 0; j < length; j++) {
            const size_t at = ((size_t)source->first[j] + b) * a;
            const real de = p[j] * (dp[j] - mean); /* α = softmax(e) */
            score_backward(dscore, dquery + i * a, dkeys + at, de, v, query + i * a, keys + at, a);
        }
    }
}
