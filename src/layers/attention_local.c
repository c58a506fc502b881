#include "attention_mechanism.h"
#include "elementary.h"
#include "vecmath.h"

#include <math.h>
#include <string.h>

bool attention_is_local_p(const struct attention *attention)
{
    return attention->choice.scope == SCOPE_LOCAL_P;
}

struct span span_of(const struct attention_acts *acts, size_t row, size_t step, size_t length,
                    const struct attention *attention)
{
    const double window = (double)attention->choice.window, last = (double)length - 1;
    struct span span = {0, length, 0};
    if (attention->choice.scope == SCOPE_GLOBAL)
        return span;
    span.centre = attention_is_local_p(attention) ? (double)acts->centre[row] : fmin((double)step, last);
    span.begin = (size_t)fmax(0, ceil(span.centre - window));
    span.end = (size_t)fmin(last, floor(span.centre + window)) + 1;
    return span;
}

/* p = S σ(v_pᵀ tanh(W_p s)) */
void centres_forward(struct attention_acts *acts, size_t row, const real *states, size_t ld,
                     const size_t *source_rank, const struct packed_seq *source,
                     const struct attention *attention, const struct prepacked *weight, const real *params,
                     size_t rows)
{
    const size_t units = attention->centre.outputs;
    real *hidden = acts->hidden + row * units;
    linear_forward_prepacked(mat_of(hidden, rows, attention->centre.outputs),
                             const_mat_ld(states, rows, attention->centre.inputs, ld), &attention->centre,
                             weight, params);
    vec_tanh(hidden, hidden, rows * units);
    for (size_t i = 0; i < rows; i++)
        acts->centre[row + i] =
            (real)source->lengths[source_rank[i]] *
            real_sigmoid(vec_dot(params + attention->centre_vector, hidden + i * units, units));
}

void centres_backward(real *dstates, struct attention_acts *acts, size_t row, const size_t *source_rank,
                      const struct packed_seq *source, const struct attention *attention,
                      const struct prepacked *weight, const real *params, size_t rows)
{
    const size_t units = attention->centre.outputs;
    real *dhidden = acts->dhidden + row * units;
    for (size_t i = 0; i < rows; i++) {
        const real length = (real)source->lengths[source_rank[i]], part = acts->centre[row + i] / length;
        const real dscore = acts->dcentre[i] * length * part * (1 - part); /* p = S σ(score) */
        const real *hidden = acts->hidden + (row + i) * units;
        vec_axpy(acts->dcentre_vector, dscore, hidden, units);
        memset(dhidden + i * units, 0, units * sizeof *dhidden);
        vec_axpy(dhidden + i * units, dscore, params + attention->centre_vector, units);
        vec_tanh_backward(dhidden + i * units, dhidden + i * units, hidden, units);
    }
    prepacked_product(mat_ld(dstates, rows, weight->n, attention->centre.inputs),
                      const_mat_ld(dhidden, rows, weight->k, units), weight, true);
}

/* What a position's weight is multiplied with, and, for d p, (j - p) / σ². */
static double gaussian(double *slope, size_t j, const struct span *span, size_t window)
{
    const double deviation = (double)window / 2, distance = (double)j - span->centre;
    *slope = distance / (deviation * deviation);
    return exp(-distance * distance / (2 * deviation * deviation));
}

void gaussian_forward(real *alpha, const struct span *span, size_t window)
{
    for (size_t j = span->begin; j < span->end; j++) {
        double slope;
        alpha[j] *= (real)gaussian(&slope, j, span, window);
    }
}

real gaussian_backward(real *dalpha, real *plain, const real *alpha, const struct span *span, size_t window)
{
    double dcentre = 0;
    for (size_t j = span->begin; j < span->end; j++) {
        double slope;
        const double g = gaussian(&slope, j, span, window);
        dcentre += (double)dalpha[j] * (double)alpha[j] * slope;
        dalpha[j] *= (real)g;
        plain[j] = alpha[j] / (real)g; /* g is at least exp(-2) */
    }
    return (real)dcentre;
}
