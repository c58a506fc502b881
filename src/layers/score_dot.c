/* Products, e = query · key (Luong, Pham, Manning 2015, arXiv:1508.04025; with key = W h their "general"),
 * also divided by sqrt(n) (Vaswani et al. 2017, arXiv:1706.03762). */
#include "score.h"
#include "vecmath.h"

#include <math.h>

static real dot_forward(const struct score_inputs *inputs, size_t n)
{
    return vec_dot(inputs->query, inputs->key, n);
}

static void dot_backward(const struct score_grads *grads, real de, const struct score_inputs *inputs,
                         size_t n)
{
    vec_axpy(grads->query, de, inputs->key, n);
    vec_axpy(grads->key, de, inputs->query, n);
}

static real scale_of(size_t n)
{
    return (real)(1 / sqrt((double)n));
}

static real scaled_dot_forward(const struct score_inputs *inputs, size_t n)
{
    return scale_of(n) * dot_forward(inputs, n);
}

static void scaled_dot_backward(const struct score_grads *grads, real de, const struct score_inputs *inputs,
                                size_t n)
{
    dot_backward(grads, scale_of(n) * de, inputs, n);
}

const struct score score_dot = {.forward = dot_forward, .backward = dot_backward};

const struct score score_general = {.projects_key = true, .forward = dot_forward, .backward = dot_backward};

const struct score score_scaled_dot = {.projects_query = true,
                                       .projects_key = true,
                                       .forward = scaled_dot_forward,
                                       .backward = scaled_dot_backward};
