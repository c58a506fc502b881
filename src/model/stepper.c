#include "stepper.h"

#include "vecmath.h"

#include <string.h>

void step_weights_init(struct step_weights *weights, const struct seq2seq *model, const real *params,
                       struct arena *arena)
{
    const struct gru *cell = decoder_word_cell(&model->decoder);
    const struct readout *readout = &model->readout;
    struct packs packs;
    weights->model = model;
    weights->params = params;
    packs_init(&packs, arena);
    encoder_pack(&weights->encoder, &model->encoder, params, &packs);
    source_pack(&weights->source, &model->decoder, params, &packs);
    decoder_pack(&weights->decoder, &model->decoder, params, &packs);
    packed_init_nt(&weights->word, params + cell->weight_ih, cell->inputs, 3 * cell->units,
                   model->target.width, &packs);
    linear_pack(&weights->readout_word, &readout->embedding, params, &packs);
    linear_pack(&weights->readout_context, &readout->context, params, &packs);
    linear_pack(&weights->readout_state, &readout->state, params, &packs);
    linear_pack(&weights->output, &readout->output, params, &packs);
    packs_fill(&packs, 0, 1);
}

/* Keys, first states and products of the source. What the encoder needed on the way is given back. */
static void encode(struct stepper *stepper, const int *ids, struct arena *arena)
{
    const struct step_weights *weights = stepper->weights;
    const struct seq2seq *model = weights->model;
    const int units = model->decoder.cell.units, width = encoder_width(&model->encoder),
              e = model->target.width;
    const int product = 3 * units + e, rows = stepper->source.rows;
    struct noise none;
    struct encoder_acts acts;
    noise_none(&none);
    decoder_source_init(&stepper->at, &model->decoder, &stepper->source, arena);
    stepper->products = ARENA_NEW(arena, (size_t)rows * (size_t)product, real);
    const struct arena_mark mark = arena_mark(arena);
    encoder_acts_init(&acts, ids, &model->encoder, &model->source, &stepper->source, &none.encoder, false,
                      arena);
    encoder_forward(&acts, &model->encoder, &model->source, &weights->encoder, weights->params,
                    &stepper->source, &none.encoder, arena);
    decoder_source_forward(&stepper->at, acts.annotations, &model->decoder, &weights->source,
                           weights->params);
    packed_product(stepper->products, product, acts.annotations, width, &weights->decoder.context, rows,
                   false);
    packed_product(stepper->products + 3 * units, product, acts.annotations, width, &weights->readout_context,
                   rows, false);
    arena_rewind(arena, mark);
    stepper->at.annotations = NULL;
}

/* Under a conditional GRU each row asks for a context of its own. */
static void asking_init(struct stepper *stepper, int max_rows)
{
    const size_t rows = (size_t)max_rows, units = (size_t)stepper->weights->model->decoder.cell.units;
    stepper->asking = ARENA_NEW(stepper->arena, rows * units, real);
    stepper->asking_column = ARENA_NEW(stepper->arena, rows, int);
    stepper->each.which = ARENA_NEW(stepper->arena, rows, int);
    for (int i = 0; i < max_rows; i++)
        stepper->each.which[i] = i;
}

void stepper_init(struct stepper *stepper, const struct step_weights *weights,
                  const struct sentence *sentences, int sents, int max_rows, struct arena *arena)
{
    const struct seq2seq *model = weights->model;
    const int units = model->decoder.cell.units, e = model->target.width;
    const size_t product = (size_t)(3 * units + e), rows = (size_t)max_rows;
    stepper->weights = weights;
    stepper->arena = arena;
    encode(stepper, seq2seq_pack(&stepper->source, sentences, sents, 0, 0, arena), arena);
    stepper->y = ARENA_NEW(arena, rows * (size_t)e, real);
    stepper->query = ARENA_NEW(arena, rows * (size_t)model->decoder.attention.units, real);
    stepper->sums = ARENA_NEW(arena, rows * product, real);
    stepper->shared = ARENA_NEW(arena, rows * (size_t)(3 * units > e ? 3 * units : e), real);
    stepper->previous = ARENA_NEW(arena, rows * (size_t)units, real);
    if (model->decoder.conditional)
        asking_init(stepper, max_rows);
    gru_acts_init(&stepper->cell, &model->decoder.cell, rows, arena);
    deep_acts_init(&stepper->deep, &model->decoder.deep, rows, arena);
    if (model->decoder.stack.count)
        stepper->top = ARENA_NEW(arena, rows * (size_t)units, real);
    stepper->t = ARENA_NEW(arena, rows * (size_t)e, real);
}

int stepper_state_width(const struct stepper *stepper)
{
    const struct decoder *decoder = &stepper->weights->model->decoder;
    return (decoder->stack.count + 1) * decoder->cell.units;
}

void stepper_start(real *state, const struct stepper *stepper, int rank)
{
    const size_t d = (size_t)stepper->weights->model->decoder.cell.units;
    memset(state, 0, (size_t)stepper_state_width(stepper) * sizeof *state); /* the layers above */
    memcpy(state, stepper->at.start + (size_t)rank * d, d * sizeof *state);
}

/* to [rows][width] += columns of the summed products from `from` on. */
static void add_products(real *to, const struct stepper *stepper, size_t from, size_t width,
                         const struct distinct *which)
{
    const size_t product = 3 * (size_t)stepper->weights->model->decoder.cell.units +
                           (size_t)stepper->weights->model->target.width;
    for (size_t i = 0; i < (size_t)which->rows; i++)
        vec_add(to + i * width, stepper->sums + (size_t)which->which[i] * product + from, width);
}

/* next [rows][D, ld] = cell(gates, states [states][D, ld_states]), and the transitions behind it; W_hh s is
 * computed once for each state. */
static void transition(struct stepper *stepper, real *next, int ld, const struct gru *cell,
                       const struct packed *w_hh, const struct deep *deep,
                       const struct deep_weights *deep_weights, const real *states, int ld_states,
                       const struct distinct *which)
{
    const int units = cell->units;
    const size_t u = (size_t)units;
    const real *params = stepper->weights->params;
    packed_product(stepper->shared, 3 * units, states, ld_states, w_hh, which->count, false);
    distinct_spread(stepper->cell.hidden, stepper->shared, 3 * units, which, false);
    for (size_t i = 0; i < (size_t)which->rows; i++)
        memcpy(stepper->previous + i * u, states + (size_t)which->which[i] * (size_t)ld_states,
               u * sizeof *next);
    gru_step_forward(next, ld, &stepper->cell, 0, stepper->previous, units, cell, params, which->rows);
    if (deep)
        deep_forward(next, ld, &stepper->deep, 0, deep, deep_weights, params, which->rows);
}

/* The first transition of a conditional GRU; what asks for contexts is then its states, one for each row. */
static struct step_input ask_anew(struct stepper *stepper, const struct step_input *input)
{
    const struct decoder *decoder = &stepper->weights->model->decoder;
    const int rows = input->which->rows, units = decoder->cell.units;
    transition(stepper, stepper->asking, units, &decoder->first, &stepper->weights->decoder.first, NULL, NULL,
               input->states, input->ld, input->which);
    memset(stepper->cell.gates, 0, (size_t)rows * 3 * (size_t)units * sizeof(real));
    for (int i = 0; i < rows; i++)
        stepper->asking_column[i] = input->column[input->which->which[i]];
    stepper->each.rows = stepper->each.count = rows;
    return (struct step_input){input->ids, &stepper->each, stepper->asking, units, stepper->asking_column};
}

/* The layers above the first: their part of next_states, and stepper->top, the sum of all layers. */
static void upper_layers(struct stepper *stepper, real *next_states, int ld, const struct step_input *input)
{
    const struct decoder *decoder = &stepper->weights->model->decoder;
    const int units = decoder->cell.units, rows = input->which->rows;
    const size_t u = (size_t)units;
    vec_copy_rows(stepper->top, units, next_states, ld, rows, units);
    for (int l = 0; l < decoder->stack.count; l++) {
        const struct rnn *rnn = &decoder->stack.rnns[l][0];
        const struct rnn_weights *weights = &stepper->weights->decoder.stack.rnns[l][0];
        real *next = next_states + (l + 1) * units;
        packed_product(stepper->cell.gates, 3 * units, stepper->top, units, &weights->ih, rows, false);
        transition(stepper, next, ld, &rnn->cell, &weights->hh, &rnn->deep, &weights->deep,
                   input->states + (l + 1) * units, input->ld, input->which);
        for (size_t i = 0; i < (size_t)rows; i++)
            vec_add(stepper->top + i * u, next + i * (size_t)ld, u);
    }
}

void stepper_step(struct stepper *stepper, real *next_states, real *alpha, const struct step_input *input)
{
    const struct step_weights *weights = stepper->weights;
    const struct seq2seq *model = weights->model;
    const struct decoder *decoder = &model->decoder;
    const int units = decoder->cell.units, e = model->target.width, rows = input->which->rows;
    const int ld = stepper_state_width(stepper);
    struct distinct words;
    struct step_input asking = *input;
    const struct arena_mark mark = arena_mark(stepper->arena);

    distinct_init(&words, input->ids, rows, model->target.vocabulary, stepper->arena);
    embedding_forward(stepper->y, words.ids, &model->target, weights->params, words.count);
    packed_product(stepper->shared, 3 * units, stepper->y, e, &weights->word, words.count,
                   false); /* W_iy y */
    distinct_spread(stepper->cell.gates, stepper->shared, 3 * units, &words, false);
    if (decoder->conditional)
        asking = ask_anew(stepper, input);

    const struct distinct *which = asking.which;
    packed_product(stepper->query, decoder->attention.units, asking.states, asking.ld,
                   &weights->decoder.query, which->count, false);
    attention_weights(alpha, stepper->query, stepper->at.keys, asking.column, &decoder->attention,
                      weights->params, &stepper->source, which->count);
    attention_sum(stepper->sums, alpha, stepper->products, 3 * units + e, asking.column, &stepper->source,
                  which->count);
    add_products(stepper->cell.gates, stepper, 0, 3 * (size_t)units, which); /* W_ic c */
    transition(stepper, next_states, ld, &decoder->cell, &weights->decoder.hidden, &decoder->deep,
               &weights->decoder.deep, asking.states, asking.ld, which);
    const real *top = next_states;
    if (decoder->stack.count) {
        upper_layers(stepper, next_states, ld, input);
        top = stepper->top;
    }

    linear_forward_packed(stepper->t, top, units, &model->readout.state, &weights->readout_state,
                          weights->params, rows);
    packed_product(stepper->shared, e, stepper->y, e, &weights->readout_word, words.count, false);
    distinct_spread(stepper->t, stepper->shared, e, &words, true);
    add_products(stepper->t, stepper, 3 * (size_t)units, (size_t)e, which);
    vec_tanh(stepper->t, stepper->t, (size_t)rows * (size_t)e);
    arena_rewind(stepper->arena, mark);
}

int stepper_alpha_row(const struct stepper *stepper, const struct step_input *input, int row)
{
    return stepper->weights->model->decoder.conditional ? row : input->which->which[row];
}

void stepper_logits(const struct stepper *stepper, real *logits, int first, int rows)
{
    const struct step_weights *weights = stepper->weights;
    const struct linear *output = &weights->model->readout.output;
    linear_forward_packed(logits, stepper->t + (size_t)first * (size_t)output->inputs, output->inputs, output,
                          &weights->output, weights->params, rows);
}
