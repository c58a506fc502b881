/* Encodes and decodes weights. The tensors that hold them are in model_file.c. */
#include "precision.h"

#include <math.h>
#include <string.h>

/* ---- float32 ---- */

static bool float32_encode(void *to, const float *from, size_t count)
{
    memcpy(to, from, count * sizeof *from);
    return true;
}

static void float32_decode(float *to, const void *from, size_t count)
{
    memcpy(to, from, count * sizeof *to);
}

/* A float whose exponent is all ones is infinite or NaN. */
static bool float32_finite(const void *from, size_t count)
{
    const uint32_t exponent = 0x7f800000;
    uint32_t bad = 0;
    for (size_t i = 0; i < count; i++) {
        uint32_t bits;
        memcpy(&bits, (const unsigned char *)from + i * sizeof bits, sizeof bits);
        bad |= (bits & exponent) == exponent;
    }
    return !bad;
}

/* ---- float16: sign, 5 bits of exponent (bias 15), 10 bits of mantissa ---- */

#define HALF_SIGN 0x8000u
#define HALF_EXPONENT 0x7c00u

/* Infinity for what is beyond the range, or not finite. */
static uint16_t to_half(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    const uint32_t sign = bits >> 16 & HALF_SIGN, magnitude = bits & 0x7fffffff;
    if (magnitude >= 0x477ff000) /* 65520, halfway to the next power of two */
        return (uint16_t)(sign | HALF_EXPONENT);
    if (magnitude < 0x38800000) { /* 2^-14: below, a half counts units of 2^-24, as floats of [0.5, 1) do */
        const float shifted = fabsf(value) + 0.5f;
        memcpy(&bits, &shifted, sizeof bits);
        return (uint16_t)(sign | (bits - 0x3f000000));
    }
    const uint32_t rounded = magnitude + 0x0fff + (magnitude >> 13 & 1);
    return (uint16_t)(sign | (rounded - ((127 - 15) << 23)) >> 13);
}

static float of_half(uint16_t half)
{
    const uint32_t exponent = (half & HALF_EXPONENT) >> 10, mantissa = half & 0x3ff;
    float value = (float)mantissa * 0x1p-24f;
    if (exponent) {
        const uint32_t bits = (exponent + (127 - 15)) << 23 | mantissa << 13;
        memcpy(&value, &bits, sizeof value);
    }
    return half & HALF_SIGN ? -value : value;
}

static bool float16_encode(void *to, const float *from, size_t count)
{
    bool fits = true;
    for (size_t i = 0; i < count; i++) {
        const uint16_t half = to_half(from[i]);
        fits &= (half & HALF_EXPONENT) != HALF_EXPONENT;
        memcpy((unsigned char *)to + i * sizeof half, &half, sizeof half);
    }
    return fits;
}

static void float16_decode(float *to, const void *from, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        uint16_t half;
        memcpy(&half, (const unsigned char *)from + i * sizeof half, sizeof half);
        to[i] = of_half(half);
    }
}

static bool float16_finite(const void *from, size_t count)
{
    bool bad = false;
    for (size_t i = 0; i < count; i++) {
        uint16_t half;
        memcpy(&half, (const unsigned char *)from + i * sizeof half, sizeof half);
        bad |= (half & HALF_EXPONENT) == HALF_EXPONENT;
    }
    return !bad;
}

/* ---- the table ---- */

const struct precision_kind precision_kinds[PRECISIONS] = {
    [PRECISION_FLOAT32] = {"float32", TENSOR_F32, 4, float32_encode, float32_decode, float32_finite},
    [PRECISION_FLOAT16] = {"float16", TENSOR_F16, 2, float16_encode, float16_decode, float16_finite},
    [PRECISION_INT8] = {"int8", TENSOR_I8, 1, NULL, NULL, NULL},
};

enum precision precision_of(const struct tensor *tensor)
{
    for (int i = 0; i < PRECISIONS; i++)
        if (precision_kinds[i].type == tensor->type)
            return (enum precision)i;
    return PRECISION_FLOAT32;
}
