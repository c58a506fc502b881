/* mat: products of row-major matrices, by BLAS, on the calling thread alone.
 *
 * `ld…` is the distance between rows. "nt", "nn", "tn" say which factor is taken transposed: the three that a
 * linear layer y = x Wᵀ needs for y, for dx and for dW. `add` false overwrites C, true adds to it. */
#ifndef NMT_MAT_H
#define NMT_MAT_H

#include "real.h"

#include <stdbool.h>
#include <stddef.h>

/* Before the first product, and before more threads than earlier ask for products at the same time. BLAS
 * starts none of its own beside them. Where memory is limited (ulimit -v), the buffers that it needs for them
 * are taken now: it would wait for ever for what it does not get. */
void mat_begin(int threads);
/* The BLAS library's name for its kernels, such as "Haswell". */
const char *mat_kernel_name(void);

/* C[m][n] = A[m][k] · B[n][k]ᵀ */
void mat_nt(real *c, size_t ldc, const real *a, size_t lda, const real *b, size_t ldb, size_t m, size_t n,
            size_t k, bool add);
/* C[m][n] = A[m][k] · B[k][n] */
void mat_nn(real *c, size_t ldc, const real *a, size_t lda, const real *b, size_t ldb, size_t m, size_t n,
            size_t k, bool add);
/* C[m][n] = A[k][m]ᵀ · B[k][n] */
void mat_tn(real *c, size_t ldc, const real *a, size_t lda, const real *b, size_t ldb, size_t m, size_t n,
            size_t k, bool add);

#endif
