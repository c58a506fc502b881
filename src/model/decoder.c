#include "decoder.h"

#include "choices.h"
#include "vecmath.h"

#include <string.h>

static const struct feed feed_input = {.context_cell_reads = READS_WORD | READS_CONTEXT};
static const struct feed feed_replace = {.context_cell_reads = READS_CONTEXT};
static const struct feed feed_conditional = {.query_cell_reads = READS_WORD,
                                             .context_cell_reads = READS_CONTEXT};
static const struct feed feed_output = {.query_cell_reads = READS_WORD};

#define ENTRY(constant, name) [constant] = &feed_##name,
const struct feed *const feed_kinds[] = {FEEDS(ENTRY)};

bool decoder_has_query_cell(const struct decoder *decoder)
{
    return decoder->feed->query_cell_reads != 0;
}

bool decoder_has_context_cell(const struct decoder *decoder)
{
    return decoder->feed->context_cell_reads != 0;
}

bool decoder_reads_words_alone(const struct decoder *decoder)
{
    return decoder->feed->query_cell_reads == READS_WORD && !decoder->input_feeding;
}

const struct cell *decoder_first_cell(const struct decoder *decoder)
{
    return decoder_has_query_cell(decoder) ? &decoder->query_cell : &decoder->context_cell;
}

const struct cell *decoder_last_cell(const struct decoder *decoder)
{
    return decoder_has_context_cell(decoder) ? &decoder->context_cell : &decoder->query_cell;
}

const struct cell *decoder_word_cell(const struct decoder *decoder)
{
    return ((decoder->feed->query_cell_reads | decoder->feed->context_cell_reads) & READS_WORD)
               ? decoder_first_cell(decoder)
               : NULL;
}

/* What a cell reads is as wide as this. */
static size_t inputs_of(const struct decoder *decoder, int reads)
{
    return (reads & READS_WORD ? decoder->embedding : 0) + (reads & READS_CONTEXT ? decoder->context : 0);
}

void decoder_declare(struct decoder *decoder, struct layout *layout, const struct annotations *annotations,
                     const struct decoder_choice *choice)
{
    const size_t summary = choice->summary->width(annotations);
    const bool attends = choice->attention.score->forward != NULL;
    decoder->gates = choice->cell.gates;
    decoder->feed = choice->feed;
    decoder->summary = choice->summary;
    decoder->annotations = *annotations;
    decoder->units = choice->cell.units;
    decoder->embedding = choice->embedding;
    decoder->context = attends ? annotations->width : summary;
    decoder->input_feeding = choice->input_feeding;
    if (summary)
        linear_declare(&decoder->init, layout, "decoder.init", summary, choice->cell.units, true);
    attention_declare(&decoder->attention, layout, "attention", choice->cell.units, decoder->context,
                      &choice->attention);
    if (decoder_has_query_cell(decoder))
        cell_declare(&decoder->query_cell, layout,
                     decoder_has_context_cell(decoder) ? "decoder.first" : "decoder.cell", &choice->cell,
                     inputs_of(decoder, decoder->feed->query_cell_reads) +
                         (choice->input_feeding ? choice->embedding : 0));
    if (decoder_has_context_cell(decoder))
        cell_declare(&decoder->context_cell, layout, "decoder.cell", &choice->cell,
                     inputs_of(decoder, decoder->feed->context_cell_reads));
    deep_declare(&decoder->deep, layout, "decoder.cell", &choice->cell, choice->transitions);
    stack_declare(&decoder->stack, layout, "decoder", &choice->cell, 0, choice->layers, choice->transitions);
}

/* ---- weights ---- */

/* W_ic: the last columns of the context cell's W_ih. */
static const real *context_weight(const struct decoder *decoder, const real *params)
{
    return params + decoder->context_cell.weight_ih + decoder->context_cell.inputs - decoder->context;
}

/* W_it, with input feeding: the columns of the query cell's W_ih behind the word's. */
static const real *fed_weight(const struct decoder *decoder, const real *params)
{
    return params + decoder->query_cell.weight_ih + decoder->embedding;
}

void decoder_prepack(struct decoder_weights *weights, const struct decoder *decoder,
                     const struct readout *readout, const real *params, struct prepack_list *list)
{
    const struct cell *word = decoder_word_cell(decoder), *query_cell = &decoder->query_cell,
                      *context_cell = &decoder->context_cell;
    const size_t e = decoder->embedding;
    if (word && list->direction == FORWARD)
        prepack(&weights->word, const_mat_ld(params + word->weight_ih, cell_width(word), e, word->inputs),
                list);
    if (decoder_has_query_cell(decoder))
        cell_prepack(&weights->query_cell, query_cell, params, list);
    if (decoder->input_feeding) {
        prepack(&weights->fed,
                const_mat_ld(fed_weight(decoder, params), cell_width(query_cell), e, query_cell->inputs),
                list);
        readout_prepack(&weights->readout, readout, params, list);
    }
    attention_prepack(&weights->attention, &decoder->attention, params, list);
    if (decoder_has_context_cell(decoder)) {
        prepack(&weights->context,
                const_mat_ld(context_weight(decoder, params), cell_width(context_cell), decoder->context,
                             context_cell->inputs),
                list);
        cell_prepack(&weights->context_cell, context_cell, params, list);
    }
    deep_prepack(&weights->deep, &decoder->deep, params, list);
    stack_prepack(&weights->stack, &decoder->stack, params, list);
}

const struct cell_weights *decoder_word_weights(const struct decoder_weights *weights,
                                                const struct decoder *decoder)
{
    return decoder_has_query_cell(decoder) ? &weights->query_cell : &weights->context_cell;
}

/* ---- forward ---- */

static size_t alpha_width(const struct decoder_source *at, const struct decoder *decoder)
{
    return decoder->attention.choice.heads * at->positions.seq->steps;
}

static struct cell_acts *first_acts(struct decoder_acts *acts, const struct decoder *decoder)
{
    return decoder_has_query_cell(decoder) ? &acts->query_cell : &acts->context_cell;
}

static void acts_init(struct decoder_acts *acts, const struct decoder *decoder,
                      const struct packed_seq *target, const struct decoder_options *options,
                      struct arena *arena)
{
    const size_t n = target->rows, d = decoder->units;
    const bool has_query_cell = decoder_has_query_cell(decoder);
    const struct cell_dims dims = {.rows = n, .step_rows = target->sents};
    const struct cell_dims query_dims = {.rows = n,
                                         .step_rows = target->sents,
                                         .words =
                                             decoder_reads_words_alone(decoder) ? acts->words->count : 0};
    acts->states = ARENA_NEW(arena, n * d, real);
    acts->c = decoder->gates->has_c ? ARENA_NEW(arena, n * d, real) : NULL;
    acts->asking = acts->states;
    if (has_query_cell)
        cell_acts_init(&acts->query_cell, &decoder->query_cell, &query_dims, &options->state, arena);
    if (decoder_has_context_cell(decoder)) {
        cell_acts_init(&acts->context_cell, &decoder->context_cell, &dims,
                       has_query_cell ? NULL : &options->state, arena);
        acts->asking = acts->context_cell.prev.h.data;
    }
    attention_acts_init(&acts->attention, &decoder->attention, n, acts->source->positions.seq,
                        &options->attention, arena);
    acts->attention.alpha = ARENA_NEW(arena, n * alpha_width(acts->source, decoder), real);
    acts->context = ARENA_NEW(arena, n * decoder->context, real);
    deep_acts_init(&acts->deep, &decoder->deep, &dims, arena);
    stack_acts_init(&acts->stack, &decoder->stack, target, &options->stack, arena);
    acts->readout = decoder->input_feeding ? ARENA_NEW(arena, n * decoder->embedding, real) : NULL;
}

/* Rows from `row` on of h or c, if there is one. */
static real *rows_of(real *states, size_t row, size_t units)
{
    return states ? states + row * units : NULL;
}

/* The states before step t: those of step t - 1, or s_0, and c = 0. */
static void begin_step(struct decoder_acts *acts, const struct decoder *decoder,
                       const struct packed_seq *target, size_t t)
{
    struct cell_acts *cell = first_acts(acts, decoder);
    const size_t d = decoder->units, row = target->first[t], size = target->count[t] * d * sizeof(real);
    real *h_prev = rows_of(cell->prev.h.data, row, d), *c_prev = rows_of(cell->prev.c.data, row, d);
    if (t > 0) {
        const size_t then = target->first[t - 1] * d;
        memcpy(h_prev, acts->states + then, size);
        if (c_prev)
            memcpy(c_prev, acts->c + then, size);
        return;
    }
    for (size_t r = 0; r < target->count[0]; r++)
        memcpy(h_prev + r * d, acts->source->start + acts->source_rank[r] * d, d * sizeof *h_prev);
    if (c_prev)
        memset(c_prev, 0, size);
}

/* Where the states of a step go: the query cell's are what the context cell starts from. */
static struct cell_state states_of(struct decoder_acts *acts, const struct decoder *decoder,
                                   struct cell_rows rows, bool last)
{
    const size_t units = decoder->units;
    if (!last)
        return cell_state_rows(&acts->context_cell.prev, rows.first, rows.count);
    struct cell_state states = {.h = mat_of(rows_of(acts->states, rows.first, units), rows.count, units)};
    if (acts->c)
        states.c = mat_of(rows_of(acts->c, rows.first, units), rows.count, units);
    return states;
}

/* products += W_it t_{i-1} */
static void feed_readout(struct decoder_acts *acts, const struct decoder *decoder,
                         const struct decoder_weights *weights, const struct packed_seq *target, size_t t)
{
    const size_t gates = cell_width(&decoder->query_cell), e = decoder->embedding;
    if (t > 0)
        prepacked_product(mat_ld(rows_of(acts->query_cell.products.data, target->first[t], gates),
                                 target->count[t], weights->fed.n, gates),
                          const_mat_ld(rows_of(acts->readout, target->first[t - 1], e), target->count[t],
                                       weights->fed.k, e),
                          &weights->fed, true);
}

void decoder_forward(struct decoder_acts *acts, const struct decoder_source *at, const size_t *source_rank,
                     const struct unique *words, const real *y, const struct decoder *decoder,
                     const struct readout *readout, const struct decoder_weights *weights, const real *params,
                     const struct packed_seq *target, const struct decoder_options *options,
                     struct arena *arena)
{
    const struct attention *attention = &decoder->attention;
    const struct attention_values values = attention_context_values(&at->positions, attention);
    const struct cell *word = decoder_word_cell(decoder);
    const size_t units = decoder->units, gates = cell_width(decoder_last_cell(decoder));
    acts->source = at;
    acts->source_rank = source_rank;
    acts->words = words;
    acts->y = y;
    acts_init(acts, decoder, target, options, arena);
    if (word)
        cell_words_forward(first_acts(acts, decoder), words,
                           const_mat_of(y, words->count, decoder->embedding), &weights->word,
                           decoder_word_weights(weights, decoder), arena);
    for (size_t t = 0; t < target->steps; t++) {
        const size_t count = target->count[t];
        const size_t row = target->first[t];
        const struct cell_rows rows = {row, count, count};
        const struct cell_state state = states_of(acts, decoder, rows, true);
        begin_step(acts, decoder, target, t);
        if (decoder->input_feeding)
            feed_readout(acts, decoder, weights, target, t);
        if (decoder_has_query_cell(decoder)) {
            const struct cell_state next = states_of(acts, decoder, rows, !decoder_has_context_cell(decoder));
            cell_forward(&next, &acts->query_cell, rows, &weights->query_cell);
        }
        if (!decoder_has_context_cell(decoder))
            deep_forward(&state, &acts->deep, rows, &weights->deep);

        real *context = rows_of(acts->context, row, decoder->context);
        const struct attention_step step = {t, row, count, source_rank, &at->positions};
        if (t == 0)
            coverage_reset(&acts->attention, attention, &step);
        else
            coverage_advance(&acts->attention, attention, &step, target->first[t - 1]);
        attention_forward(&acts->attention, const_mat_of(rows_of(acts->asking, row, units), count, units),
                          &step, attention, &weights->attention);
        attention_sum(context, acts->attention.alpha + row * alpha_width(at, decoder), &values, &step);

        if (decoder_has_context_cell(decoder)) {
            prepacked_product(mat_ld(rows_of(acts->context_cell.products.data, row, gates), count,
                                     weights->context.n, gates),
                              const_mat_ld(context, count, weights->context.k, decoder->context),
                              &weights->context, decoder->feed->context_cell_reads & READS_WORD); /* W_ic c */
            cell_forward(&state, &acts->context_cell, rows, &weights->context_cell);
            deep_forward(&state, &acts->deep, rows, &weights->deep);
        }
        if (decoder->input_feeding)
            readout_step_forward(rows_of(acts->readout, row, decoder->embedding), state.h.data, context,
                                 readout, &weights->readout, params, count);
    }
    acts->top = stack_forward(mat_of(acts->states, target->rows, units), &acts->stack, &weights->stack).data;
}

/* ---- backward ---- */

/* The gradients of the decoder's own weights, over all steps at once. */
static void defer_weight_grads(real *dy, struct grad_terms *terms, const real *dt, struct decoder_acts *acts,
                               const struct decoder *decoder, const struct readout *readout,
                               const struct decoder_weights *weights, const struct packed_seq *target,
                               struct arena *arena)
{
    const struct cell *word = decoder_word_cell(decoder), *query_cell = &decoder->query_cell,
                      *context_cell = &decoder->context_cell;
    const size_t e = decoder->embedding, rows = target->rows, then = rows - target->count[0];
    if (word)
        cell_words_backward(mat_of(dy, acts->words->count, e), terms, first_acts(acts, decoder), acts->words,
                            const_mat_of(acts->y, acts->words->count, e),
                            decoder_word_weights(weights, decoder));
    if (decoder->input_feeding) {
        readout_defer_weight_grads(terms, dt, acts->states, acts->context, readout, rows);
        /* W_it t_{i-1} */
        real *fed = ARENA_NEW(arena, then * e, real);
        for (size_t t = 1; t < target->steps; t++)
            memcpy(rows_of(fed, (target->first[t] - target->count[0]), e),
                   rows_of(acts->readout, target->first[t - 1], e), target->count[t] * e * sizeof *fed);
        grad_terms_product(
            terms, query_cell->weight_ih + e, query_cell->inputs,
            const_mat_of(rows_of(acts->query_cell.products.data, target->count[0], cell_width(query_cell)),
                         then, cell_width(query_cell)),
            const_mat_of(fed, then, e));
    }
    if (decoder_has_query_cell(decoder))
        cell_defer_weight_grads(terms, &acts->query_cell, query_cell);
    if (decoder_has_context_cell(decoder)) {
        /* W_ic c */
        grad_terms_product(terms, context_cell->weight_ih + (context_cell->inputs - decoder->context),
                           context_cell->inputs,
                           const_mat_of(acts->context_cell.products.data, rows, cell_width(context_cell)),
                           const_mat_of(acts->context, rows, decoder->context));
        cell_defer_weight_grads(terms, &acts->context_cell, context_cell);
    }
    deep_defer_weight_grads(terms, &acts->deep, &decoder->deep);
    attention_defer_weight_grads(terms, &acts->attention, const_mat_of(acts->asking, rows, decoder->units),
                                 &decoder->attention);
}

void decoder_backward(real *dy, real *dannotations, struct grad_terms *terms, real *dstates, real *dcontext,
                      real *dt, struct decoder_acts *acts, const struct decoder *decoder,
                      const struct readout *readout, const struct decoder_weights *weights,
                      const real *params, const struct packed_seq *target, struct arena *arena)
{
    const struct attention *attention = &decoder->attention;
    const struct attention_source *positions = &acts->source->positions;
    const struct attention_values values = attention_context_values(positions, attention);
    const size_t units = decoder->units, gates = cell_width(decoder_last_cell(decoder)),
                 e = decoder->embedding;
    const size_t d = units, sents = target->sents;
    /* the gradients that travel from step to step */
    const struct cell_state carried = {mat_zero(arena, sents, units),
                                       acts->c ? mat_zero(arena, sents, units) : (struct mat){0}};
    real *carry = carried.h.data;
    attention_acts_init_backward(&acts->attention, attention, target->rows, target->sents, positions->seq,
                                 arena);
    stack_backward(mat_of(dstates, target->rows, units), terms, &acts->stack, &weights->stack);
    for (size_t t = target->steps; t-- > 0;) {
        const size_t count = target->count[t];
        const size_t row = target->first[t];
        const struct cell_rows rows = {row, count, count};
        const struct cell_state dstate = cell_state_rows(&carried, 0, count);
        real *dc = rows_of(dcontext, row, decoder->context);
        vec_add(carry, dstates + row * d, count * d);
        if (decoder->input_feeding)
            readout_step_backward(carry, dc, rows_of(dt, row, e), rows_of(acts->readout, row, e), readout,
                                  &weights->readout, count);
        if (decoder_has_context_cell(decoder)) {
            deep_backward(&dstate, &acts->deep, rows, &weights->deep);
            cell_backward(&dstate, &acts->context_cell, rows, &weights->context_cell);
            prepacked_product(mat_ld(dc, count, weights->context.n, decoder->context),
                              const_mat_ld(rows_of(acts->context_cell.products.data, row, gates), count,
                                           weights->context.k, gates),
                              &weights->context, true); /* products += W_ic c */
        }
        const struct attention_step step = {t, row, count, acts->source_rank, positions};
        attention_sum_backward(acts->attention.dalpha, dc, &values, &step);
        attention_backward(mat_of(carry, count, units), &acts->attention, &step, attention,
                           &weights->attention);
        if (!decoder_has_context_cell(decoder))
            deep_backward(&dstate, &acts->deep, rows, &weights->deep);
        if (decoder_has_query_cell(decoder))
            cell_backward(&dstate, &acts->query_cell, rows, &weights->query_cell);
        if (decoder->input_feeding && t > 0) /* products += W_it t_{i-1} */
            prepacked_product(
                mat_ld(rows_of(dt, target->first[t - 1], e), count, weights->fed.n, e),
                const_mat_ld(rows_of(acts->query_cell.products.data, row, cell_width(&decoder->query_cell)),
                             count, weights->fed.k, cell_width(&decoder->query_cell)),
                &weights->fed, true);
    }
    defer_weight_grads(dy, terms, dt, acts, decoder, readout, weights, target, arena);
    real *dstart = ARENA_ZERO(arena, sents * d, real);
    for (size_t r = 0; r < sents; r++) /* s_0 = start[column] */
        vec_add(dstart + acts->source_rank[r] * d, carry + r * d, d);
    decoder_source_backward(dannotations, terms, dstart, dcontext, &acts->attention, acts->source_rank,
                            acts->source, decoder, params, target, arena);
}
