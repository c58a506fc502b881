/* Softmax: α = exp(e) / Σ exp(e). */
#include "normalizer.h"
#include "vecmath.h"

static void softmax_forward(real *e, size_t n)
{
    vec_softmax(e, e, n);
}

static void softmax_backward(real *dalpha, const real *alpha, size_t n)
{
    const real mean = vec_dot(alpha, dalpha, n);
    for (size_t j = 0; j < n; j++)
        dalpha[j] = alpha[j] * (dalpha[j] - mean);
}

const struct normalizer normalizer_softmax = {softmax_forward, softmax_backward};
