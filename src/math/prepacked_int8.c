/* Panels of quantised weights: fills them, quantises activations, and calls the kernels for each panel. */
#include "prepacked_int8.h"

#include "err.h"
#include "int8_kernels.h"
#include "quantise_row.h"

#include <string.h>

/* Quantised activations of as many rows as fit lie on the stack. */
#define SCRATCH_BYTES 32768
#define SCRATCH_ROWS 64

static size_t round_up(size_t n, size_t unit)
{
    return (n + unit - 1) / unit * unit;
}

void int8_panels_init(struct int8_panels *panels, const struct quantised *from, size_t row, size_t col,
                      size_t n, size_t k, struct arena *arena)
{
    const size_t width = round_up(n, INT8_PANEL), depth = round_up(k, INT8_DEPTH);
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

static struct int8_panel panel_at(const struct int8_panels *panels, size_t j)
{
    const size_t depth = round_up(panels->k, INT8_DEPTH);
    return (struct int8_panel){panels->values + j * depth, panels->scales + j, panels->starts + j, depth};
}

/* panel [depth / group][INT8_PANEL][group] = the transpose of w [k]: column j */
static int32_t fill_column(int8_t *panel, const int8_t *w, size_t k, size_t group, size_t j)
{
    int32_t sum = 0;
    for (size_t l = 0; l < k; l++) {
        panel[(l / group * INT8_PANEL + j) * group + l % group] = w[l];
        sum += w[l];
    }
    return sum;
}

void int8_panels_fill(const struct int8_panels *panels, int part, int parts)
{
    const struct quantised *from = panels->from;
    const size_t group = panels->kernels->group, depth = round_up(panels->k, INT8_DEPTH);
    const size_t count = (panels->n + INT8_PANEL - 1) / INT8_PANEL;
    const size_t first = count * (size_t)part / (size_t)parts,
                 end = count * (size_t)(part + 1) / (size_t)parts;
    for (size_t i = first * INT8_PANEL; i < end * INT8_PANEL; i += INT8_PANEL) {
        const size_t width = panels->n - i < INT8_PANEL ? panels->n - i : INT8_PANEL;
        memset(panels->values + i * depth, 0, INT8_PANEL * depth);
        memset(panels->scales + i, 0, INT8_PANEL * sizeof *panels->scales);
        memset(panels->starts + i, 0, INT8_PANEL * sizeof *panels->starts);
        for (size_t j = 0; j < width; j++) {
            const size_t row = panels->row + i + j;
            const int32_t sum =
                fill_column(panels->values + i * depth, from->values + row * from->cols + panels->col,
                            panels->k, group, j);
            panels->scales[i + j] = from->scales[row];
            panels->starts[i + j] = -sum * panels->kernels->offset;
        }
    }
}

/* c [rows][width] (+)= a times a panel; columns of the panel that c does not have are dropped. */
static void panel_product(struct mat c, struct int8_rows a, const struct int8_panel *panel,
                          const struct int8_kernels *kernels, bool add)
{
    for (size_t i = 0; i < c.rows; i += kernels->most) {
        const size_t rows = c.rows - i < kernels->most ? c.rows - i : kernels->most;
        const struct int8_rows some = {a.values + i * a.ld, a.ld, a.scales + i};
        int8_kernel *kernel = kernels->by_rows[rows - 1];
        if (c.cols == INT8_PANEL) {
            kernel(mat_row(c, i), c.ld, &some, panel, add);
            continue;
        }
        real whole[INT8_MOST_ROWS * INT8_PANEL];
        kernel(whole, INT8_PANEL, &some, panel, false);
        for (size_t r = 0; r < rows; r++)
            for (size_t j = 0; j < c.cols; j++) {
                real *to = &mat_row(c, i + r)[j];
                *to = add ? *to + whole[r * INT8_PANEL + j] : whole[r * INT8_PANEL + j];
            }
    }
}

static void rows_product(struct mat c, struct const_mat a, const struct int8_panels *panels, bool add,
                         uint8_t *values, float *scales)
{
    const size_t depth = round_up(a.cols, INT8_DEPTH);
    const uint8_t offset = panels->kernels->offset;
    for (size_t i = 0; i < a.rows; i++) {
        uint8_t *to = values + i * depth;
        scales[i] = quantise_row(to, const_mat_row(a, i), a.cols, offset);
        memset(to + a.cols, offset, depth - a.cols);
    }
    const struct int8_rows rows = {values, depth, scales};
    for (size_t j = 0; j < c.cols; j += INT8_PANEL) {
        const struct int8_panel panel = panel_at(panels, j);
        panel_product(mat_cols(c, j, c.cols - j < INT8_PANEL ? c.cols - j : INT8_PANEL), rows, &panel,
                      panels->kernels, add);
    }
}

void int8_panels_product(struct mat c, struct const_mat a, const struct int8_panels *panels, bool add)
{
    uint8_t values[SCRATCH_BYTES];
    float scales[SCRATCH_ROWS];
    const size_t fit = SCRATCH_BYTES / round_up(a.cols, INT8_DEPTH);
    const size_t most = fit < SCRATCH_ROWS ? fit : SCRATCH_ROWS;
    for (size_t i = 0; i < c.rows; i += most) {
        const size_t rows = c.rows - i < most ? c.rows - i : most;
        rows_product(mat_rows(c, i, rows), const_mat_rows(a, i, rows), panels, add, values, scales);
    }
}
