#include "readout.h"

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

/* ---- all rows at once ---- */

void readout_forward(real *t, const real *states, const struct unique *words, const real *y,
                     const real *context, const struct readout *readout, const real *params, size_t rows,
                     struct arena *arena)
{
    const size_t embedding = readout->state.outputs;
    linear_forward(mat_of(t, rows, readout->state.outputs), const_mat_of(states, rows, readout->state.inputs),
                   &readout->state, params, false);
    if (readout->reads_word) {
        real *products = ARENA_NEW(arena, words->count * embedding, real);
        linear_forward(mat_of(products, words->count, readout->embedding.outputs),
                       const_mat_ld(y, words->count, readout->embedding.inputs, embedding),
                       &readout->embedding, params, false);
        unique_spread(t, products, embedding, words, true);
    }
    linear_forward(mat_of(t, rows, readout->context.outputs),
                   const_mat_of(context, rows, readout->context.inputs), &readout->context, params, true);
    vec_tanh(t, t, rows * embedding);
}

void readout_backward(real *dstates, real *dy, real *dcontext, struct grad_terms *terms, real *dt,
                      const real *t, const real *states, const struct unique *words, const real *y,
                      const real *context, const struct readout *readout, const real *params, size_t rows,
                      struct arena *arena)
{
    const size_t units = readout->state.inputs, embedding = readout->state.outputs,
                 width = readout->context.inputs;
    vec_tanh_backward(dt, dt, t, rows * embedding); /* t = tanh(…) */
    linear_backward(mat_ld(dcontext, rows, readout->context.inputs, width), terms,
                    const_mat_of(dt, rows, readout->context.outputs),
                    const_mat_ld(context, rows, readout->context.inputs, width), &readout->context, params);
    if (readout->reads_word) {
        real *dproducts = ARENA_NEW(arena, words->count * embedding, real);
        unique_gather(dproducts, dt, embedding, words);
        linear_backward(mat_ld(dy, words->count, readout->embedding.inputs, embedding), terms,
                        const_mat_of(dproducts, words->count, readout->embedding.outputs),
                        const_mat_ld(y, words->count, readout->embedding.inputs, embedding),
                        &readout->embedding, params);
    }
    linear_backward(mat_ld(dstates, rows, readout->state.inputs, units), terms,
                    const_mat_of(dt, rows, readout->state.outputs),
                    const_mat_ld(states, rows, readout->state.inputs, units), &readout->state, params);
}

/* ---- step by step ---- */

void readout_prepack(struct readout_weights *weights, const struct readout *readout, const real *params,
                     struct prepack_list *list)
{
    linear_prepack(&weights->state, &readout->state, params, list);
    linear_prepack(&weights->context, &readout->context, params, list);
}

void readout_step_forward(real *t, const real *states, const real *context, const struct readout *readout,
                          const struct readout_weights *weights, const real *params, size_t rows)
{
    const size_t embedding = readout->state.outputs;
    linear_forward_prepacked(mat_of(t, rows, readout->state.outputs),
                             const_mat_of(states, rows, readout->state.inputs), &readout->state,
                             &weights->state, params);
    prepacked_product(mat_ld(t, rows, weights->context.n, embedding),
                      const_mat_ld(context, rows, weights->context.k, readout->context.inputs),
                      &weights->context, true);
    vec_tanh(t, t, rows * embedding);
}

void readout_step_backward(real *dstates, real *dcontext, real *dt, const real *t,
                           const struct readout *readout, const struct readout_weights *weights, size_t rows)
{
    const size_t embedding = readout->state.outputs;
    vec_tanh_backward(dt, dt, t, rows * embedding); /* t = tanh(…) */
    prepacked_product(mat_ld(dcontext, rows, weights->context.n, readout->context.inputs),
                      const_mat_ld(dt, rows, weights->context.k, embedding), &weights->context, true);
    prepacked_product(mat_ld(dstates, rows, weights->state.n, readout->state.inputs),
                      const_mat_ld(dt, rows, weights->state.k, embedding), &weights->state, true);
}

void readout_defer_weight_grads(struct grad_terms *terms, const real *dt, const real *states,
                                const real *context, const struct readout *readout, size_t rows)
{
    linear_defer_weight_grads(terms, const_mat_of(dt, rows, readout->state.outputs),
                              const_mat_of(states, rows, readout->state.inputs), &readout->state);
    linear_defer_weight_grads(terms, const_mat_of(dt, rows, readout->context.outputs),
                              const_mat_of(context, rows, readout->context.inputs), &readout->context);
}

/* ---- the output layer ---- */

size_t output_chunks(size_t rows)
{
    return (rows + OUTPUT_CHUNK_ROWS - 1) / OUTPUT_CHUNK_ROWS;
}

/* The logits of a chunk of rows; returns how many. */
static size_t chunk_logits(real *logits, const real *t, size_t chunk, const struct readout *readout,
                           const real *params, size_t rows)
{
    const struct linear *output = &readout->output;
    const size_t row = chunk * OUTPUT_CHUNK_ROWS, left = rows - row;
    const size_t count = left < OUTPUT_CHUNK_ROWS ? left : OUTPUT_CHUNK_ROWS;
    linear_forward(mat_of(logits, count, output->outputs),
                   const_mat_of(t + row * output->inputs, count, output->inputs), output, params, false);
    return count;
}

void output_loss(struct xent_sums *sums, real *losses, real *dt, struct grad_terms *terms, real *logits,
                 const real *t, const int *ids, size_t chunk, const struct readout *readout,
                 const real *params, size_t rows, const struct xent_options *options, real scale, real *room)
{
    const struct linear *output = &readout->output;
    const size_t in = output->inputs, row = chunk * OUTPUT_CHUNK_ROWS;
    const size_t at = row * in;
    const size_t count = chunk_logits(logits, t, chunk, readout, params, rows);
    xent_forward_backward(sums, losses ? losses + row : NULL, logits, ids + row, output->outputs, count,
                          options, scale, room);
    if (terms)
        linear_backward(mat_ld(dt + at, count, output->inputs, in), terms,
                        const_mat_of(logits, count, output->outputs),
                        const_mat_ld(t + at, count, output->inputs, in), output, params);
}

void output_scores(real *scores, real *logits, const real *t, const int *ids, size_t chunk,
                   const struct readout *readout, const real *params, size_t rows)
{
    const size_t row = chunk * OUTPUT_CHUNK_ROWS;
    const size_t count = chunk_logits(logits, t, chunk, readout, params, rows);
    xent_scores(scores + row, logits, ids + row, readout->output.outputs, count);
}
