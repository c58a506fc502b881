#include "vecmath.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#define INLINE static inline __attribute__((always_inline))

#ifdef NMT_DOUBLE

INLINE real exp_one(real x)
{
    return exp(x);
}

INLINE real tanh_one(real x)
{
    return tanh(x);
}

#else

/* exp(x) = 2^n exp(r), n = round(x / ln 2), |r| <= ln 2 / 2; exp(r) by its Taylor series, whose eighth term
 * is below 1e-8. Adding 1.5 · 2^23 rounds to a whole number and leaves it in the low bits, ready to become an
 * exponent; this stays free of conversions, which are undefined for NaN. */
INLINE float exp_one(float x)
{
    const float magic = 12582912.0f;
    x = x < -87.0f ? -87.0f : x;
    x = x > 88.0f ? 88.0f : x;
    const float shifted = x * 1.44269504f + magic;
    const float n = shifted - magic;
    const float r = (x - n * 0.693359375f) + n * 2.12194440e-4f;
    float p = 1.0f / 5040;
    p = p * r + 1.0f / 720;
    p = p * r + 1.0f / 120;
    p = p * r + 1.0f / 24;
    p = p * r + 1.0f / 6;
    p = p * r + 0.5f;
    p = p * r + 1.0f;
    p = p * r + 1.0f;
    uint32_t bits;
    memcpy(&bits, &shifted, sizeof bits);
    bits = (bits << 23) + 0x3f800000u;
    float scale;
    memcpy(&scale, &bits, sizeof scale);
    return p * scale;
}

/* Near 0 the odd polynomial of S. Moshier's Cephes library (tanhf), elsewhere 1 - 2 / (exp(2|x|) + 1). */
INLINE float tanh_one(float x)
{
    const float a = fabsf(x);
    const float square = x * x;
    float p = -5.70498872745e-3f;
    p = p * square + 2.06390887954e-2f;
    p = p * square - 5.37397155531e-2f;
    p = p * square + 1.33314422036e-1f;
    p = p * square - 3.33332819422e-1f;
    const float small = p * square * x + x;
    const float large = 1.0f - 2.0f / (exp_one(2.0f * a) + 1.0f);
    return a < 0.625f ? small : copysignf(large, x);
}

#endif

VEC_CLONES void vec_exp(real *y, const real *x, size_t n)
{
    for (size_t i = 0; i < n; i++)
        y[i] = exp_one(x[i]);
}

VEC_CLONES void vec_sigmoid(real *y, const real *x, size_t n)
{
    for (size_t i = 0; i < n; i++)
        y[i] = 1 / (1 + exp_one(-x[i]));
}

VEC_CLONES void vec_tanh(real *y, const real *x, size_t n)
{
    for (size_t i = 0; i < n; i++)
        y[i] = tanh_one(x[i]);
}

VEC_CLONES void vec_tanh_sum(real *y, const real *a, const real *b, size_t n)
{
    for (size_t i = 0; i < n; i++)
        y[i] = tanh_one(a[i] + b[i]);
}

/* The sums below ask for reordering, loop by loop: without it the compiler may not vectorise them. */

VEC_CLONES real vec_max(const real *x, size_t n)
{
    real max = x[0];
#pragma omp simd reduction(max : max)
    for (size_t i = 1; i < n; i++)
        max = x[i] > max ? x[i] : max;
    return max;
}

VEC_CLONES real vec_dot(const real *a, const real *b, size_t n)
{
    real sum = 0;
#pragma omp simd reduction(+ : sum)
    for (size_t i = 0; i < n; i++)
        sum += a[i] * b[i];
    return sum;
}

VEC_CLONES double vec_sum(const real *x, size_t n)
{
    double sum = 0;
#pragma omp simd reduction(+ : sum)
    for (size_t i = 0; i < n; i++)
        sum += (double)x[i];
    return sum;
}

VEC_CLONES double vec_sum_squares(const real *x, size_t n)
{
    double sum = 0;
#pragma omp simd reduction(+ : sum)
    for (size_t i = 0; i < n; i++)
        sum += (double)x[i] * (double)x[i];
    return sum;
}

VEC_CLONES real vec_exp_sum(real *y, const real *x, real shift, size_t n)
{
    real sum = 0;
#pragma omp simd reduction(+ : sum)
    for (size_t i = 0; i < n; i++) {
        y[i] = exp_one(x[i] - shift);
        sum += y[i];
    }
    return sum;
}

VEC_CLONES static real shifted_exp_sum(const real *x, real shift, size_t n)
{
    real sum = 0;
#pragma omp simd reduction(+ : sum)
    for (size_t i = 0; i < n; i++)
        sum += x[i] - shift < -80 ? 0 : exp_one(x[i] - shift);
    return sum;
}

double vec_log_sum_exp(const real *x, size_t n)
{
    const real max = vec_max(x, n);
    return (double)max + log((double)shifted_exp_sum(x, max, n));
}

VEC_CLONES void vec_add(real *y, const real *x, size_t n)
{
    for (size_t i = 0; i < n; i++)
        y[i] += x[i];
}

VEC_CLONES void vec_axpy(real *y, real a, const real *x, size_t n)
{
    for (size_t i = 0; i < n; i++)
        y[i] += a * x[i];
}

VEC_CLONES void vec_scale(real *y, real a, size_t n)
{
    for (size_t i = 0; i < n; i++)
        y[i] *= a;
}

VEC_CLONES void vec_mul(real *y, const real *x, size_t n)
{
    for (size_t i = 0; i < n; i++)
        y[i] *= x[i];
}

VEC_CLONES void vec_tanh_backward(real *dx, const real *dy, const real *y, size_t n)
{
    for (size_t i = 0; i < n; i++)
        dx[i] = dy[i] * (1 - y[i] * y[i]);
}

VEC_CLONES void vec_add_column_sums(real *sums, const real *rows, int ld, int row_count, int columns)
{
    for (int i = 0; i < row_count; i++)
        for (int j = 0; j < columns; j++)
            sums[j] += rows[(size_t)i * (size_t)ld + (size_t)j];
}

VEC_CLONES void vec_add_to_rows(real *rows, int ld, const real *bias, int row_count, int columns)
{
    for (int i = 0; i < row_count; i++)
        for (int j = 0; j < columns; j++)
            rows[(size_t)i * (size_t)ld + (size_t)j] += bias[j];
}

void vec_softmax(real *y, const real *x, size_t n)
{
    const real sum = vec_exp_sum(y, x, vec_max(x, n), n);
    vec_scale(y, 1 / sum, n);
}
