/* int8_kernels: what multiplies quantised rows with a panel of quantised weights, by instruction set. */
#ifndef NMT_INT8_KERNELS_H
#define NMT_INT8_KERNELS_H

#include "real.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define INT8_PANEL 32 /* columns of a panel */
#define INT8_GROUP 4  /* numbers of a column lie side by side; k is filled up with zeros */
#define INT8_MOST_ROWS 8
/* Activations have seven bits: with 64 added, two of their products with weights fit the 16 bits that AVX2
 * has for them, 2 · 127 · 127 < 2^15. */
#define INT8_ACTIVATION_MOST 63
#define INT8_ACTIVATION_OFFSET 64

/* Quantised rows of activations. */
struct int8_rows {
    const uint8_t *values; /* [rows][depth, ld]: q + offset, modulo 256 */
    size_t ld_bytes;
    const float *scales; /* [rows] */
};

struct int8_panel {
    const int8_t *values;  /* [depth / INT8_GROUP][INT8_PANEL][INT8_GROUP] */
    const float *scales;   /* [INT8_PANEL] */
    const int32_t *starts; /* [INT8_PANEL]: - offset Σ_l w_jl, where sums begin */
    size_t depth;          /* k, filled up */
};

/* c [rows][INT8_PANEL, ldc] (+)= a times the panel, for a fixed number of rows. */
typedef void int8_kernel(real *c, size_t ldc, const struct int8_rows *a, const struct int8_panel *panel,
                         bool add);

struct int8_kernels {
    uint8_t offset;                       /* of the activations: 0 or INT8_ACTIVATION_OFFSET */
    size_t most;                          /* rows */
    int8_kernel *by_rows[INT8_MOST_ROWS]; /* [most] */
};

/* Those of `int8_instructions` (kernel.h). */
const struct int8_kernels *int8_kernels(void);

#endif
