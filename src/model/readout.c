/* The readout, for all rows at once or step by step, and the output layer's chunks of rows. The output
 * layer itself is a linear layer; softmax and loss are in xent.c. */
#include "readout.h"

#include "err.h"
#include "vecmath.h"

void readout_declare(struct readout *readout, struct layout *layout, const struct readout_choice *choice)
{
    const size_t e = choice->embedding, v = choice->vocabulary;
    readout->reads_word = choice->reads_word;
    linear_declare(&readout->state, layout, "readout.state", choice->units, e, true);
    if (choice->reads_word)
        linear_declare(&readout->embedding, layout, "readout.embedding", e, e, false);
    linear_declare(&readout->context, layout, "readout.context", choice->context, e, false);
    readout->output.inputs = e;
    readout->output.outputs = v;
    readout->output.weight = choice->tied_weight;
    if (!choice->tied)
        readout->output.weight = layout_declare(layout, "output", "weight", v, e, INIT_EMBEDDING);
    readout->output.bias = layout_declare(layout, "output", "bias", v, 0, INIT_ZERO);
}

static void assert_shapes(struct const_mat t, const struct readout_inputs *inputs,
                          const struct readout *readout)
{
    ASSERT(t.cols == readout->state.outputs && t.ld == t.cols);
    ASSERT(inputs->state.rows == t.rows && inputs->context.rows == t.rows);
    ASSERT(!readout->reads_word || (inputs->words->rows == t.rows && inputs->y.rows == inputs->words->count));
    ASSERT(!readout->reads_word || inputs->word_products.rows == inputs->words->count);
}

void readout_prepack(struct readout_weights *weights, const struct readout *readout, const real *params,
                     struct prepack_list *list)
{
    weights->readout = readout;
    weights->params = params;
    linear_prepack(&weights->state, &readout->state, params, list);
    linear_prepack(&weights->context, &readout->context, params, list);
}

static void prepack_many(struct prepacked *weights, const struct linear *linear, const real *params,
                         struct prepack_list *list)
{
    prepack_many_rows(weights, linear_weight(linear, params), list->direction, list);
}

void readout_prepack_many_rows(struct readout_weights *weights, const struct readout *readout,
                               const real *params, struct prepack_list *list)
{
    weights->readout = readout;
    weights->params = params;
    prepack_many(&weights->state, &readout->state, params, list);
    prepack_many(&weights->context, &readout->context, params, list);
    if (readout->reads_word)
        prepack_many(&weights->embedding, &readout->embedding, params, list);
}

/* ---- all rows at once ---- */

void readout_forward(struct mat t, const struct readout_inputs *inputs, const struct readout_weights *weights)
{
    const struct readout *readout = weights->readout;
    const real *params = weights->params;
    assert_shapes(mat_const(t), inputs, readout);
    linear_forward(t, inputs->state, &readout->state, &weights->state, params, false); /* W_s s_i + b */
    if (readout->reads_word) {                                                         /* W_y y_{i-1} */
        const struct mat products = inputs->word_products;
        linear_forward(products, inputs->y, &readout->embedding, &weights->embedding, params, false);
        unique_spread(t, mat_const(products), inputs->words, true);
    }
    linear_forward(t, inputs->context, &readout->context, &weights->context, params, true); /* W_c c_i */
    vec_tanh(t.data, t.data, t.rows * t.cols);                                              /* t_i */
}

void readout_backward(const struct readout_grads *grads, struct grad_terms *terms, struct mat dt,
                      struct const_mat t, const struct readout_inputs *inputs,
                      const struct readout_weights *weights)
{
    const struct readout *readout = weights->readout;
    assert_shapes(t, inputs, readout);
    vec_tanh_backward(dt.data, dt.data, t.data, dt.rows * dt.cols); /* t_i */
    linear_backward(grads->context, terms, mat_const(dt), inputs->context, &readout->context,
                    &weights->context); /* W_c c_i */
    if (readout->reads_word) {          /* W_y y_{i-1} */
        const struct mat dproducts = inputs->word_products;
        unique_gather(dproducts, mat_const(dt), inputs->words);
        linear_backward(grads->y, terms, mat_const(dproducts), inputs->y, &readout->embedding,
                        &weights->embedding);
    }
    linear_backward(grads->state, terms, mat_const(dt), inputs->state, &readout->state,
                    &weights->state); /* W_s s_i + b */
}

/* ---- step by step ---- */

void readout_step_forward(struct mat t, const struct readout_inputs *inputs,
                          const struct readout_weights *weights)
{
    const struct readout *readout = weights->readout;
    assert_shapes(mat_const(t), inputs, readout);
    linear_forward(t, inputs->state, &readout->state, &weights->state, weights->params,
                   false);                                          /* W_s s_i + b */
    prepacked_product(t, inputs->context, &weights->context, true); /* W_c c_i */
    vec_tanh(t.data, t.data, t.rows * t.cols);                      /* t_i */
}

void readout_step_backward(const struct readout_grads *grads, struct mat dt, struct const_mat t,
                           const struct readout_weights *weights)
{
    vec_tanh_backward(dt.data, dt.data, t.data, dt.rows * dt.cols);            /* t_i */
    prepacked_product(grads->context, mat_const(dt), &weights->context, true); /* W_c c_i */
    prepacked_product(grads->state, mat_const(dt), &weights->state, true);     /* W_s s_i + b */
}

void readout_defer_weight_grads(struct grad_terms *terms, struct const_mat dt,
                                const struct readout_inputs *inputs, const struct readout *readout)
{
    assert_shapes(dt, inputs, readout);
    linear_defer_weight_grads(terms, dt, inputs->state, &readout->state);
    linear_defer_weight_grads(terms, dt, inputs->context, &readout->context);
}

/* ---- the output layer ---- */

size_t output_chunks(size_t rows)
{
    return (rows + OUTPUT_CHUNK_ROWS - 1) / OUTPUT_CHUNK_ROWS;
}

struct mat output_chunk(struct mat rows, size_t chunk)
{
    const size_t first = chunk * OUTPUT_CHUNK_ROWS, left = rows.rows - first;
    return mat_rows(rows, first, left < OUTPUT_CHUNK_ROWS ? left : OUTPUT_CHUNK_ROWS);
}
