#include "decoder.h"

#include "mat.h"
#include "vecmath.h"

#include <string.h>

void decoder_declare(struct decoder *decoder, struct layout *layout, int embedding, int annotation_width,
                     int units, int attention_units, bool conditional, int layers, int transitions,
                     bool normalized)
{
    decoder->conditional = conditional;
    decoder->embedding = embedding;
    linear_declare(&decoder->init, layout, "decoder.init", annotation_width, units, true);
    attention_declare(&decoder->attention, layout, "attention", units, annotation_width, attention_units);
    if (conditional)
        gru_declare(&decoder->first, layout, "decoder.first", embedding, units, normalized);
    gru_declare(&decoder->cell, layout, "decoder.cell", annotation_width + (conditional ? 0 : embedding),
                units, normalized);
    deep_declare(&decoder->deep, layout, "decoder.cell", units, transitions, normalized);
    stack_declare(&decoder->stack, layout, "decoder", 0, units, layers, transitions, normalized);
}

const struct gru *decoder_word_cell(const struct decoder *decoder)
{
    return decoder->conditional ? &decoder->first : &decoder->cell;
}

/* ---- the source, once per sentence ---- */

static void mean_forward(real *mean, const real *annotations, size_t width, const struct packing *source)
{
    memset(mean, 0, (size_t)source->sents * width * sizeof *mean);
    for (int b = 0; b < source->sents; b++) {
        const real weight = (real)1 / (real)source->lengths[b];
        for (int j = 0; j < source->lengths[b]; j++)
            vec_axpy(mean + (size_t)b * width, weight, annotations + (size_t)(source->first[j] + b) * width,
                     width);
    }
}

static void mean_backward(real *dannotations, const real *dmean, size_t width, const struct packing *source)
{
    for (int b = 0; b < source->sents; b++) {
        const real weight = (real)1 / (real)source->lengths[b];
        for (int j = 0; j < source->lengths[b]; j++) /* mean += weight · annotation_j */
            vec_axpy(dannotations + (size_t)(source->first[j] + b) * width, weight, dmean + (size_t)b * width,
                     width);
    }
}

void source_pack(struct source_weights *weights, const struct decoder *decoder, const real *params,
                 struct packs *packs)
{
    linear_pack(&weights->key, &decoder->attention.key, params, packs);
    linear_pack(&weights->init, &decoder->init, params, packs);
}

void decoder_source_init(struct decoder_source *at, const struct decoder *decoder,
                         const struct packing *source, struct arena *arena)
{
    const size_t rows = (size_t)source->rows, sents = (size_t)source->sents;
    at->packing = source;
    at->annotations = NULL;
    at->keys = ARENA_NEW(arena, rows * (size_t)decoder->attention.units, real);
    at->mean = ARENA_NEW(arena, sents * (size_t)decoder->init.inputs, real);
    at->start = ARENA_NEW(arena, sents * (size_t)decoder->cell.units, real);
}

void decoder_source_forward(struct decoder_source *at, const real *annotations, const struct decoder *decoder,
                            const struct source_weights *weights, const real *params)
{
    const struct packing *source = at->packing;
    const int width = decoder->init.inputs;
    at->annotations = annotations;
    linear_forward_packed(at->keys, annotations, width, &decoder->attention.key, &weights->key, params,
                          source->rows);
    mean_forward(at->mean, annotations, (size_t)width, source);
    linear_forward_packed(at->start, at->mean, width, &decoder->init, &weights->init, params, source->sents);
    vec_tanh(at->start, at->start, (size_t)source->sents * (size_t)decoder->cell.units);
}

static void source_backward(real *dannotations, struct gradients *gradients, real *dstart, const real *dkeys,
                            const struct decoder_source *at, const struct decoder *decoder,
                            const real *params, struct arena *arena)
{
    const int width = decoder->init.inputs, sents = at->packing->sents;
    const size_t start_size = (size_t)sents * (size_t)decoder->cell.units;
    real *dmean = ARENA_ZERO(arena, (size_t)sents * (size_t)width, real);
    vec_tanh_backward(dstart, dstart, at->start, start_size); /* start = tanh(…) */
    linear_backward(dmean, width, gradients, dstart, at->mean, width, &decoder->init, params, sents);
    mean_backward(dannotations, dmean, (size_t)width, at->packing);
    linear_backward(dannotations, width, gradients, dkeys, at->annotations, width, &decoder->attention.key,
                    params, at->packing->rows); /* keys = U_a h + b */
}

/* ---- the steps ---- */

void decoder_pack(struct decoder_weights *weights, const struct decoder *decoder, const real *params,
                  struct packs *packs)
{
    const struct gru *cell = &decoder->cell;
    const int units = cell->units, width = decoder->init.inputs, before = cell->inputs - width;
    if (decoder->conditional)
        packed_init_nt(&weights->first, params + decoder->first.weight_hh, units, 3 * units, units, packs);
    linear_pack(&weights->query, &decoder->attention.query, params, packs);
    packed_init_nt(&weights->context, params + cell->weight_ih + before, cell->inputs, 3 * units, width,
                   packs);
    packed_init_nt(&weights->hidden, params + cell->weight_hh, units, 3 * units, units, packs);
    deep_pack(&weights->deep, &decoder->deep, params, packs);
    stack_pack(&weights->stack, &decoder->stack, params, packs);
}

void decoder_pack_backward(struct decoder_weights *weights, const struct decoder *decoder, const real *params,
                           struct packs *packs)
{
    const struct gru *cell = &decoder->cell;
    const int units = cell->units, width = decoder->init.inputs, before = cell->inputs - width;
    if (decoder->conditional)
        packed_init_nn(&weights->first, params + decoder->first.weight_hh, units, units, 3 * units, packs);
    packed_init_nn(&weights->query, params + decoder->attention.query.weight, units, units,
                   decoder->attention.units, packs);
    packed_init_nn(&weights->context, params + cell->weight_ih + before, cell->inputs, width, 3 * units,
                   packs);
    packed_init_nn(&weights->hidden, params + cell->weight_hh, units, units, 3 * units, packs);
    deep_pack_backward(&weights->deep, &decoder->deep, params, packs);
    stack_pack_backward(&weights->stack, &decoder->stack, params, packs);
}

static void acts_init(struct decoder_acts *acts, const struct decoder *decoder, const struct packing *target,
                      const struct decoder_noise *noise, struct arena *arena)
{
    const size_t n = (size_t)target->rows, d = (size_t)decoder->cell.units;
    acts->previous = ARENA_NEW(arena, n * d, real);
    acts->dropped = noise->state.rate > 0 ? ARENA_NEW(arena, n * d, real) : NULL;
    acts->asking = acts->previous;
    if (decoder->conditional) {
        acts->asking = ARENA_NEW(arena, n * d, real);
        gru_acts_init(&acts->first, &decoder->first, n, arena);
    }
    acts->query = ARENA_NEW(arena, n * (size_t)decoder->attention.units, real);
    acts->alpha = ARENA_NEW(arena, n * (size_t)acts->source.packing->steps, real);
    acts->context = ARENA_NEW(arena, n * (size_t)decoder->init.inputs, real);
    gru_acts_init(&acts->cell, &decoder->cell, n, arena);
    deep_acts_init(&acts->deep, &decoder->deep, n, arena);
    acts->states = ARENA_NEW(arena, n * d, real);
    stack_acts_init(&acts->stack, &decoder->stack, target, &noise->stack, arena);
}

/* previous rows of step t: the states of step t - 1, or s_0 */
static void gather_previous(struct decoder_acts *acts, size_t d, const struct packing *target, int t)
{
    real *previous = acts->previous + (size_t)target->first[t] * d;
    if (t > 0) {
        memcpy(previous, acts->states + (size_t)target->first[t - 1] * d,
               (size_t)target->count[t] * d * sizeof *previous);
        return;
    }
    for (int r = 0; r < target->count[0]; r++)
        memcpy(previous + (size_t)r * d, acts->source.start + (size_t)acts->column[r] * d,
               d * sizeof *previous);
}

/* The gates that read the previous word begin with W_iy y, computed once for each different word. */
static void words_forward(struct decoder_acts *acts, const struct decoder *decoder, const real *params,
                          struct arena *arena)
{
    const struct gru *cell = decoder_word_cell(decoder);
    const int gates = 3 * cell->units, words = acts->words->count;
    const struct arena_mark mark = arena_mark(arena);
    real *products = ARENA_NEW(arena, (size_t)words * (size_t)gates, real);
    mat_nt(products, gates, acts->y, decoder->embedding, params + cell->weight_ih, cell->inputs, words, gates,
           decoder->embedding, false);
    distinct_spread(decoder->conditional ? acts->first.gates : acts->cell.gates, products, gates, acts->words,
                    false);
    arena_rewind(arena, mark);
}

void decoder_forward(struct decoder_acts *acts, const struct decoder_source *at, const int *column,
                     const struct distinct *words, const real *y, const struct decoder *decoder,
                     const struct decoder_weights *weights, const real *params, const struct packing *target,
                     const struct decoder_noise *noise, struct arena *arena)
{
    const struct gru *cell = &decoder->cell;
    const struct attention *attention = &decoder->attention;
    const int units = cell->units, width = decoder->init.inputs;
    const size_t d = (size_t)units, a = (size_t)attention->units, k = (size_t)width,
                 steps = (size_t)at->packing->steps;
    acts->source = *at;
    acts->column = column;
    acts->words = words;
    acts->y = y;
    acts_init(acts, decoder, target, noise, arena);
    words_forward(acts, decoder, params, arena);
    for (int t = 0; t < target->steps; t++) {
        const int count = target->count[t];
        const size_t row = (size_t)target->first[t];
        gather_previous(acts, d, target, t);
        const real *previous = acts->previous + row * d, *input = previous;
        if (acts->dropped) {
            dropout_rows(acts->dropped + row * d, previous, units, &noise->state, count, units, false);
            input = acts->dropped + row * d;
        }
        real *asking = acts->asking + row * d;
        if (decoder->conditional) {
            packed_product(acts->first.hidden + row * 3 * d, 3 * units, input, units, &weights->first, count,
                           false);
            gru_step_forward(asking, units, &acts->first, row, previous, units, &decoder->first, params,
                             count);
            input = asking;
        }
        real *query = acts->query + row * a, *alpha = acts->alpha + row * steps,
             *context = acts->context + row * k;
        packed_product(query, attention->units, asking, units, &weights->query, count, false);
        attention_weights(alpha, query, at->keys, column, attention, params, at->packing, count);
        attention_sum(context, alpha, at->annotations, width, column, at->packing, count);

        packed_product(acts->cell.gates + row * 3 * d, 3 * units, context, width, &weights->context, count,
                       !decoder->conditional);
        packed_product(acts->cell.hidden + row * 3 * d, 3 * units, input, units, &weights->hidden, count,
                       false);
        real *states = acts->states + row * d;
        gru_step_forward(states, units, &acts->cell, row, asking, units, cell, params, count);
        deep_forward(states, units, &acts->deep, row, &decoder->deep, &weights->deep, params, count);
    }
    acts->top = stack_forward(acts->states, &acts->stack, &decoder->stack, &weights->stack, params, target,
                              &noise->stack);
}

/* The gradients of the decoder's own weights, over all steps at once. */
static void weights_backward(real *dy, struct gradients *gradients, const real *dquery,
                             const struct decoder_acts *acts, const struct decoder *decoder,
                             const real *params, const struct packing *target, struct arena *arena)
{
    const struct gru *cell = &decoder->cell, *first = &decoder->first, *word = decoder_word_cell(decoder);
    const int units = cell->units, width = decoder->init.inputs, e = decoder->embedding;
    const int rows = target->rows, words = acts->words->count;
    const real *recurrent = acts->dropped ? acts->dropped : acts->previous;
    real *dproducts = ARENA_NEW(arena, (size_t)words * 3 * (size_t)units, real);
    gru_note_biases(gradients, &acts->cell, cell, rows);
    deep_note_weights(gradients, &acts->deep, &decoder->deep, rows);
    /* W_iy y */
    distinct_gather(dproducts, decoder->conditional ? acts->first.gates : acts->cell.gates, 3 * units,
                    acts->words);
    gradients_product(gradients, word->weight_ih, word->inputs, dproducts, 3 * units, acts->y, e, 3 * units,
                      e, words);
    mat_nn(dy, e, dproducts, 3 * units, params + word->weight_ih, word->inputs, words, e, 3 * units, true);
    /* W_ic c */
    gradients_product(gradients, cell->weight_ih + (size_t)(cell->inputs - width), cell->inputs,
                      acts->cell.gates, 3 * units, acts->context, width, 3 * units, width, rows);
    /* W_hh s */
    gradients_product(gradients, cell->weight_hh, units, acts->cell.hidden, 3 * units,
                      decoder->conditional ? acts->asking : recurrent, units, 3 * units, units, rows);
    if (decoder->conditional) {
        gru_note_biases(gradients, &acts->first, first, rows);
        gradients_product(gradients, first->weight_hh, units, acts->first.hidden, 3 * units, recurrent, units,
                          3 * units, units, rows);
    }
    /* query = W_a s */
    linear_backward(NULL, 0, gradients, dquery, acts->asking, units, &decoder->attention.query, params, rows);
}

/* hidden = W_hh dropout(s): adds to carry, the gradient of s. `masked` is room for it. */
static void recurrent_backward(real *carry, real *masked, const real *hidden, const struct packed *w_hh,
                               const struct dropout *state_dropout, int units, int count)
{
    const bool dropped = state_dropout->rate > 0;
    packed_product(dropped ? masked : carry, units, hidden, 3 * units, w_hh, count, !dropped);
    if (dropped)
        dropout_rows(carry, masked, units, state_dropout, count, units, true);
}

void decoder_backward(real *dy, real *dannotations, struct gradients *gradients, real *dstates,
                      real *dcontext, struct decoder_acts *acts, const struct decoder *decoder,
                      const struct decoder_weights *weights, const real *params, const struct packing *target,
                      const struct decoder_noise *noise, struct arena *arena)
{
    static const struct dropout none = {0, 0};
    const struct gru *cell = &decoder->cell;
    const struct attention *attention = &decoder->attention;
    const struct packing *source = acts->source.packing;
    const int units = cell->units, width = decoder->init.inputs;
    const size_t d = (size_t)units, a = (size_t)attention->units, k = (size_t)width,
                 steps = (size_t)source->steps;
    const size_t sents = (size_t)target->sents;
    real *carry = ARENA_ZERO(arena, sents * d, real); /* the gradient that travels from step to step */
    real *masked = ARENA_NEW(arena, sents * d, real);
    real *dalpha = ARENA_NEW(arena, sents * steps, real);
    real *dquery = ARENA_NEW(arena, (size_t)target->rows * a, real);
    real *dkeys = ARENA_ZERO(arena, (size_t)source->rows * a, real);
    real *dscore = ARENA_ZERO(arena, a, real);
    stack_backward(dstates, gradients, &acts->stack, &decoder->stack, &weights->stack, params, target,
                   &noise->stack, arena);
    for (int t = target->steps - 1; t >= 0; t--) {
        const int count = target->count[t];
        const size_t row = (size_t)target->first[t];
        vec_add(carry, dstates + row * d, (size_t)count * d);
        deep_backward(carry, &acts->deep, row, &decoder->deep, &weights->deep, params, count);
        gru_step_backward(carry, &acts->cell, row, acts->asking + row * d, cell, params, count);
        recurrent_backward(carry, masked, acts->cell.hidden + row * 3 * d, &weights->hidden,
                           decoder->conditional ? &none : &noise->state, units, count);
        /* gates += W_ic c */
        real *dc = dcontext + row * k;
        packed_product(dc, width, acts->cell.gates + row * 3 * d, 3 * units, &weights->context, count, true);
        /* c = Σ α h, α = softmax(vᵀ tanh(query + keys)) */
        const real *alpha = acts->alpha + row * steps;
        attention_sum_backward(dalpha, dc, acts->source.annotations, width, acts->column, source, count);
        attention_weights_backward(dquery + row * a, dkeys, dscore, dalpha, alpha, acts->query + row * a,
                                   acts->source.keys, acts->column, attention, params, source, count);
        /* query = W_a asking */
        packed_product(carry, units, dquery + row * a, attention->units, &weights->query, count, true);
        if (decoder->conditional) { /* asking = first(y, previous) */
            gru_step_backward(carry, &acts->first, row, acts->previous + row * d, &decoder->first, params,
                              count);
            recurrent_backward(carry, masked, acts->first.hidden + row * 3 * d, &weights->first,
                               &noise->state, units, count);
        }
    }
    attention_values_backward(dannotations, dcontext, acts->alpha, width, acts->column, source, target);
    gradients_sum(gradients, attention->score, dscore, attention->units, 1);
    weights_backward(dy, gradients, dquery, acts, decoder, params, target, arena);
    real *dstart = ARENA_ZERO(arena, sents * d, real);
    for (size_t r = 0; r < sents; r++) /* previous = start[column] */
        vec_add(dstart + (size_t)acts->column[r] * d, carry + r * d, d);
    source_backward(dannotations, gradients, dstart, dkeys, &acts->source, decoder, params, arena);
}
