#include "stepper.h"

#include "vecmath.h"

#include <string.h>

void step_weights_init(struct step_weights *weights, const struct seq2seq *model, const real *params,
                       struct arena *arena)
{
    const struct readout *readout = &model->readout;
    struct packs packs;
    weights->model = model;
    weights->params = params;
    packs_init(&packs, arena);
    encoder_pack(&weights->encoder, &model->encoder, params, &packs);
    source_pack(&weights->source, &model->decoder, params, &packs);
    decoder_pack(&weights->decoder, &model->decoder, params, &packs);
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
    const int gates = cell_width(&model->decoder.cell), width = encoder_width(&model->encoder);
    const int product = gates + model->target.width, rows = stepper->source.rows;
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
    packed_product(stepper->products + gates, product, acts.annotations, width, &weights->readout_context,
                   rows, false);
    arena_rewind(arena, mark);
    stepper->at.annotations = NULL;
}

/* Of one layer: h, and the memory, if there is one. */
static int layer_width(const struct cell *cell)
{
    return (cell->gates->memory ? 2 : 1) * cell->units;
}

/* In conditional decoding each row asks for a context of its own. */
static void asking_init(struct stepper *stepper, int max_rows)
{
    const struct cell *first = &stepper->weights->model->decoder.first;
    const size_t rows = (size_t)max_rows;
    const struct cell_room room = {.rows = rows, .words = max_rows};
    cell_acts_init(&stepper->first, first, &room, stepper->arena);
    stepper->asking = ARENA_NEW(stepper->arena, rows * (size_t)layer_width(first), real);
    stepper->asking_column = ARENA_NEW(stepper->arena, rows, int);
    stepper->each.which = ARENA_NEW(stepper->arena, rows, int);
    for (int i = 0; i < max_rows; i++)
        stepper->each.which[i] = i;
}

void stepper_init(struct stepper *stepper, const struct step_weights *weights,
                  const struct sentence *sentences, int sents, int max_rows, struct arena *arena)
{
    const struct seq2seq *model = weights->model;
    const struct decoder *decoder = &model->decoder;
    const int gates = cell_width(&decoder->cell), e = model->target.width;
    const size_t rows = (size_t)max_rows;
    const struct cell_room room = {.rows = rows};
    stepper->weights = weights;
    stepper->arena = arena;
    encode(stepper, seq2seq_pack(&stepper->source, sentences, sents, 0, 0, arena), arena);
    stepper->y = ARENA_NEW(arena, rows * (size_t)e, real);
    stepper->query = ARENA_NEW(arena, rows * (size_t)decoder->attention.units, real);
    stepper->sums = ARENA_NEW(arena, rows * (size_t)(gates + e), real);
    stepper->shared = ARENA_NEW(arena, rows * (size_t)(gates > e ? gates : e), real);
    if (decoder->conditional)
        asking_init(stepper, max_rows);
    cell_acts_init(&stepper->cell, &decoder->cell, &room, arena);
    deep_acts_init(&stepper->deep, &decoder->deep, rows, 0, arena);
    if (decoder->stack.count) {
        cell_acts_init(&stepper->upper, &decoder->stack.rnns[0][0].cell, &room, arena);
        stepper->top = ARENA_NEW(arena, rows * (size_t)decoder->cell.units, real);
    }
    stepper->t = ARENA_NEW(arena, rows * (size_t)e, real);
}

int stepper_state_width(const struct stepper *stepper)
{
    const struct decoder *decoder = &stepper->weights->model->decoder;
    return (decoder->stack.count + 1) * layer_width(&decoder->cell);
}

void stepper_start(real *state, const struct stepper *stepper, int rank)
{
    const size_t d = (size_t)stepper->weights->model->decoder.cell.units;
    memset(state, 0, (size_t)stepper_state_width(stepper) * sizeof *state); /* memory, layers above */
    memcpy(state, stepper->at.start + (size_t)rank * d, d * sizeof *state);
}

/* to [rows][width] += (or, without `add`, =) columns of the summed products from `from` on. */
static void take_products(real *to, const struct stepper *stepper, int from, int width,
                          const struct distinct *which, bool add)
{
    const size_t product =
        (size_t)(cell_width(&stepper->weights->model->decoder.cell) + stepper->weights->model->target.width);
    for (size_t i = 0; i < (size_t)which->rows; i++) {
        const real *sums = stepper->sums + (size_t)which->which[i] * product + from;
        if (add)
            vec_add(to + i * (size_t)width, sums, (size_t)width);
        else
            memcpy(to + i * (size_t)width, sums, (size_t)width * sizeof *to);
    }
}

/* to [rows][width] = each row's state, from [states][width, ld] */
static void gather_states(real *to, const real *from, int ld, int width, const struct distinct *which)
{
    for (size_t i = 0; i < (size_t)which->rows; i++)
        memcpy(to + i * (size_t)width, from + (size_t)which->which[i] * (size_t)ld,
               (size_t)width * sizeof *to);
}

/* The rows of a layer's states that begin at `states`. */
static struct cell_state state_at(real *states, int ld, const struct cell *cell)
{
    return (struct cell_state){states, ld, cell->gates->memory ? states + cell->units : NULL, ld};
}

/* next = cell(products, states [states][ld]); W_hh h is computed once for each state. */
static void transition(struct stepper *stepper, const struct cell_state *next, struct cell_acts *acts,
                       const struct cell *cell, const struct cell_weights *weights, const real *states,
                       int ld, const struct distinct *which)
{
    const int units = cell->units, width = cell_width(cell);
    packed_product(stepper->shared, width, states, ld, &weights->early, which->count, false);
    distinct_spread(acts->hidden, stepper->shared, width, which, false);
    gather_states(acts->before, states, ld, units, which);
    if (acts->memory_before)
        gather_states(acts->memory_before, states + units, ld, units, which);
    cell_step(next, acts, 0, cell, weights, stepper->weights->params, which->rows);
}

/* The first transition of a conditional decoder; what asks for contexts is then its states, one for each row.
 */
static struct step_input ask_anew(struct stepper *stepper, const struct step_input *input)
{
    const struct decoder *decoder = &stepper->weights->model->decoder;
    const int rows = input->which->rows, ld = layer_width(&decoder->first);
    const struct cell_state next = state_at(stepper->asking, ld, &decoder->first);
    transition(stepper, &next, &stepper->first, &decoder->first, &stepper->weights->decoder.first,
               input->states, input->ld, input->which);
    for (int i = 0; i < rows; i++)
        stepper->asking_column[i] = input->column[input->which->which[i]];
    stepper->each.rows = stepper->each.count = rows;
    return (struct step_input){input->ids, &stepper->each, stepper->asking, ld, stepper->asking_column};
}

/* The layers above the first: their part of next_states, and stepper->top, the sum of all layers. */
static void upper_layers(struct stepper *stepper, real *next_states, int ld, const struct step_input *input)
{
    const struct decoder *decoder = &stepper->weights->model->decoder;
    const int units = decoder->cell.units, layer = layer_width(&decoder->cell), rows = input->which->rows;
    const size_t u = (size_t)units;
    vec_copy_rows(stepper->top, units, next_states, ld, rows, units);
    for (int l = 0; l < decoder->stack.count; l++) {
        const struct rnn *rnn = &decoder->stack.rnns[l][0];
        const struct rnn_weights *weights = &stepper->weights->decoder.stack.rnns[l][0];
        const struct cell_state next = state_at(next_states + (l + 1) * layer, ld, &rnn->cell);
        packed_product(stepper->upper.products, cell_width(&rnn->cell), stepper->top, units, &weights->ih,
                       rows, false);
        transition(stepper, &next, &stepper->upper, &rnn->cell, &weights->cell,
                   input->states + (l + 1) * layer, input->ld, input->which);
        deep_forward(&next, &stepper->deep, 0, &rnn->deep, &weights->deep, stepper->weights->params, rows);
        for (size_t i = 0; i < (size_t)rows; i++)
            vec_add(stepper->top + i * u, next.h + i * (size_t)ld, u);
    }
}

void stepper_step(struct stepper *stepper, real *next_states, real *alpha, const struct step_input *input)
{
    const struct step_weights *weights = stepper->weights;
    const struct seq2seq *model = weights->model;
    const struct decoder *decoder = &model->decoder;
    const struct cell *cell = &decoder->cell;
    const int units = cell->units, gates = cell_width(cell), e = model->target.width;
    const int ld = stepper_state_width(stepper), rows = input->which->rows;
    const real *params = weights->params;
    struct distinct words;
    struct step_input asking = *input;
    const struct arena_mark mark = arena_mark(stepper->arena);

    distinct_init(&words, input->ids, rows, model->target.vocabulary, stepper->arena);
    embedding_forward(stepper->y, words.ids, &model->target, params, words.count);
    cell_words_forward(decoder->conditional ? &stepper->first : &stepper->cell, &words, stepper->y,
                       &weights->decoder.word, decoder_word_cell(decoder), params, stepper->arena);
    if (decoder->conditional)
        asking = ask_anew(stepper, input);

    const struct distinct *which = asking.which;
    packed_product(stepper->query, decoder->attention.units, asking.states, asking.ld,
                   &weights->decoder.query, which->count, false);
    attention_weights(alpha, stepper->query, stepper->at.keys, asking.column, &decoder->attention, params,
                      &stepper->source, which->count);
    attention_sum(stepper->sums, alpha, stepper->products, gates + e, asking.column, &stepper->source,
                  which->count);
    take_products(stepper->cell.products, stepper, 0, gates, which, !decoder->conditional); /* W_ic c */
    const struct cell_state next = state_at(next_states, ld, cell);
    transition(stepper, &next, &stepper->cell, cell, &weights->decoder.cell, asking.states, asking.ld, which);
    deep_forward(&next, &stepper->deep, 0, &decoder->deep, &weights->decoder.deep, params, rows);
    const real *top = next_states;
    int ld_top = ld;
    if (decoder->stack.count) {
        upper_layers(stepper, next_states, ld, input);
        top = stepper->top;
        ld_top = units;
    }

    linear_forward_packed(stepper->t, top, ld_top, &model->readout.state, &weights->readout_state, params,
                          rows);
    packed_product(stepper->shared, e, stepper->y, e, &weights->readout_word, words.count, false);
    distinct_spread(stepper->t, stepper->shared, e, &words, true);
    take_products(stepper->t, stepper, gates, e, which, true);
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
