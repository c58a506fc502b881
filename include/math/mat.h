/* mat: views of row-major matrices, and their products, computed by BLAS on the calling thread alone.
 *
 * A view is a pointer with its shape and the distance between rows (`ld`); it owns nothing and is passed
 * by value. In "nt", "nn", "tn", "t" marks the factor that is transposed; a linear layer y = x Wᵀ needs
 * these three for y, dx and dW. With `add`, the product is added to C, else it replaces C. Mismatched
 * shapes are a bug. */
#ifndef NMT_MAT_H
#define NMT_MAT_H

#include "arena.h"
#include "real.h"

#include <stdbool.h>
#include <stddef.h>

struct mat {
    real *data; /* [rows][cols, ld] */
    size_t rows, cols, ld;
};

struct const_mat {
    const real *data;
    size_t rows, cols, ld;
};

/* What is multiplied: the numbers themselves, or these rounded to bfloat16 (bf16.h). */
enum product_kind { PRODUCTS_FLOAT32, PRODUCTS_BFLOAT16 };

static inline struct mat mat_ld(real *data, size_t rows, size_t cols, size_t ld)
{
    return (struct mat){data, rows, cols, ld};
}

static inline struct const_mat const_mat_ld(const real *data, size_t rows, size_t cols, size_t ld)
{
    return (struct const_mat){data, rows, cols, ld};
}

/* A matrix with contiguous rows. */
static inline struct mat mat_of(real *data, size_t rows, size_t cols)
{
    return (struct mat){data, rows, cols, cols};
}

static inline struct const_mat const_mat_of(const real *data, size_t rows, size_t cols)
{
    return (struct const_mat){data, rows, cols, cols};
}

static inline struct const_mat mat_const(struct mat m)
{
    return (struct const_mat){m.data, m.rows, m.cols, m.ld};
}

static inline real *mat_row(struct mat m, size_t row)
{
    return m.data + row * m.ld;
}

static inline const real *const_mat_row(struct const_mat m, size_t row)
{
    return m.data + row * m.ld;
}

/* Rows `first` … first + rows - 1. */
static inline struct mat mat_rows(struct mat m, size_t first, size_t rows)
{
    return (struct mat){mat_row(m, first), rows, m.cols, m.ld};
}

static inline struct const_mat const_mat_rows(struct const_mat m, size_t first, size_t rows)
{
    return (struct const_mat){const_mat_row(m, first), rows, m.cols, m.ld};
}

/* Columns `first` … first + cols - 1. */
static inline struct mat mat_cols(struct mat m, size_t first, size_t cols)
{
    return (struct mat){m.data + first, m.rows, cols, m.ld};
}

static inline struct const_mat const_mat_cols(struct const_mat m, size_t first, size_t cols)
{
    return (struct const_mat){m.data + first, m.rows, cols, m.ld};
}

/* Allocate a matrix in the arena, uninitialised or zeroed. */
static inline struct mat mat_new(struct arena *arena, size_t rows, size_t cols)
{
    return mat_of(ARENA_NEW(arena, rows * cols, real), rows, cols);
}

static inline struct mat mat_zero(struct arena *arena, size_t rows, size_t cols)
{
    return mat_of(ARENA_ZERO(arena, rows * cols, real), rows, cols);
}

/* to = from */
void mat_copy(struct mat to, struct const_mat from);
/* m = 0 */
void mat_clear(struct mat m);

/* For programs: call before the first product, and again before more threads than so far multiply at the same
 * time. BLAS starts no threads of its own then. Includes mat_reserve. */
void mat_begin(int threads);
/* Under a memory limit (ulimit -v), allocates BLAS's buffers for `threads` threads that multiply at the same
 * time, of which it has `reserved` already: later it would wait forever for what it cannot get. */
void mat_reserve(int threads, int reserved);
/* The BLAS library and its version, such as "OpenBLAS 0.3.21"; cut where it does not fit. */
void mat_library_name(char *name, size_t bytes);
/* Its own name for its kernels, such as "Haswell". */
const char *mat_kernel_name(void);

/* C[m][n] = A[m][k] · B[n][k]ᵀ */
void mat_nt(struct mat c, struct const_mat a, struct const_mat b, bool add);
/* C[m][n] = A[m][k] · B[k][n] */
void mat_nn(struct mat c, struct const_mat a, struct const_mat b, bool add);
/* C[m][n] = A[k][m]ᵀ · B[k][n] */
void mat_tn(struct mat c, struct const_mat a, struct const_mat b, bool add);

#endif
