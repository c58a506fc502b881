/* vecmath: element-wise functions (elementary.h) and sums over arrays.
 *
 * Each is a kernel (kernel.h). Outputs may be the inputs, but not overlap otherwise. */
#ifndef NMT_VECMATH_H
#define NMT_VECMATH_H

#include "real.h"

#include <stddef.h>

void vec_exp(real *y, const real *x, size_t n);
void vec_sigmoid(real *y, const real *x, size_t n);
void vec_tanh(real *y, const real *x, size_t n);

real vec_max(const real *x, size_t n); /* n > 0 */
real vec_dot(const real *a, const real *b, size_t n);
double vec_sum(const real *x, size_t n);
double vec_sum_squares(const real *x, size_t n);
/* y = exp(x - shift); returns the sum of y. */
real vec_exp_sum(real *y, const real *x, real shift, size_t n);
/* log Σ exp(x), n > 0; entries of -infinity count nothing. */
double vec_log_sum_exp(const real *x, size_t n);
/* y = softmax(x) */
void vec_softmax(real *y, const real *x, size_t n);

void vec_add(real *y, const real *x, size_t n);          /* y += x */
void vec_axpy(real *y, real a, const real *x, size_t n); /* y += a x */
void vec_scale(real *y, real a, size_t n);               /* y *= a */
void vec_mul(real *y, const real *x, size_t n);          /* y *= x */
/* dx = dy (1 - y²), where y = tanh(x) */
void vec_tanh_backward(real *dx, const real *dy, const real *y, size_t n);
/* sums[j] += Σ_i rows[i][j]: the gradient of a bias. */
void vec_add_column_sums(real *sums, const real *rows, size_t ld, size_t row_count, size_t columns);
/* to [row_count][columns, ld_to] = from [row_count][columns, ld_from] */
void vec_copy_rows(real *to, size_t ld_to, const real *from, size_t ld_from, size_t row_count,
                   size_t columns);
/* Each row += bias. */
void vec_add_to_rows(real *rows, size_t ld, const real *bias, size_t row_count, size_t columns);

#endif
