#include "decoder.h"

#include "vecmath.h"

#include <string.h>

void decoder_declare(struct decoder *decoder, struct layout *layout, const struct gates *gates, int embedding,
                     int annotation_width, int units, int attention_units, bool conditional, int layers,
                     int transitions, bool normalized)
{
    decoder->conditional = conditional;
    decoder->embedding = embedding;
    linear_declare(&decoder->init, layout, "decoder.init", annotation_width, units, true);
    attention_declare(&decoder->attention, layout, "attention", units, annotation_width, attention_units);
    if (conditional)
        cell_declare(&decoder->first, layout, "decoder.first", gates, embedding, units, normalized);
    cell_declare(&decoder->cell, layout, "decoder.cell", gates,
                 annotation_width + (conditional ? 0 : embedding), units, normalized);
    deep_declare(&decoder->deep, layout, "decoder.cell", gates, units, transitions, normalized);
    stack_declare(&decoder->stack, layout, "decoder", gates, 0, units, layers, transitions, normalized);
}

const struct cell *decoder_word_cell(const struct decoder *decoder)
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

/* The columns of the cell's W_ih that read the context. */
static const real *context_weight(const struct decoder *decoder, const real *params)
{
    return params + decoder->cell.weight_ih + decoder->cell.inputs - decoder->init.inputs;
}

void decoder_pack(struct decoder_weights *weights, const struct decoder *decoder, const real *params,
                  struct packs *packs)
{
    const struct cell *cell = &decoder->cell, *word = decoder_word_cell(decoder);
    packed_init_nt(&weights->word, params + word->weight_ih, word->inputs, cell_width(word),
                   decoder->embedding, packs);
    packed_init_nt(&weights->context, context_weight(decoder, params), cell->inputs, cell_width(cell),
                   decoder->init.inputs, packs);
    linear_pack(&weights->query, &decoder->attention.query, params, packs);
    if (decoder->conditional)
        cell_pack(&weights->first, &decoder->first, params, packs);
    cell_pack(&weights->cell, cell, params, packs);
    deep_pack(&weights->deep, &decoder->deep, params, packs);
    stack_pack(&weights->stack, &decoder->stack, params, packs);
}

void decoder_pack_backward(struct decoder_weights *weights, const struct decoder *decoder, const real *params,
                           struct packs *packs)
{
    const struct cell *cell = &decoder->cell;
    const int units = cell->units;
    packed_init_nn(&weights->context, context_weight(decoder, params), cell->inputs, decoder->init.inputs,
                   cell_width(cell), packs);
    packed_init_nn(&weights->query, params + decoder->attention.query.weight, units, units,
                   decoder->attention.units, packs);
    if (decoder->conditional)
        cell_pack_backward(&weights->first, &decoder->first, params, packs);
    cell_pack_backward(&weights->cell, cell, params, packs);
    deep_pack_backward(&weights->deep, &decoder->deep, params, packs);
    stack_pack_backward(&weights->stack, &decoder->stack, params, packs);
}

static struct cell_acts *word_acts(struct decoder_acts *acts, const struct decoder *decoder)
{
    return decoder->conditional ? &acts->first : &acts->cell;
}

static void acts_init(struct decoder_acts *acts, const struct decoder *decoder, const struct packing *target,
                      const struct decoder_noise *noise, struct arena *arena)
{
    const size_t n = (size_t)target->rows, d = (size_t)decoder->cell.units;
    const struct cell_room words = {.rows = n,
                                    .most = target->sents,
                                    .words = decoder->conditional ? acts->words->count : 0,
                                    .state_dropout = &noise->state};
    const struct cell_room contexts = {.rows = n, .most = target->sents};
    if (decoder->conditional)
        cell_acts_init(&acts->first, &decoder->first, &words, arena);
    cell_acts_init(&acts->cell, &decoder->cell, decoder->conditional ? &contexts : &words, arena);
    acts->query = ARENA_NEW(arena, n * (size_t)decoder->attention.units, real);
    acts->alpha = ARENA_NEW(arena, n * (size_t)acts->source.packing->steps, real);
    acts->context = ARENA_NEW(arena, n * (size_t)decoder->init.inputs, real);
    deep_acts_init(&acts->deep, &decoder->deep, n, target->sents, arena);
    acts->states = ARENA_NEW(arena, n * d, real);
    acts->memory = decoder->cell.gates->memory ? ARENA_NEW(arena, n * d, real) : NULL;
    stack_acts_init(&acts->stack, &decoder->stack, target, &noise->stack, arena);
}

/* Rows `at` of a state's h or memory, or none. */
static real *rows_of(real *states, size_t row, size_t d)
{
    return states ? states + row * d : NULL;
}

/* The states before step t: those of step t - 1, or s_0, with an empty memory. */
static void begin_step(struct cell_acts *cell, struct decoder_acts *acts, size_t d,
                       const struct packing *target, int t)
{
    const size_t row = (size_t)target->first[t], size = (size_t)target->count[t] * d * sizeof(real);
    real *before = cell->before + row * d, *memory_before = rows_of(cell->memory_before, row, d);
    if (t > 0) {
        const size_t then = (size_t)target->first[t - 1] * d;
        memcpy(before, acts->states + then, size);
        if (memory_before)
            memcpy(memory_before, acts->memory + then, size);
        return;
    }
    for (int r = 0; r < target->count[0]; r++)
        memcpy(before + (size_t)r * d, acts->source.start + (size_t)acts->column[r] * d, d * sizeof *before);
    if (memory_before)
        memset(memory_before, 0, size);
}

void decoder_forward(struct decoder_acts *acts, const struct decoder_source *at, const int *column,
                     const struct distinct *words, const real *y, const struct decoder *decoder,
                     const struct decoder_weights *weights, const real *params, const struct packing *target,
                     const struct decoder_noise *noise, struct arena *arena)
{
    const struct cell *cell = &decoder->cell;
    const struct attention *attention = &decoder->attention;
    const int units = cell->units, width = decoder->init.inputs, gates = cell_width(cell);
    const size_t d = (size_t)units, a = (size_t)attention->units, k = (size_t)width,
                 steps = (size_t)at->packing->steps;
    acts->source = *at;
    acts->column = column;
    acts->words = words;
    acts->y = y;
    acts_init(acts, decoder, target, noise, arena);
    struct cell_acts *first = &acts->first, *second = &acts->cell, *word = word_acts(acts, decoder);
    cell_words_forward(word, words, y, &weights->word, decoder_word_cell(decoder), params, arena);
    for (int t = 0; t < target->steps; t++) {
        const int count = target->count[t];
        const size_t row = (size_t)target->first[t];
        begin_step(word, acts, d, target, t);
        const real *asking = second->before + row * d;
        if (decoder->conditional) {
            const struct cell_state next = {second->before + row * d, units,
                                            rows_of(second->memory_before, row, d), units};
            cell_forward(&next, first, row, &decoder->first, &weights->first, params, count, count);
        }
        real *query = acts->query + row * a, *alpha = acts->alpha + row * steps,
             *context = acts->context + row * k;
        packed_product(query, attention->units, asking, units, &weights->query, count, false);
        attention_weights(alpha, query, at->keys, column, attention, params, at->packing, count);
        attention_sum(context, alpha, at->annotations, width, column, at->packing, count);

        packed_product(second->products + row * (size_t)gates, gates, context, width, &weights->context,
                       count, !decoder->conditional); /* W_ic c */
        const struct cell_state state = {acts->states + row * d, units, rows_of(acts->memory, row, d), units};
        cell_forward(&state, second, row, cell, &weights->cell, params, count, count);
        deep_forward(&state, &acts->deep, row, &decoder->deep, &weights->deep, params, count);
    }
    acts->top = stack_forward(acts->states, &acts->stack, &decoder->stack, &weights->stack, params, target,
                              &noise->stack);
}

/* The gradients of the decoder's own weights, over all steps at once. */
static void weights_backward(real *dy, struct gradients *gradients, const real *dquery,
                             struct decoder_acts *acts, const struct decoder *decoder, const real *params,
                             const struct packing *target, struct arena *arena)
{
    const struct cell *cell = &decoder->cell;
    const int width = decoder->init.inputs, gates = cell_width(cell), rows = target->rows;
    cell_words_backward(dy, gradients, word_acts(acts, decoder), acts->words, acts->y, decoder->embedding,
                        decoder_word_cell(decoder), params, arena);
    /* W_ic c */
    gradients_product(gradients, cell->weight_ih + (size_t)(cell->inputs - width), cell->inputs,
                      acts->cell.products, gates, acts->context, width, gates, width, rows);
    if (decoder->conditional)
        cell_note_weights(gradients, &acts->first, &decoder->first, rows);
    cell_note_weights(gradients, &acts->cell, cell, rows);
    deep_note_weights(gradients, &acts->deep, &decoder->deep, rows);
    /* query = W_a s */
    linear_backward(NULL, 0, gradients, dquery, acts->cell.before, cell->units, &decoder->attention.query,
                    params, rows);
}

void decoder_backward(real *dy, real *dannotations, struct gradients *gradients, real *dstates,
                      real *dcontext, struct decoder_acts *acts, const struct decoder *decoder,
                      const struct decoder_weights *weights, const real *params, const struct packing *target,
                      const struct decoder_noise *noise, struct arena *arena)
{
    const struct cell *cell = &decoder->cell;
    const struct attention *attention = &decoder->attention;
    const struct packing *source = acts->source.packing;
    const int units = cell->units, width = decoder->init.inputs, gates = cell_width(cell);
    const size_t d = (size_t)units, a = (size_t)attention->units, k = (size_t)width,
                 steps = (size_t)source->steps;
    const size_t sents = (size_t)target->sents;
    real *carry = ARENA_ZERO(arena, sents * d, real); /* the gradients that travel from step to step */
    real *memory_carry = acts->memory ? ARENA_ZERO(arena, sents * d, real) : NULL;
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
        deep_backward(carry, memory_carry, &acts->deep, row, &decoder->deep, &weights->deep, params, count);
        cell_backward(carry, memory_carry, &acts->cell, row, cell, &weights->cell, params, count, count);
        /* products += W_ic c */
        real *dc = dcontext + row * k;
        packed_product(dc, width, acts->cell.products + row * (size_t)gates, gates, &weights->context, count,
                       true);
        /* c = Σ α h, α = softmax(vᵀ tanh(query + keys)) */
        const real *alpha = acts->alpha + row * steps;
        attention_sum_backward(dalpha, dc, acts->source.annotations, width, acts->column, source, count);
        attention_weights_backward(dquery + row * a, dkeys, dscore, dalpha, alpha, acts->query + row * a,
                                   acts->source.keys, acts->column, attention, params, source, count);
        /* query = W_a asking */
        packed_product(carry, units, dquery + row * a, attention->units, &weights->query, count, true);
        if (decoder->conditional) /* asking = first(y, previous) */
            cell_backward(carry, memory_carry, &acts->first, row, &decoder->first, &weights->first, params,
                          count, count);
    }
    attention_values_backward(dannotations, dcontext, acts->alpha, width, acts->column, source, target);
    gradients_sum(gradients, attention->score, dscore, attention->units, 1);
    weights_backward(dy, gradients, dquery, acts, decoder, params, target, arena);
    real *dstart = ARENA_ZERO(arena, sents * d, real);
    for (size_t r = 0; r < sents; r++) /* previous = start[column] */
        vec_add(dstart + (size_t)acts->column[r] * d, carry + r * d, d);
    source_backward(dannotations, gradients, dstart, dkeys, &acts->source, decoder, params, arena);
}
