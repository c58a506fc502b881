/* Additive scores, e = vᵀ tanh(query + key) (Bahdanau, Cho, Bengio 2015, arXiv:1409.0473, appendix A.1.2).
 * Luong's "concat", vᵀ tanh(W [s ; h]), is the same without a bias: W [s ; h] = W_a s + U_a h. */
#include "elementary.h"
#include "kernel.h"
#include "score.h"

static KERNEL_OF(real, additive_forward, (const struct score_inputs *inputs, size_t n), (inputs, n))
{
    const real *v = inputs->v, *query = inputs->query, *key = inputs->key;
    real e = 0;
#pragma omp simd reduction(+ : e)
    for (size_t i = 0; i < n; i++)
        e += v[i] * real_tanh(query[i] + key[i]);
    return e;
}

static KERNEL(additive_backward,
              (const struct score_grads *grads, real de, const struct score_inputs *inputs, size_t n),
              (grads, de, inputs, n))
{
    const real *v = inputs->v, *query = inputs->query, *key = inputs->key;
    real *dv = grads->v, *dquery = grads->query, *dkey = grads->key;
#pragma omp simd
    for (size_t i = 0; i < n; i++) { /* tanh is recomputed, not stored */
        const real u = real_tanh(query[i] + key[i]);
        const real dsum = de * v[i] * (1 - u * u);
        dv[i] += de * u;
        dquery[i] += dsum;
        dkey[i] += dsum;
    }
}

const struct score score_additive = {.projects_query = true,
                                     .projects_key = true,
                                     .key_bias = true,
                                     .vector = true,
                                     .hidden = true,
                                     .forward = additive_forward,
                                     .backward = additive_backward};

const struct score score_concat = {.projects_query = true,
                                   .projects_key = true,
                                   .vector = true,
                                   .hidden = true,
                                   .forward = additive_forward,
                                   .backward = additive_backward};
