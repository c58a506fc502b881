/* Loops over arrays that the compiler vectorises. Functions of single numbers are in elementary.h, the
 * choice of the instruction set in kernel.h. */
#include "vecmath.h"

#include "elementary.h"
#include "kernel.h"

KERNEL(vec_tanh, (real *y, const real *x, size_t n), (y, x, n))
{
    for (size_t i = 0; i < n; i++)
        y[i] = real_tanh(x[i]);
}

/* The sums below allow reordering, loop by loop: otherwise the compiler could not vectorise them. */

KERNEL_OF(real, vec_max, (const real *x, size_t n), (x, n))
{
    real max = x[0];
#pragma omp simd reduction(max : max)
    for (size_t i = 1; i < n; i++)
        max = x[i] > max ? x[i] : max;
    return max;
}

KERNEL(vec_block_max, (real *maxima, const real *x, size_t n), (maxima, x, n))
{
    for (size_t i = 0; i < n; i += VEC_BLOCK) {
        real max = x[i];
        const size_t end = n - i < VEC_BLOCK ? n : i + VEC_BLOCK;
#pragma omp simd reduction(max : max)
        for (size_t j = i; j < end; j++)
            max = x[j] > max ? x[j] : max;
        *maxima++ = max;
    }
}

KERNEL_OF(real, vec_dot, (const real *a, const real *b, size_t n), (a, b, n))
{
    real sum = 0;
#pragma omp simd reduction(+ : sum)
    for (size_t i = 0; i < n; i++)
        sum += a[i] * b[i];
    return sum;
}

KERNEL_OF(double, vec_sum, (const real *x, size_t n), (x, n))
{
    double sum = 0;
#pragma omp simd reduction(+ : sum)
    for (size_t i = 0; i < n; i++)
        sum += (double)x[i];
    return sum;
}

KERNEL_OF(double, vec_sum_squares, (const real *x, size_t n), (x, n))
{
    double sum = 0;
#pragma omp simd reduction(+ : sum)
    for (size_t i = 0; i < n; i++)
        sum += (double)x[i] * (double)x[i];
    return sum;
}

KERNEL_OF(real, vec_exp_sum, (real *y, const real *x, real shift, size_t n), (y, x, shift, n))
{
    real sum = 0;
#pragma omp simd reduction(+ : sum)
    for (size_t i = 0; i < n; i++) {
        y[i] = real_exp(x[i] - shift);
        sum += y[i];
    }
    return sum;
}

static KERNEL_OF(real, shifted_exp_sum, (const real *x, real shift, size_t n), (x, shift, n))
{
    real sum = 0;
#pragma omp simd reduction(+ : sum)
    for (size_t i = 0; i < n; i++)
        sum += x[i] - shift < -80 ? 0 : real_exp(x[i] - shift);
    return sum;
}

double vec_log_sum_exp(const real *x, real max, size_t n)
{
    return (double)max + log((double)shifted_exp_sum(x, max, n));
}

KERNEL(vec_add, (real *y, const real *x, size_t n), (y, x, n))
{
    for (size_t i = 0; i < n; i++)
        y[i] += x[i];
}

KERNEL(vec_axpy, (real *y, real a, const real *x, size_t n), (y, a, x, n))
{
    for (size_t i = 0; i < n; i++)
        y[i] += a * x[i];
}

KERNEL(vec_axpy4, (real *y, const real a[4], const real *const x[4], size_t n), (y, a, x, n))
{
    const real a0 = a[0], a1 = a[1], a2 = a[2], a3 = a[3];
    const real *x0 = x[0], *x1 = x[1], *x2 = x[2], *x3 = x[3];
#pragma omp simd
    for (size_t i = 0; i < n; i++) {
        real sum = y[i];
        sum += a0 * x0[i];
        sum += a1 * x1[i];
        sum += a2 * x2[i];
        sum += a3 * x3[i];
        y[i] = sum;
    }
}

KERNEL(vec_scale, (real *y, real a, size_t n), (y, a, n))
{
    for (size_t i = 0; i < n; i++)
        y[i] *= a;
}

KERNEL(vec_tanh_backward, (real *dx, const real *dy, const real *y, size_t n), (dx, dy, y, n))
{
    for (size_t i = 0; i < n; i++)
        dx[i] = dy[i] * (1 - y[i] * y[i]);
}

KERNEL(vec_add_column_sums, (real *sums, struct const_mat rows), (sums, rows))
{
    for (size_t i = 0; i < rows.rows; i++)
        for (size_t j = 0; j < rows.cols; j++)
            sums[j] += rows.data[i * rows.ld + j];
}

KERNEL(vec_add_to_rows, (struct mat rows, const real *bias), (rows, bias))
{
    for (size_t i = 0; i < rows.rows; i++)
        for (size_t j = 0; j < rows.cols; j++)
            rows.data[i * rows.ld + j] += bias[j];
}

void vec_softmax(real *y, const real *x, size_t n)
{
    const real sum = vec_exp_sum(y, x, vec_max(x, n), n);
    vec_scale(y, 1 / sum, n);
}
