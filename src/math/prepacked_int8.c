/* Panels of quantised weights: fills them, quantises activations, and calls the kernels for each panel. */
#include "prepacked_int8.h"

#include "err.h"
#include "int8_kernels.h"
#include "kernel.h"
#include "panels.h"
#include "quantise_row.h"

#include <string.h>

/* Quantised activations of as many rows as fit lie on the stack. */
#define SCRATCH_BYTES 32768
#define SCRATCH_ROWS 64

void int8_panels_init(struct int8_panels *panels, const struct quantised *from, size_t row, size_t col,
                      size_t n, size_t k, struct arena *arena)
{
    const size_t width = round_up(n, INT8_PANEL), depth = round_up(k, INT8_GROUP);
    ASSERT(row + n <= from->rows && col + k <= from->cols && depth <= SCRATCH_BYTES);
    *panels = (struct int8_panels){.kernels = int8_kernels(),
                                   .from = from,
                                   .row = row,
                                   .col = col,
                                   .n = n,
                                   .k = k,
                                   .values = ARENA_NEW(arena, width * depth, int8_t),
                                   .scales = ARENA_NEW(arena, width, float),
                                   .starts = ARENA_NEW(arena, width, int32_t)};
}

void int8_panels_select(struct int8_panels *panels, const struct int8_panels *whole, const int *chosen,
                        size_t n, struct arena *arena)
{
    ASSERT(n <= whole->n && !whole->chosen);
    int8_panels_init(panels, whole->from, whole->row, whole->col, n, whole->k, arena);
    panels->chosen = chosen;
}

static struct int8_panel panel_at(const struct int8_panels *panels, size_t j)
{
    const size_t depth = round_up(panels->k, INT8_GROUP);
    return (struct int8_panel){panels->values + j * depth, panels->scales + j, panels->starts + j, depth};
}

/* panel [depth / INT8_GROUP][INT8_PANEL][INT8_GROUP] = the transpose of w [k]: column j */
static void fill_column(int8_t *panel, const int8_t *w, size_t k, size_t j)
{
    size_t l = 0;
    panel += j * INT8_GROUP;
    for (; l + INT8_GROUP <= k; l += INT8_GROUP, panel += INT8_PANEL * INT8_GROUP)
        memcpy(panel, w + l, INT8_GROUP);
    if (l < k)
        memcpy(panel, w + l, k - l);
}

static KERNEL_OF(int32_t, sum_of, (const int8_t *w, size_t k), (w, k))
{
    int32_t sum = 0;
    for (size_t l = 0; l < k; l++)
        sum += w[l];
    return sum;
}

void int8_panels_fill(const struct int8_panels *panels, int part, int parts)
{
    const struct quantised *from = panels->from;
    const size_t k = panels->k, depth = round_up(panels->k, INT8_GROUP);
    size_t begin, end;
    panels_part(panels->n, INT8_PANEL, part, parts, &begin, &end);
    for (size_t i = begin; i < end; i += INT8_PANEL) {
        const size_t width = least(panels->n - i, INT8_PANEL);
        memset(panels->values + i * depth, 0, INT8_PANEL * depth);
        memset(panels->scales + i, 0, INT8_PANEL * sizeof *panels->scales);
        memset(panels->starts + i, 0, INT8_PANEL * sizeof *panels->starts);
        for (size_t j = 0; j < width; j++) {
            const size_t row = panels->row + (panels->chosen ? (size_t)panels->chosen[i + j] : i + j);
            const int8_t *w = from->values + row * from->cols + panels->col;
            fill_column(panels->values + i * depth, w, k, j);
            panels->scales[i + j] = from->scales[row];
            panels->starts[i + j] = -sum_of(w, k) * panels->kernels->offset;
        }
    }
}

/* c [rows][width] (+)= a times a panel; columns of the panel that c does not have are dropped. */
static void panel_product(struct mat c, struct int8_rows a, const struct int8_panel *panel,
                          const struct int8_kernels *kernels, bool add)
{
    for (size_t i = 0; i < c.rows; i += kernels->most) {
        const size_t rows = least(c.rows - i, kernels->most);
        const struct int8_rows some = {a.values + i * a.ld_bytes, a.ld_bytes, a.scales + i};
        int8_kernel *kernel = kernels->by_rows[rows - 1];
        if (c.cols == INT8_PANEL) {
            kernel(mat_row(c, i), c.ld, &some, panel, add);
            continue;
        }
        real whole[INT8_MOST_ROWS * INT8_PANEL];
        kernel(whole, INT8_PANEL, &some, panel, false);
        panels_write_edge(mat_rows(c, i, rows), whole, INT8_PANEL, add);
    }
}

/* A row of activations, filled up with zeros. */
static float quantise_activations(uint8_t *to, const real *a, size_t k, uint8_t offset)
{
    memset(to + k, offset, round_up(k, INT8_GROUP) - k);
    return quantise_row(to, a, k, INT8_ACTIVATION_MOST, offset);
}

void int8_panels_product(struct mat c, struct const_mat a, const struct int8_panels *panels, bool add)
{
    _Alignas(64) uint8_t values[SCRATCH_BYTES];
    float scales[SCRATCH_ROWS];
    const size_t row_bytes = round_up(a.cols, INT8_GROUP);
    const size_t most = least(SCRATCH_BYTES / row_bytes, SCRATCH_ROWS);
    for (size_t i = 0; i < c.rows; i += most) {
        const size_t rows = least(c.rows - i, most);
        const struct int8_rows some = {values, row_bytes, scales};
        for (size_t r = 0; r < rows; r++)
            scales[r] = quantise_activations(values + r * row_bytes, const_mat_row(a, i + r), a.cols,
                                             panels->kernels->offset);
        for (size_t j = 0; j < c.cols; j += INT8_PANEL) {
            const struct int8_panel panel = panel_at(panels, j);
            const size_t width = least(c.cols - j, INT8_PANEL);
            panel_product(mat_cols(mat_rows(c, i, rows), j, width), some, &panel, panels->kernels, add);
        }
    }
}
