/* A cell's input products: computed once per distinct word, and normalised. Products computed row by row
 * are up to the caller; the steps are in cell.c. */
#include "cell_input.h"

#include "err.h"
#include "norm.h"

bool cell_is_normalized_by_row(const struct cell_acts *acts)
{
    return acts->products.data != acts->gates.data;
}

static struct norm input_norm(const struct cell_weights *weights)
{
    const struct cell *cell = weights->cell;
    return (struct norm){weights->params + cell->gain_ih, cell->units, cell->gates->count};
}

void cell_input_norm_forward(struct mat y, const struct norm_acts *input, size_t first,
                             const struct cell_weights *weights)
{
    const struct norm norm = input_norm(weights);
    for (size_t i = 0; i < y.rows; i++)
        norm_forward(mat_row(y, i), mat_row(input->normal, first + i), mat_row(input->scales, first + i),
                     &norm);
}

void cell_input_norm_backward(struct const_mat dy, const struct norm_acts *input, size_t first,
                              const struct cell_weights *weights)
{
    const struct norm norm = input_norm(weights);
    for (size_t i = 0; i < dy.rows; i++) /* y = g ∘ x̂ */
        norm_backward(mat_row(input->normal, first + i), input->dgain, input->dbias, const_mat_row(dy, i),
                      mat_row(input->scales, first + i), &norm);
}

void cell_words_forward(struct cell_acts *acts, const struct unique *words, struct const_mat x,
                        const struct prepacked *word_weight, const struct cell_weights *weights)
{
    const struct mat products = mat_rows(acts->word_products, 0, words->count);
    ASSERT(x.rows == words->count && acts->word_products.rows >= words->count &&
           acts->products.rows >= words->rows);
    if (weights->cell->normalized && !cell_is_normalized_by_row(acts)) {
        prepacked_product(mat_rows(acts->input.normal, 0, x.rows), x, word_weight, false); /* W x */
        cell_input_norm_forward(products, &acts->input, 0, weights);
    } else {
        prepacked_product(products, x, word_weight, false); /* W x */
    }
    unique_spread(mat_rows(acts->products, 0, words->rows), mat_const(products), words, false);
}

void cell_words_backward(struct mat dx, struct grad_terms *terms, struct cell_acts *acts,
                         const struct unique *words, struct const_mat x, const struct prepacked *word_weight,
                         const struct cell_weights *weights)
{
    const struct cell *cell = weights->cell;
    struct mat dproducts = mat_rows(acts->word_products, 0, words->count);
    ASSERT(dx.rows == words->count && dx.cols == x.cols);
    unique_gather(dproducts, mat_const(acts->products), words); /* products = spread(W x) */
    if (cell->normalized && !cell_is_normalized_by_row(acts)) {
        cell_input_norm_backward(mat_const(dproducts), &acts->input, 0, weights);
        dproducts = mat_rows(acts->input.normal, 0, words->count);
    }
    /* W x */
    grad_terms_product(terms, cell->weight_ih, cell->inputs, mat_const(dproducts), x);
    prepacked_product(dx, mat_const(dproducts), word_weight, true);
}
