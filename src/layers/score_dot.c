#include "score_kinds.h"
#include "vecmath.h"

#include <math.h>

real score_dot(const real *v, const real *query, const real *key, size_t n)
{
    (void)v;
    return vec_dot(query, key, n);
}

void score_dot_backward(real *dv, real *dquery, real *dkey, real de, const real *v, const real *query,
                        const real *key, size_t n)
{
    (void)dv, (void)v;
    vec_axpy(dquery, de, key, n);
    vec_axpy(dkey, de, query, n);
}

static real scale_of(size_t n)
{
    return (real)(1 / sqrt((double)n));
}

real score_scaled_dot(const real *v, const real *query, const real *key, size_t n)
{
    return scale_of(n) * score_dot(v, query, key, n);
}

void score_scaled_dot_backward(real *dv, real *dquery, real *dkey, real de, const real *v, const real *query,
                               const real *key, size_t n)
{
    score_dot_backward(dv, dquery, dkey, scale_of(n) * de, v, query, key, n);
}
