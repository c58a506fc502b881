/* elementary: exp, σ and tanh of single numbers, for use in loops.
 *
 * In float they are polynomials without branches, so that a loop around them is vectorised. Errors against
 * libm, in units in the last place of a float: exp 2, sigmoid 3, tanh 6 (tests/unit/test_vecmath.c). NaN
 * gives NaN. In double (gradient checks) they are libm's. */
#ifndef NMT_ELEMENTARY_H
#define NMT_ELEMENTARY_H

#include "real.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#define ELEMENTARY static inline __attribute__((always_inline))

#ifdef NMT_DOUBLE

ELEMENTARY real real_exp(real x)
{
    return exp(x);
}

ELEMENTARY real real_tanh(real x)
{
    return tanh(x);
}

#else

/* x below -87 gives exp(-87), x above 88 exp(88): never 0, never infinite.
 *
 * exp(x) = 2^n exp(r), n = round(x / ln 2), |r| <= ln 2 / 2; exp(r) by its Taylor series up to the seventh
 * power: the next term is below 1e-8. Adding 1.5 · 2^23 rounds to an integer and leaves it in the low
 * bits, ready to become an exponent; this avoids conversions, which are undefined for NaN. */
ELEMENTARY float real_exp(float x)
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

/* tanh(x) = x P(x²) / Q(x²) on [-9, 9], and ±1 outside: P and Q of degree 4, fitted for the least relative
 * error, 2.1e-8 (scripts/study/fit-tanh); the rest is rounding. */
ELEMENTARY float real_tanh(float x)
{
    x = x < -9.0f ? -9.0f : x;
    x = x > 9.0f ? 9.0f : x;
    const float y = x * x;
    float p = 1.335466342e-08f;
    p = p * y + 2.060908469e-05f;
    p = p * y + 3.495588332e-03f;
    p = p * y + 1.338102586e-01f;
    p = p * y + 9.999999795e-01f;
    float q = 7.776559371e-07f;
    q = q * y + 3.285635103e-04f;
    q = q * y + 2.587698309e-02f;
    q = q * y + 4.671434146e-01f;
    q = q * y + 1.0f;
    const float t = x * p / q;
    return t > 1.0f ? 1.0f : t < -1.0f ? -1.0f : t;
}

#endif

ELEMENTARY real real_sigmoid(real x)
{
    return 1 / (1 + real_exp(-x));
}

#endif
