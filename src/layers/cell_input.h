/* cell_input: normalisation of a cell's input products, used where they are computed: row by row in the
 * steps (cell.c), or once per distinct word (cell_words_forward). */
#ifndef NMT_CELL_INPUT_H
#define NMT_CELL_INPUT_H

#include "cell.h"

bool cell_is_normalized_by_row(const struct cell_acts *acts);
/* y = g ∘ x̂ of rows `first` … of input->normal, which become x̂. */
void cell_input_norm_forward(struct mat y, const struct norm_acts *input, size_t first,
                             const struct cell_weights *weights);
/* The same rows: turns x̂ into the gradient before normalisation. */
void cell_input_norm_backward(struct const_mat dy, const struct norm_acts *input, size_t first,
                              const struct cell_weights *weights);

#endif
