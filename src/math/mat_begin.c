/* Prepares BLAS for a program that has it to itself. The library does not: OpenBLAS's threads are the host's.
 * */
#include "mat.h"
#include "prepacked.h"

#ifdef NMT_OPENBLAS

#include <cblas.h>

void mat_begin(int threads)
{
    static int reserved;
    openblas_set_num_threads(1);
    mat_reserve(threads, reserved);
    if (threads > reserved)
        reserved = threads;
}

#else

void mat_begin(int threads)
{
    (void)threads;
}

#endif

void prepacked_begin(int threads)
{
    if (prepacked_needs_blas())
        mat_begin(threads);
}
