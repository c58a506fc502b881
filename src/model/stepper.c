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
    stepper->arena = arena;
    encode(stepper, seq2seq_pack(&stepper->source, sentences, sents, 0, 0, arena), arena);
    stepper->y = ARENA_NEW(arena, rows * (size_t)e, real);
    stepper->query = ARENA_NEW(arena, rows * (size_t)model->decoder.attention.units, real);
    stepper->sums = ARENA_NEW(arena, rows * product, real);
    stepper->shared = ARENA_NEW(arena, rows * (size_t)(3 * units > e ? 3 * units : e), real);
    stepper->previous = ARENA_NEW(arena, rows * (size_t)units, real);
    stepper->gates = ARENA_NEW(arena, rows * 3 * (size_t)units, real);
    stepper->hidden = ARENA_NEW(arena, rows * 3 * (size_t)units, real);
    stepper->t = ARENA_NEW(arena, rows * (size_t)e, real);
}

const real *stepper_start(const struct stepper *stepper, int rank)
{
    return stepper->at.start + (size_t)rank * (size_t)stepper->model->decoder.cell.units;
}

/* to [rows][width] += columns of the summed products from `from` on. */
static void add_products(real *to, const struct stepper *stepper, size_t from, size_t width,
                         const struct distinct *which)
{
    const size_t product =
        3 * (size_t)stepper->model->decoder.cell.units + (size_t)stepper->model->target.width;
    for (size_t i = 0; i < (size_t)which->rows; i++)
        vec_add(to + i * width, stepper->sums + (size_t)which->which[i] * product + from, width);
}

/* next_states = gru([y ; c], s) */
static void run_cell(struct stepper *stepper, real *next_states, const struct distinct *words,
                     const struct step_input *input)
{
    const struct gru *cell = &stepper->model->decoder.cell;
    const int units = cell->units, e = stepper->model->target.width, rows = words->rows;
    const struct distinct *which = input->which;
    real *shared = stepper->shared;
    mat_nt(shared, 3 * units, stepper->y, e, stepper->params + cell->weight_ih, cell->inputs, words->count,
           3 * units, e, false); /* W_iy y */
    distinct_spread(stepper->gates, shared, 3 * units, words, false);
    add_products(stepper->gates, stepper, 0, 3 * (size_t)units, which); /* W_ic c */
    mat_nt(shared, 3 * units, input->states, units, stepper->params + cell->weight_hh, units, which->count,
           3 * units, units, false); /* W_hh s */
    distinct_spread(stepper->hidden, shared, 3 * units, which, false);
    distinct_spread(stepper->previous, input->states, units, which, false);
    gru_step_forward(next_states, units, stepper->gates, stepper->hidden, stepper->previous, cell,
                     stepper->params, rows);
}

void stepper_step(struct stepper *stepper, real *logits, real *next_states, real *alpha,
                  const struct step_input *input)
{
    const struct seq2seq *model = stepper->model;
    const real *params = stepper->params;
    const struct readout *readout = &model->readout;
    const struct distinct *which = input->which;
    const int units = model->decoder.cell.units, e = model->target.width, rows = which->rows;
    struct distinct words;
    const struct arena_mark mark = arena_mark(stepper->arena);

    linear_forward(stepper->query, input->states, units, &model->decoder.attention.query, params,
                   which->count, false);
    attention_weights(alpha, stepper->query, stepper->at.keys, input->column, &model->decoder.attention,
                      params, &stepper->source, which->count);
    attention_sum(stepper->sums, alpha, stepper->products, 3 * units + e, input->column, &stepper->source,
                  which->count);

    distinct_init(&words, input->ids, rows, model->target.vocabulary, stepper->arena);
    embedding_forward(stepper->y, words.ids, &model->target, params, words.count);
    run_cell(stepper, next_states, &words, input);

    linear_forward(stepper->t, next_states, units, &readout->state, params, rows, false);
    linear_forward(stepper->shared, stepper->y, e, &readout->embedding, params, words.count, false);
    distinct_spread(stepper->t, stepper->shared, e, &words, true);
    add_products(stepper->t, stepper, 3 * (size_t)units, (size_t)e, which);
    vec_tanh(stepper->t, stepper->t, (size_t)rows * (size_t)e);
    linear_forward(logits, stepper->t, e, &readout->output, params, rows, false);
    arena_rewind(stepper->arena, mark);
}
