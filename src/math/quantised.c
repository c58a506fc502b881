/* Rounds rows of numbers to eight bits, and back. Compiled without fused multiply-adds (CMakeLists.txt):
 * every processor rounds alike. */
#include "quantised.h"

#include "kernel.h"
#include "quantise_row.h"

#include <math.h>
#include <string.h>

/* Floats without their sign have the order of their bits; a NaN comes last. */
static KERNEL_OF(uint32_t, largest_bits, (const real *x, size_t n), (x, n))
{
    uint32_t largest = 0;
    for (size_t i = 0; i < n; i++) {
        const float number = (float)x[i];
        uint32_t bits;
        memcpy(&bits, &number, sizeof bits);
        bits &= 0x7fffffff;
        largest = bits > largest ? bits : largest;
    }
    return largest;
}

/* x factor as an integer in the low bits: adding 1.5 · 2^23 rounds. */
static inline uint32_t rounded(real x, float factor)
{
    const float shifted = (float)x * factor + 12582912.0f;
    uint32_t bits;
    memcpy(&bits, &shifted, sizeof bits);
    return bits;
}

static KERNEL(round_row, (uint8_t *to, const real *x, size_t n, float factor, uint32_t offset),
              (to, x, n, factor, offset))
{
    for (size_t i = 0; i < n; i++)
        to[i] = (uint8_t)(rounded(x[i], factor) + offset);
}

float quantise_row(uint8_t *to, const real *x, size_t n, int most, uint8_t offset)
{
    const uint32_t bits = largest_bits(x, n);
    float largest;
    memcpy(&largest, &bits, sizeof largest);
    if (largest >= QUANTISED_LEAST && isfinite(largest)) {
        round_row(to, x, n, (float)most / largest, offset);
        return largest / (float)most;
    }
    memset(to, offset, n);
    return largest < QUANTISED_LEAST ? 0 : NAN;
}

void quantise(int8_t *values, float *scales, struct const_mat from)
{
    for (size_t i = 0; i < from.rows; i++)
        scales[i] =
            quantise_row((uint8_t *)values + i * from.cols, const_mat_row(from, i), from.cols, INT8_MAX, 0);
}

void dequantise_row(real *to, const struct quantised *w, size_t row)
{
    const int8_t *values = w->values + row * w->cols;
    for (size_t j = 0; j < w->cols; j++)
        to[j] = (real)values[j] * (real)w->scales[row];
}

const struct quantised *quantised_find(const struct quantised_params *quantised, const real *w)
{
    size_t first = 0,
           end = quantised->count; /* the last tensor that begins at or before w is in [first, end) */
    if (w < quantised->params)
        return NULL;
    const size_t offset = (size_t)(w - quantised->params);
    while (end - first > 1) {
        const size_t middle = first + (end - first) / 2;
        if (quantised->offsets[middle] <= offset)
            first = middle;
        else
            end = middle;
    }
    if (first == end || offset < quantised->offsets[first])
        return NULL;
    const struct quantised *tensor = &quantised->tensors[first];
    return offset - quantised->offsets[first] < tensor->rows * tensor->cols ? tensor : NULL;
}

const real *quantised_begin(const struct quantised_params *quantised, const struct quantised *tensor)
{
    return quantised->params + quantised->offsets[tensor - quantised->tensors];
}
