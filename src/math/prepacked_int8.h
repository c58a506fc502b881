/* prepacked_int8: panels of quantised weights, and products with them.
 *
 * Activations are quantised row by row, as weights are (quantised.h), but in seven bits: q in [-63, 63].
 * Their products with the weights are summed in int32, and
 *
 *     c_ij (+)= float(Σ_l a_il w_jl) · (scale of row i · scale of column j)
 *
 * is computed in this order by all kernels: every processor gets the same c. */
#ifndef NMT_PREPACKED_INT8_H
#define NMT_PREPACKED_INT8_H

#include "mat.h"
#include "prepacked.h"

/* Chooses the kernels of this processor and allocates memory for panels of rows `row` … row + n - 1 and
 * columns `col` … col + k - 1 of `from`. */
void int8_panels_init(struct int8_panels *panels, const struct quantised *from, size_t row, size_t col,
                      size_t n, size_t k, struct arena *arena);
/* The same for those rows of `whole` that `chosen` [n] names. */
void int8_panels_select(struct int8_panels *panels, const struct int8_panels *whole, const int *chosen,
                        size_t n, struct arena *arena);
/* Fills part `part` of `parts`; then `from` is no longer needed. */
void int8_panels_fill(const struct int8_panels *panels, int part, int parts);
/* c [m][n] = a [m][k] times the matrix; with `add`, c += … */
void int8_panels_product(struct mat c, struct const_mat a, const struct int8_panels *panels, bool add);

#endif
