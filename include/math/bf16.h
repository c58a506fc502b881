/* bf16: matrix products whose factors are rounded to bfloat16 and whose sums are float32, by the instructions
 * vdpbf16ps (AVX512-BF16) or tdpbf16ps (AMX-BF16) of x86-64.
 *
 * Factors are rounded to nearest, ties to even; numbers below 2^-126 become 0, and a NaN stays one. The
 * instructions multiply pairs: numbers 2p and 2p + 1 of a row of either factor are its pair p. Each result is
 * the same sum in the same order, whatever the number of rows and columns; the two instructions differ in the
 * order.
 *
 * Without an instruction (has_bf16_instructions of kernel.h), and in double, a call is a bug. */
#ifndef NMT_BF16_H
#define NMT_BF16_H

#include "mat.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Pairs that the panels of a factor of n columns, k long, take: those of 32 columns lie together, and the
 * last ones are filled up with zeros, as are pairs to a multiple of 16. */
size_t bf16_panels_pairs(size_t n, size_t k);
/* Fill part `part` of `parts` of the panels of wᵀ, w [n][k], and of w [k][n]. */
void bf16_panels_fill_nt(uint32_t *panels, struct const_mat w, int part, int parts);
void bf16_panels_fill_nn(uint32_t *panels, struct const_mat w, int part, int parts);
/* c [m][n] = a [m][k] times the factor in panels; with `add`, c += … */
void bf16_product(struct mat c, struct const_mat a, const uint32_t *panels, bool add);
/* C[m][n] = A[k][m]ᵀ · B[k][n], both rounded; with `add`, C += … */
void bf16_mat_tn(struct mat c, struct const_mat a, struct const_mat b, bool add);

#endif
