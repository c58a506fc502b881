#include "elementary.h"
#include "kernel.h"
#include "score_kinds.h"

KERNEL_OF(real, score_additive, (const real *v, const real *query, const real *key, size_t n),
          (v, query, key, n))
{
    real e = 0;
#pragma omp simd reduction(+ : e)
    for (size_t i = 0; i < n; i++)
        e += v[i] * real_tanh(query[i] + key[i]);
    return e;
}

KERNEL(score_additive_backward, (real *dv, real *dquery, real *dkey, real de, const real *v,
        const real *query, const real *key, size_t n),
       (dv, dquery, dkey, de, v, query, key, n))
{
#pragma omp simd
    for (size_t i = 0; i < n; i++) { /* the tanh is computed anew */
        const real u = real_tanh(query[i] + key[i]);
        const real dsum = de * v[i] * (1 - u * u);
        dv[i] += de * u;
        dquery[i] += dsum;
        dkey[i] += dsum;
    }
}
