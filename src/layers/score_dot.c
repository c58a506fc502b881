/* Products, e = query · key (Luong, Pham, Manning 2015, arXiv:1508.04025; with key = W h their "general"),
 * also divided by sqrt(n) (Vaswani et al. 2017, arXiv:1706.03762). */
#include "score.h"
#include "vecmath.h"

#include <math.h>

static real dot_forward(const real *v, const real *query, const real *key, size_t n)
{
    (void)v;
    return vec_dot(query, key, n);
}

static void dot_backward(real *dv, real *dquery, real *dkey, real de, const real *v, const real *query,
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

static real scaled_dot_forward(const real *v, const real *query, const real *key, size_t n)
{
    return scale_of(n) * dot_forward(v, query, key, n);
}

static void scaled_dot_backward(real *dv, real *dquery, real *dkey, real de, const real *v, const real *query,
                                const real *key, size_t n)
{
    dot_backward(dv, dquery, dkey, scale_of(n) * de, v, query, key, n);
}

const struct score score_dot = {.forward = dot_forward, .backward = dot_backward};

const struct score score_general = {.projects_key = true, .forward = dot_forward, .backward = dot_backward};

const struct score score_scaled_dot = {.projects_query = true,
                                       .projects_key = true,
                                       .forward = scaled_dot_forward,
                                       .backward = scaled_dot_backward};
