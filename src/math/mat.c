/* Matrix products by BLAS, and the memory that OpenBLAS needs. Its threads are left to mat_begin.c. */
#include "mat.h"

#include "err.h"

#include <cblas.h>
#include <stdio.h>
#include <string.h>

#ifdef NMT_DOUBLE
#define GEMM cblas_dgemm
#else
#define GEMM cblas_sgemm
#endif

#ifdef NMT_OPENBLAS

#include "mem.h"

/* Internal functions of OpenBLAS, in none of its headers. The first maps a buffer for each thread that
 * multiplies concurrently, and retries forever if it cannot; buffers that are returned are kept for the
 * next thread. */
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
    xfree(buffers);
}

void mat_reserve(int threads, int reserved)
{
    if (threads <= reserved || !mem_is_limited())
        return;
    if (!mem_has_room((size_t)(threads - reserved) * BLAS_BUFFER_BYTES))
        mem_exhausted((size_t)(threads - reserved), BLAS_BUFFER_BYTES);
    take_buffers(threads);
}

const char *mat_kernel_name(void)
{
    return openblas_get_corename();
}

void mat_library_name(char *name, size_t bytes)
{
    const char *config = openblas_get_config(); /* "OpenBLAS 0.3.21 DYNAMIC_ARCH ..." */
    const size_t library = strcspn(config, " "), version = strcspn(config + library + 1, " ");
    snprintf(name, bytes, "%.*s", (int)(library + 1 + version), config);
}

#else

void mat_reserve(int threads, int reserved)
{
    (void)threads, (void)reserved;
}

const char *mat_kernel_name(void)
{
    return NMT_BLAS;
}

void mat_library_name(char *name, size_t bytes)
{
    snprintf(name, bytes, "%s", NMT_BLAS);
}

#endif

void mat_copy(struct mat to, struct const_mat from)
{
    ASSERT(to.rows == from.rows && to.cols == from.cols);
    for (size_t i = 0; i < to.rows; i++)
        memcpy(mat_row(to, i), const_mat_row(from, i), to.cols * sizeof *to.data);
}

void mat_clear(struct mat m)
{
    for (size_t i = 0; i < m.rows; i++)
        memset(mat_row(m, i), 0, m.cols * sizeof *m.data);
}

static void gemm(struct mat c, struct const_mat a, CBLAS_TRANSPOSE a_form, struct const_mat b,
                 CBLAS_TRANSPOSE b_form, bool add)
{
    const size_t k = a_form == CblasNoTrans ? a.cols : a.rows;
    ASSERT(c.rows == (a_form == CblasNoTrans ? a.rows : a.cols));
    ASSERT(c.cols == (b_form == CblasNoTrans ? b.cols : b.rows));
    ASSERT(k == (b_form == CblasNoTrans ? b.rows : b.cols));
    if (c.rows && c.cols)
        GEMM(CblasRowMajor, a_form, b_form, (int)c.rows, (int)c.cols, (int)k, 1, a.data, (int)a.ld, b.data,
             (int)b.ld, add, c.data, (int)c.ld);
}

void mat_nt(struct mat c, struct const_mat a, struct const_mat b, bool add)
{
    gemm(c, a, CblasNoTrans, b, CblasTrans, add);
}

void mat_nn(struct mat c, struct const_mat a, struct const_mat b, bool add)
{
    gemm(c, a, CblasNoTrans, b, CblasNoTrans, add);
}

void mat_tn(struct mat c, struct const_mat a, struct const_mat b, bool add)
{
    gemm(c, a, CblasTrans, b, CblasNoTrans, add);
}
