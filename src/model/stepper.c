#include "stepper.h"

#include "mat.h"
#include "vecmath.h"

/* Keys, first states and products of the source. What the encoder needed on the way is given back. */
static void encode(struct stepper *stepper, const int *ids, struct arena *arena)
{
    const struct seq2seq *model = stepper->model;
    const real *params = stepper->params;
    const struct gru *cell = &model->decoder.cell;
    const int units = cell->units, width = encoder_width(&model->encoder), e = model->target.width;
    const int product = 3 * units + e, rows = stepper->source.rows;
    struct noise none;
    struct encoder_acts acts;
    noise_none(&none);
    decoder_source_init(&stepper->at, &model->decoder, &stepper->source, arena);
    stepper->products = ARENA_NEW(arena, (size_t)rows * (size_t)product, real);
    const struct arena_mark mark = arena_mark(arena);
    encoder_forward(&acts, ids, &model->encoder, &model->source, params, &stepper->source, &none.encoder,
                    false, arena);
    decoder_source_forward(&stepper->at, acts.annotations, &model->decoder, params);
    mat_nt(stepper->products, product, acts.annotations, width, params + cell->weight_ih + e, cell->inputs,
           rows, 3 * units, width, false);
    mat_nt(stepper->products + 3 * units, product, acts.annotations, width,
           params + model->readout.context.weight, width, rows, e, width, false);
    arena_rewind(arena, mark);
    stepper->at.annotations = NULL;
}

void stepper_init(struct stepper *stepper, const struct seq2seq *model, const real *params,
                  const struct sentence *sentences, int sents, int max_rows, struct arena *arena)
{
    const int units = model->decoder.cell.units, e = model->target.width;
    const size_t product = (size_t)(3 * units + e), rows = (size_t)max_rows;
    stepper->model = model;
    stepper->params = params;
    encode(stepper, seq2seq_pack(&stepper->source, sentences, sents, 0, 0, arena), arena);
    stepper->y = ARENA_NEW(arena, rows * (size_t)e, real);
    stepper->query = ARENA_NEW(arena, rows * (size_t)model->decoder.attention.units, real);
    stepper->sums = ARENA_NEW(arena, rows * product, real);
    stepper->gates = ARENA_NEW(arena, rows * 3 * (size_t)units, real);
    stepper->hidden = ARENA_NEW(arena, rows * 3 * (size_t)units, real);
    stepper->t = ARENA_NEW(arena, rows * (size_t)e, real);
}

const real *stepper_start(const struct stepper *stepper, int rank)
{
    return stepper->at.start + (size_t)rank * (size_t)stepper->model->decoder.cell.units;
}

/* to [rows][width] += columns of the summed products from `from` on. */
static void add_products(real *to, const struct stepper *stepper, size_t from, size_t width, int rows)
{
    const size_t product =
        3 * (size_t)stepper->model->decoder.cell.units + (size_t)stepper->model->target.width;
    for (size_t i = 0; i < (size_t)rows; i++)
        vec_add(to + i * width, stepper->sums + i * product + from, width);
}

void stepper_step(struct stepper *stepper, real *logits, real *next_states, real *alpha, const int *ids,
                  const real *states, const int *column, int rows)
{
    const struct seq2seq *model = stepper->model;
    const real *params = stepper->params;
    const struct gru *cell = &model->decoder.cell;
    const struct readout *readout = &model->readout;
    const int units = cell->units, e = model->target.width;

    linear_forward(stepper->query, states, units, &model->decoder.attention.query, params, rows, false);
    attention_weights(alpha, stepper->query, stepper->at.keys, column, &model->decoder.attention, params,
                      &stepper->source, rows);
    attention_sum(stepper->sums, alpha, stepper->products, 3 * units + e, column, &stepper->source, rows);

    embedding_forward(stepper->y, ids, &model->target, params, rows);
    mat_nt(stepper->gates, 3 * units, stepper->y, e, params + cell->weight_ih, cell->inputs, rows, 3 * units,
           e, false);
    add_products(stepper->gates, stepper, 0, 3 * (size_t)units, rows);
    mat_nt(stepper->hidden, 3 * units, states, units, params + cell->weight_hh, units, rows, 3 * units, units,
           false);
    gru_step_forward(next_states, units, stepper->gates, stepper->hidden, states, cell, params, rows);

    linear_forward(stepper->t, next_states, units, &readout->state, params, rows, false);
    linear_forward(stepper->t, stepper->y, e, &readout->embedding, params, rows, true);
    add_products(stepper->t, stepper, 3 * (size_t)units, (size_t)e, rows);
    vec_tanh(stepper->t, stepper->t, (size_t)rows * (size_t)e);
    linear_forward(logits, stepper->t, e, &readout->output, params, rows, false);
}
