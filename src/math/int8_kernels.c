/* Products of quantised rows and panels. Compiled without fused multiply-adds (CMakeLists.txt): all kernels round
 * alike. */
#include "int8_kernels.h"

#include "kernel.h"

/* The reference for all others. */
static void portable(real *c, size_t ldc, const struct int8_rows *a, const struct int8_panel *panel, bool add)
{
    int32_t sums[INT8_PANEL] = {0};
    (void)ldc;
    for (size_t l = 0; l < panel->depth; l++)
        for (size_t j = 0; j < INT8_PANEL; j++)
            sums[j] += (int8_t)a->values[l] * panel->values[l * INT8_PANEL + j];
    for (size_t j = 0; j < INT8_PANEL; j++) {
        const float product = (float)sums[j] * (a->scales[0] * panel->scales[j]);
        c[j] = add ? c[j] + (real)product : (real)product;
    }
}

static const struct int8_kernels portable_kernels = {
    .group = 1, .offset = 0, .most = 1, .by_rows = {portable}};

const struct int8_kernels *int8_kernels(void)
{
    return &portable_kernels;
}
