/* vecmath: element-wise functions (elementary.h) and sums, over arrays and over rows.
 *
 * All run as kernels (kernel.h). An output may be the same array as an input, but must not overlap it
 * otherwise. */
#ifndef NMT_VECMATH_H
#define NMT_VECMATH_H

#include "mat.h"

void vec_tanh(real *y, const real *x, size_t n);

real vec_max(const real *x, size_t n); /* n > 0 */
/* maxima[i] = the maximum of block i of x: VEC_BLOCK numbers, fewer in the last block. */
#define VEC_BLOCK 128
void vec_block_max(real *maxima, const real *x, size_t n);
real vec_dot(const real *a, const real *b, size_t n);
double vec_sum(const real *x, size_t n);
double vec_sum_squares(const real *x, size_t n);
/* y = exp(x - shift); returns the sum of y. */
real vec_exp_sum(real *y, const real *x, real shift, size_t n);
/* log Σ exp(x), n > 0, with max = vec_max(x, n); entries of -infinity are ignored. */
double vec_log_sum_exp(const real *x, real max, size_t n);
/* y = softmax(x), n > 0 */
void vec_softmax(real *y, const real *x, size_t n);

void vec_add(real *y, const real *x, size_t n);          /* y += x */
void vec_axpy(real *y, real a, const real *x, size_t n); /* y += a x */
/* The same for four pairs of a and x, in their order. */
void vec_axpy4(real *y, const real a[4], const real *const x[4], size_t n);
void vec_scale(real *y, real a, size_t n); /* y *= a */
/* dx = dy (1 - y²), where y = tanh(x) */
void vec_tanh_backward(real *dx, const real *dy, const real *y, size_t n);
/* sums[j] += Σ_i rows[i][j]: the gradient of a bias. */
void vec_add_column_sums(real *sums, struct const_mat rows);
/* Each row += bias. */
void vec_add_to_rows(struct mat rows, const real *bias);

#endif
