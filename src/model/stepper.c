#include "stepper.h"

#include "vecmath.h"

void step_weights_init(struct step_weights *weights, const struct seq2seq *model, const real *params,
                       struct arena *arena)
{
    const struct gru *cell = &model->decoder.cell;
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
    stepper->gates = ARENA_NEW(arena, rows * 3 * (size_t)units, real);
    stepper->hidden = ARENA_NEW(arena, rows * 3 * (size_t)units, real);
    stepper->t = ARENA_NEW(arena, rows * (size_t)e, real);
}

const real *stepper_start(const struct stepper *stepper, int rank)
{
    return stepper->at.start + (size_t)rank * (size_t)stepper->weights->model->decoder.cell.units;
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

/* next_states = gru([y ; c], s) */
static void run_cell(struct stepper *stepper, real *next_states, const struct distinct *words,
                     const struct step_input *input)
{
    const struct gru *cell = &stepper->weights->model->decoder.cell;
    const int units = cell->units, e = stepper->weights->model->target.width, rows = words->rows;
    const struct distinct *which = input->which;
    real *shared = stepper->shared;
    packed_product(shared, 3 * units, stepper->y, e, &stepper->weights->word, words->count,
                   false); /* W_iy y */
    distinct_spread(stepper->gates, shared, 3 * units, words, false);
    add_products(stepper->gates, stepper, 0, 3 * (size_t)units, which); /* W_ic c */
    packed_product(shared, 3 * units, input->states, units, &stepper->weights->decoder.hidden, which->count,
                   false); /* W_hh s */
    distinct_spread(stepper->hidden, shared, 3 * units, which, false);
    distinct_spread(stepper->previous, input->states, units, which, false);
    gru_step_forward(next_states, units, stepper->gates, stepper->hidden, stepper->previous, cell,
                     stepper->weights->params, rows);
}

void stepper_step(struct stepper *stepper, real *next_states, real *alpha, const struct step_input *input)
{
    const struct step_weights *weights = stepper->weights;
    const struct seq2seq *model = weights->model;
    const struct distinct *which = input->which;
    const int units = model->decoder.cell.units, e = model->target.width, rows = which->rows;
    struct distinct words;
    const struct arena_mark mark = arena_mark(stepper->arena);

    packed_product(stepper->query, model->decoder.attention.units, input->states, units,
                   &weights->decoder.query, which->count, false);
    attention_weights(alpha, stepper->query, stepper->at.keys, input->column, &model->decoder.attention,
                      weights->params, &stepper->source, which->count);
    attention_sum(stepper->sums, alpha, stepper->products, 3 * units + e, input->column, &stepper->source,
                  which->count);

    distinct_init(&words, input->ids, rows, model->target.vocabulary, stepper->arena);
    embedding_forward(stepper->y, words.ids, &model->target, weights->params, words.count);
    run_cell(stepper, next_states, &words, input);

    linear_forward_packed(stepper->t, next_states, units, &model->readout.state, &weights->readout_state,
                          weights->params, rows);
    packed_product(stepper->shared, e, stepper->y, e, &weights->readout_word, words.count, false);
    distinct_spread(stepper->t, stepper->shared, e, &words, true);
    add_products(stepper->t, stepper, 3 * (size_t)units, (size_t)e, which);
    vec_tanh(stepper->t, stepper->t, (size_t)rows * (size_t)e);
    arena_rewind(stepper->arena, mark);
}

void stepper_logits(const struct stepper *stepper, real *logits, int first, int rows)
{
    const struct step_weights *weights = stepper->weights;
    const struct linear *output = &weights->model->readout.output;
    linear_forward_packed(logits, stepper->t + (size_t)first * (size_t)output->inputs, output->inputs, output,
                          &weights->output, weights->params, rows);
}
