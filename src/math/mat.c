#include "mat.h"

#include <cblas.h>

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

void mat_nt(real *c, int ldc, const real *a, int lda, const real *b, int ldb, int m, int n, int k, bool add)
{
    if (m && n)
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
