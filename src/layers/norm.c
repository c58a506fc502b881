/* Layer normalisation of one row, forward and backward. The caller chooses the rows and adds biases. */
#include "norm.h"

#include "kernel.h"

#include <math.h>

#define VARIANCE_FLOOR 1e-5 /* as in PyTorch */

KERNEL(norm_forward, (real *y, real *x, real *scales, const struct norm *norm), (y, x, scales, norm))
{
    const size_t units = norm->units, groups = norm->groups;
    const real *gain = norm->gain;
    for (size_t group = 0; group < groups; group++, y += units, x += units, gain += units) {
        real sum = 0, squares = 0;
#pragma omp simd reduction(+ : sum)
        for (size_t i = 0; i < units; i++)
            sum += x[i];
        const real mean = sum / (real)units;
#pragma omp simd reduction(+ : squares)
        for (size_t i = 0; i < units; i++)
            squares += (x[i] - mean) * (x[i] - mean);
        const real scale = (real)(1 / sqrt((double)squares / (double)units + VARIANCE_FLOOR));
#pragma omp simd
        for (size_t i = 0; i < units; i++) {
            const real normal = (x[i] - mean) * scale;
            x[i] = normal;
            y[i] = normal * gain[i];
        }
        scales[group] = scale;
    }
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
