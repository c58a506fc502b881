#include "mat.h"

#include "vecmath.h"

#include <cblas.h>
#include <string.h>

#ifdef NMT_DOUBLE
#define GEMM cblas_dgemm
#else
#define GEMM cblas_sgemm
#endif

void mat_init(void)
{
    openblas_set_num_threads(1);
}

const char *mat_kernel_name(void)
{
    return openblas_get_corename();
}

/* Before it multiplies, OpenBLAS copies all of b into an order of its own. With so few rows in a that takes
 * longer than the product itself. */
#define FEW_ROWS 8

/* c += a bᵀ for few rows in a; b is read once, as it lies. */
VEC_CLONES static void add_few_nt(real *c, int ldc, const real *a, int lda, const real *b, int ldb, int m,
                                  int n, int k)
{
    for (int j = 0; j < n; j++, b += ldb) {
        const real *x = a;
        real *y = c + j;
        int i = 0;
        for (; i + 4 <= m;
             i += 4, x += 4 * lda, y += 4 * ldc) { /* four at a time use what is loaded of b four times */
            const real *x1 = x + lda, *x2 = x1 + lda, *x3 = x2 + lda;
            real s0 = 0, s1 = 0, s2 = 0, s3 = 0;
#pragma omp simd reduction(+ : s0, s1, s2, s3)
            for (int l = 0; l < k; l++) {
                s0 += x[l] * b[l];
                s1 += x1[l] * b[l];
                s2 += x2[l] * b[l];
                s3 += x3[l] * b[l];
            }
            y[0] += s0;
            y[ldc] += s1;
            y[2 * ldc] += s2;
            y[3 * ldc] += s3;
        }
        for (; i < m; i++, x += lda, y += ldc) {
            real s = 0;
#pragma omp simd reduction(+ : s)
            for (int l = 0; l < k; l++)
                s += x[l] * b[l];
            *y += s;
        }
    }
}

static void few_nt(real *c, int ldc, const real *a, int lda, const real *b, int ldb, int m, int n, int k,
                   bool add)
{
    for (int i = 0; i < m && !add; i++)
        memset(c + (size_t)i * (size_t)ldc, 0, (size_t)n * sizeof *c);
    add_few_nt(c, ldc, a, lda, b, ldb, m, n, k);
}

void mat_nt(real *c, int ldc, const real *a, int lda, const real *b, int ldb, int m, int n, int k, bool add)
{
    if (m <= FEW_ROWS)
        few_nt(c, ldc, a, lda, b, ldb, m, n, k, add);
    else if (n)
        GEMM(CblasRowMajor, CblasNoTrans, CblasTrans, m, n, k, 1, a, lda, b, ldb, add, c, ldc);
}

void mat_nn(real *c, int ldc, const real *a, int lda, const real *b, int ldb, int m, int n, int k, bool add)
{
    if (m && n)
        GEMM(CblasRowMajor, CblasNoTrans, CblasNoTrans, m, n, k, 1, a, lda, b, ldb, add, c, ldc);
}

void mat_tn(real *c, int ldc, const real *a, int lda, const real *b, int ldb, int m, int n, int k, bool add)
{
    if (m && n)
        GEMM(CblasRowMajor, CblasTrans, CblasNoTrans, m, n, k, 1, a, lda, b, ldb, add, c, ldc);
}
