/* quantised: weights in eight bits, w_ij ≈ scale_i q_ij with q_ij in [-127, 127] and scale_i =
 * max_j |w_ij| / 127, rounded to nearest, ties to even.
 *
 * A row whose numbers are all below QUANTISED_LEAST has scale 0 and q = 0; one with a NaN or an infinity has
 * scale NaN and q = 0. Every processor computes the same numbers. */
#ifndef NMT_QUANTISED_H
#define NMT_QUANTISED_H

#include "mat.h"
#include "real.h"

#include <stddef.h>
#include <stdint.h>

#define QUANTISED_LEAST 1e-35f

struct quantised {
    size_t rows, cols;
    const int8_t *values; /* [rows][cols] */
    const float *scales;  /* [rows] */
};

/* The quantised tensors of a block of parameters. */
struct quantised_params {
    const real *params; /* an address only: the numbers there are not read */
    size_t count;
    const size_t *offsets; /* [count], ascending: where each tensor begins in params */
    const struct quantised *tensors;
};

/* values [rows][cols], scales [rows] = each row of `from` */
void quantise(int8_t *values, float *scales, struct const_mat from);
/* to [cols] = row `row` of w */
void dequantise_row(real *to, const struct quantised *w, size_t row);
/* The tensor in which the number at `w` lies, or NULL if it is none of them. */
const struct quantised *quantised_find(const struct quantised_params *quantised, const real *w);
/* Where that tensor begins. */
const real *quantised_begin(const struct quantised_params *quantised, const struct quantised *tensor);

#endif
