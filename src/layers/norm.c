/* Layer normalisation of one row, forward and backward. The caller chooses the rows and adds biases. */
#include "norm.h"

#include "kernel.h"

#include <math.h>

#define VARIANCE_FLOOR 1e-5 /* as in PyTorch */

#define INLINE static inline __attribute__((always_inline))

INLINE real scale_of(real squares, size_t units)
{
    return (real)(1 / sqrt((double)squares / (double)units + VARIANCE_FLOOR));
}

/* y and x of a group, given its mean and scale. */
INLINE void normalize(real *y, real *x, const real *gain, real mean, real scale, size_t units)
{
#pragma omp simd
    for (size_t i = 0; i < units; i++) {
        const real normal = (x[i] - mean) * scale;
        x[i] = normal;
        y[i] = normal * gain[i];
    }
}

INLINE void one_group(real *y, real *x, real *scales, const real *gain, size_t units)
{
    real sum = 0, squares = 0;
#pragma omp simd reduction(+ : sum)
    for (size_t i = 0; i < units; i++)
        sum += x[i];
    const real mean = sum / (real)units;
#pragma omp simd reduction(+ : squares)
    for (size_t i = 0; i < units; i++)
        squares += (x[i] - mean) * (x[i] - mean);
    scales[0] = scale_of(squares, units);
    normalize(y, x, gain, mean, scales[0], units);
}

/* The same for three groups, the gates of a GRU: a sum waits for its last addition, three take turns. */
INLINE void three_groups(real *y, real *x, real *scales, const real *gain, size_t units)
{
    const real *x1 = x + units, *x2 = x1 + units;
    real sum = 0, sum1 = 0, sum2 = 0, squares = 0, squares1 = 0, squares2 = 0;
#pragma omp simd reduction(+ : sum, sum1, sum2)
    for (size_t i = 0; i < units; i++) {
        sum += x[i];
        sum1 += x1[i];
        sum2 += x2[i];
    }
    const real mean = sum / (real)units, mean1 = sum1 / (real)units, mean2 = sum2 / (real)units;
#pragma omp simd reduction(+ : squares, squares1, squares2)
    for (size_t i = 0; i < units; i++) {
        squares += (x[i] - mean) * (x[i] - mean);
        squares1 += (x1[i] - mean1) * (x1[i] - mean1);
        squares2 += (x2[i] - mean2) * (x2[i] - mean2);
    }
    scales[0] = scale_of(squares, units);
    scales[1] = scale_of(squares1, units);
    scales[2] = scale_of(squares2, units);
    normalize(y, x, gain, mean, scales[0], units);
    normalize(y + units, x + units, gain + units, mean1, scales[1], units);
    normalize(y + 2 * units, x + 2 * units, gain + 2 * units, mean2, scales[2], units);
}

KERNEL(norm_forward, (real *y, real *x, real *scales, const struct norm *norm), (y, x, scales, norm))
{
    const size_t units = norm->units;
    size_t group = 0;
    for (; group + 3 <= norm->groups; group += 3)
        three_groups(y + group * units, x + group * units, scales + group, norm->gain + group * units, units);
    for (; group < norm->groups; group++)
        one_group(y + group * units, x + group * units, scales + group, norm->gain + group * units, units);
}

KERNEL(norm_gain, (real *y, const real *normal, const struct norm *norm), (y, normal, norm))
{
    const size_t n = norm->units * norm->groups;
    const real *gain = norm->gain;
#pragma omp simd
    for (size_t i = 0; i < n; i++)
        y[i] = normal[i] * gain[i];
}

KERNEL(norm_backward, (real *normal, real *dgain, real *dbias, const real *dy, const real *scales,
        const struct norm *norm),
       (normal, dgain, dbias, dy, scales, norm))
{
    const size_t units = norm->units, groups = norm->groups;
    const real *gain = norm->gain;
    for (size_t group = 0; group < groups; group++) {
        real sum = 0, product = 0;
#pragma omp simd reduction(+ : sum, product)
        for (size_t i = 0; i < units; i++) { /* y = g ∘ x̂ */
            const real dnormal = dy[i] * gain[i];
            dbias[i] += dy[i];
            dgain[i] += dy[i] * normal[i];
            sum += dnormal;
            product += dnormal * normal[i];
        }
        /* x̂ = (x - mean x) · scale */
        const real mean = sum / (real)units, along = product / (real)units, scale = scales[group];
#pragma omp simd
        for (size_t i = 0; i < units; i++)
            normal[i] = scale * (dy[i] * gain[i] - mean - normal[i] * along);
        normal += units, dgain += units, dbias += units, dy += units, gain += units;
    }
}
