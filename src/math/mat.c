#include "mat.h"

#include <cblas.h>

#ifdef NMT_DOUBLE
#define GEMM cblas_dgemm
#else
#define GEMM cblas_sgemm
#endif

#ifdef NMT_OPENBLAS

#include "mem.h"

#include <stdlib.h>

/* OpenBLAS's own, in none of its headers. It maps a buffer for each thread that multiplies at the same time
 * as others, again and again if it can't, and keeps what was given back for the next one. */
#define BLAS_BUFFER_BYTES ((size_t)128 << 20)
void *blas_memory_alloc(int place);
void blas_memory_free(void *buffer);

static void take_buffers(int count)
{
    void **buffers = xmalloc((size_t)count, sizeof *buffers);
    for (int i = 0; i < count; i++)
        buffers[i] = blas_memory_alloc(0);
    for (int i = 0; i < count; i++)
        blas_memory_free(buffers[i]);
    free(buffers);
}

void mat_begin(int threads)
{
    static int taken;
    openblas_set_num_threads(1);
    if (threads <= taken || !mem_is_limited())
        return;
    if (!mem_has_room((size_t)(threads - taken) * BLAS_BUFFER_BYTES))
        mem_exhausted((size_t)(threads - taken), BLAS_BUFFER_BYTES);
    take_buffers(threads);
    taken = threads;
}

const char *mat_kernel_name(void)
{
    return openblas_get_corename();
}

#else

void mat_begin(int threads)
{
    (void)threads;
}

const char *mat_kernel_name(void)
{
    return NMT_BLAS;
}

#endif

void mat_nt(real *c, size_t ldc, const real *a, size_t lda, const real *b, size_t ldb, size_t m, size_t n,
            size_t k, bool add)
{
    if (m && n)
        GEMM(CblasRowMajor, CblasNoTrans, CblasTrans, (int)m, (int)n, (int)k, 1, a, (int)lda, b, (int)ldb,
             add, c, (int)ldc);
}

void mat_nn(real *c, size_t ldc, const real *a, size_t lda, const real *b, size_t ldb, size_t m, size_t n,
            size_t k, bool add)
{
    if (m && n)
        GEMM(CblasRowMajor, CblasNoTrans, CblasNoTrans, (int)m, (int)n, (int)k, 1, a, (int)lda, b, (int)ldb,
             add, c, (int)ldc);
}

void mat_tn(real *c, size_t ldc, const real *a, size_t lda, const real *b, size_t ldb, size_t m, size_t n,
            size_t k, bool add)
{
    if (m && n)
        GEMM(CblasRowMajor, CblasTrans, CblasNoTrans, (int)m, (int)n, (int)k, 1, a, (int)lda, b, (int)ldb,
             add, c, (int)ldc);
}
