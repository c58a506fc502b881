/* Prepares BLAS for a program that has it to itself. The library does not: OpenBLAS's threads and kernels are
 * the host's. */
#include "mat.h"
#include "prepacked.h"

#ifdef NMT_OPENBLAS

#include "kernel.h"

#include <cblas.h>
#include <stdlib.h>
#include <string.h>

/* Internal functions of OpenBLAS where it has kernels for several processors. The first chooses them, by the
 * environment or the processor, unless that is done; the second forgets the choice. */
__attribute__((weak)) void gotoblas_dynamic_init(void);
__attribute__((weak)) void gotoblas_dynamic_quit(void);

#define KERNELS "OPENBLAS_CORETYPE"

/* OpenBLAS knows processors by their number. 0.3.21 gives a processor that is younger than itself the kernels
 * of a Prescott, which are a fifth as fast as those for its instructions. */
static void choose_kernels(void)
{
    static const char *const kernels[] = {[INSTRUCTIONS_V3] = "Haswell", [INSTRUCTIONS_V4] = "SkylakeX"};
    if (instruction_set == INSTRUCTIONS_BASE || strcmp(openblas_get_corename(), "Prescott") != 0 ||
        getenv(KERNELS) || !gotoblas_dynamic_init || !gotoblas_dynamic_quit)
        return;
    setenv(KERNELS, kernels[instruction_set], 1);
    gotoblas_dynamic_quit();
    gotoblas_dynamic_init();
    unsetenv(KERNELS);
}

void mat_begin(int threads)
{
    static int reserved;
    openblas_set_num_threads(1);
    choose_kernels();
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
