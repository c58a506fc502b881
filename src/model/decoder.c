/* The decoder of a training pass: all steps under teacher forcing, and back. What it makes of the source
 * before the first step is in decoder_source.c; single steps, for translation, are stepper.c's. */
#include "decoder.h"

#include "choices.h"
#include "vecmath.h"

#include <assert.h>
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
    weights->params = params;
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

/* ---- what a pass keeps ---- */

static size_t alpha_width(const struct decoder_pass *pass)
{
    return pass->decoder->attention.choice.heads * pass->source->positions.seq->steps;
}

static struct cell_acts *first_acts(struct decoder_acts *acts, const struct decoder *decoder)
{
    return decoder_has_query_cell(decoder) ? &acts->query_cell : &acts->context_cell;
}

static void cells_init(struct decoder_acts *acts, const struct decoder_pass *pass, struct arena *arena)
{
    const struct decoder *decoder = pass->decoder;
    const struct cell_dims dims = {.rows = pass->target->rows, .step_rows = pass->target->sents};
    struct cell_dims query_dims = dims;
    const struct dropout *state = &pass->options->state;
    if (decoder_reads_words_alone(decoder))
        query_dims.words = pass->words->count;
    acts->query_states = acts->states;
    if (decoder_has_query_cell(decoder))
        cell_acts_init(&acts->query_cell, &decoder->query_cell, &query_dims, state, arena);
    if (decoder_has_context_cell(decoder)) {
        cell_acts_init(&acts->context_cell, &decoder->context_cell, &dims,
                       decoder_has_query_cell(decoder) ? NULL : state, arena);
        acts->query_states = acts->context_cell.prev.h.data;
    }
    deep_acts_init(&acts->deep, &decoder->deep, &dims, arena);
}

static void acts_init(struct decoder_acts *acts, const struct decoder_pass *pass, struct arena *arena)
{
    const struct decoder *decoder = pass->decoder;
    const size_t n = pass->target->rows, d = decoder->units;
    acts->states = ARENA_NEW(arena, n * d, real);
    acts->c = decoder->gates->has_c ? ARENA_NEW(arena, n * d, real) : NULL;
    cells_init(acts, pass, arena);
    attention_acts_init(&acts->attention, &decoder->attention, n, pass->source->positions.seq,
                        &pass->options->attention, arena);
    acts->attention.alpha = ARENA_NEW(arena, n * alpha_width(pass), real);
    acts->context = ARENA_NEW(arena, n * decoder->context, real);
    stack_acts_init(&acts->stack, &decoder->stack, pass->target, &pass->options->stack, arena);
    acts->readout = decoder->input_feeding ? ARENA_NEW(arena, n * decoder->embedding, real) : NULL;
}

/* Step t of the pass. */
static struct attention_step step_of(const struct decoder_pass *pass, size_t t)
{
    return (struct attention_step){t, pass->target->first[t], pass->target->count[t], pass->source_rank,
                                   &pass->source->positions};
}

static struct cell_rows cell_rows_of(const struct attention_step *step)
{
    return (struct cell_rows){step->row, step->rows, step->rows};
}

/* The rows of a step in a table of all rows. */
static struct mat step_rows(real *rows, size_t width, const struct attention_step *step)
{
    return mat_of(rows + step->row * width, step->rows, width);
}

/* ---- forward ---- */

/* The states of all rows. */
static struct cell_state all_states(const struct decoder_acts *acts, const struct decoder_pass *pass)
{
    const size_t rows = pass->target->rows, units = pass->decoder->units;
    return (struct cell_state){mat_of(acts->states, rows, units),
                               acts->c ? mat_of(acts->c, rows, units) : (struct mat){0}};
}

/* The states before a step: s_{i-1}, at first s_0, and c = 0. */
static void previous_states(struct decoder_acts *acts, const struct decoder_pass *pass,
                            const struct attention_step *step)
{
    const struct cell_state prev = cell_state_rows(&first_acts(acts, pass->decoder)->prev, step->row,
                                                   step->rows),
                            all = all_states(acts, pass);
    if (step->step > 0) {
        const struct cell_state last = cell_state_rows(&all, pass->target->first[step->step - 1], step->rows);
        mat_copy(prev.h, mat_const(last.h));
        if (prev.c.data)
            mat_copy(prev.c, mat_const(last.c));
        return;
    }
    for (size_t r = 0; r < step->rows; r++)
        memcpy(mat_row(prev.h, r), pass->source->start + step->source_rank[r] * prev.h.cols,
               prev.h.cols * sizeof(real));
    if (prev.c.data)
        mat_clear(prev.c);
}

/* With input feeding: products += W_it t_{i-1} */
static void feed_readout(struct decoder_acts *acts, const struct decoder_pass *pass,
                         const struct decoder_weights *weights, const struct attention_step *step)
{
    const size_t e = pass->decoder->embedding;
    if (step->step == 0)
        return; /* t_0 = 0 */
    const real *t_prev = acts->readout + pass->target->first[step->step - 1] * e;
    prepacked_product(mat_rows(acts->query_cell.products, step->row, step->rows),
                      const_mat_of(t_prev, step->rows, e), &weights->fed, true);
}

/* s'_i = cell'(y_{i-1}, s_{i-1}), from which the context cell starts; s_i where there is none. */
static void query_cell_forward(struct decoder_acts *acts, const struct decoder_pass *pass,
                               const struct decoder_weights *weights, const struct attention_step *step)
{
    const bool last = !decoder_has_context_cell(pass->decoder);
    const struct cell_state all = last ? all_states(acts, pass) : acts->context_cell.prev,
                            next = cell_state_rows(&all, step->row, step->rows);
    if (pass->decoder->input_feeding)
        feed_readout(acts, pass, weights, step);
    cell_forward(&next, &acts->query_cell, cell_rows_of(step), &weights->query_cell);
    if (last)
        deep_forward(&next, &acts->deep, cell_rows_of(step), &weights->deep);
}

/* c_i = Σ_j α_ij h_j */
static void context_forward(struct decoder_acts *acts, const struct decoder_pass *pass,
                            const struct decoder_weights *weights, const struct attention_step *step)
{
    const struct attention *attention = &pass->decoder->attention;
    const struct attention_values values = attention_context_values(step->source, attention);
    const struct mat query_states = step_rows(acts->query_states, pass->decoder->units, step);
    if (step->step == 0)
        coverage_reset(&acts->attention, attention, step);
    else
        coverage_advance(&acts->attention, attention, step, pass->target->first[step->step - 1]);
    attention_forward(&acts->attention, mat_const(query_states), step, attention,
                      &weights->attention); /* α_ij */
    attention_sum(acts->context + step->row * pass->decoder->context,
                  acts->attention.alpha + step->row * alpha_width(pass), &values, step);
}

/* s_i = cell(c_i, s'_i), or cell([y_{i-1} ; c_i], s_{i-1}) where it is the only one. */
static void context_cell_forward(struct decoder_acts *acts, const struct decoder_pass *pass,
                                 const struct decoder_weights *weights, const struct attention_step *step)
{
    const struct decoder *decoder = pass->decoder;
    const struct mat context = step_rows(acts->context, decoder->context, step);
    const struct cell_state all = all_states(acts, pass), next = cell_state_rows(&all, step->row, step->rows);
    prepacked_product(mat_rows(acts->context_cell.products, step->row, step->rows), mat_const(context),
                      &weights->context, decoder->feed->context_cell_reads & READS_WORD); /* W_ic c_i */
    cell_forward(&next, &acts->context_cell, cell_rows_of(step), &weights->context_cell);
    deep_forward(&next, &acts->deep, cell_rows_of(step), &weights->deep);
}

/* With input feeding: t_i, of s_i and c_i. */
static void feedback_forward(struct decoder_acts *acts, const struct decoder_pass *pass,
                             const struct decoder_weights *weights, const struct attention_step *step)
{
    const struct decoder *decoder = pass->decoder;
    const struct readout_inputs inputs = {.state = mat_const(step_rows(acts->states, decoder->units, step)),
                                          .context =
                                              mat_const(step_rows(acts->context, decoder->context, step))};
    readout_step_forward(step_rows(acts->readout, decoder->embedding, step), &inputs, &weights->readout);
}

void decoder_forward(struct decoder_acts *acts, const struct decoder_pass *pass,
                     const struct decoder_weights *weights, struct arena *arena)
{
    const struct decoder *decoder = pass->decoder;
    assert(pass->source->seq->sents == pass->target->sents && pass->words->rows == pass->target->rows);
    acts_init(acts, pass, arena);
    if (decoder_word_cell(decoder)) /* products = W_iy y_{i-1}, of all steps */
        cell_words_forward(first_acts(acts, decoder), pass->words,
                           const_mat_of(pass->y, pass->words->count, decoder->embedding), &weights->word,
                           decoder_word_weights(weights, decoder), arena);
    for (size_t t = 0; t < pass->target->steps; t++) {
        const struct attention_step step = step_of(pass, t);
        previous_states(acts, pass, &step); /* s_{i-1} */
        if (decoder_has_query_cell(decoder))
            query_cell_forward(acts, pass, weights, &step); /* s'_i */
        context_forward(acts, pass, weights, &step);        /* c_i */
        if (decoder_has_context_cell(decoder))
            context_cell_forward(acts, pass, weights, &step); /* s_i */
        if (decoder->input_feeding)
            feedback_forward(acts, pass, weights, &step); /* t_i */
    }
    acts->top = stack_forward(all_states(acts, pass).h, &acts->stack, &weights->stack).data;
}

/* ---- backward: the gradients ds of a step's states become those of the states before it ---- */

static void feedback_backward(const struct cell_state *ds, const struct decoder_grads *grads,
                              const struct decoder_acts *acts, const struct decoder_pass *pass,
                              const struct decoder_weights *weights, const struct attention_step *step)
{
    const size_t e = pass->decoder->embedding;
    const struct readout_grads inputs = {.state = ds->h,
                                         .context = step_rows(grads->dcontext, pass->decoder->context, step)};
    readout_step_backward(&inputs, step_rows(grads->dt, e, step),
                          mat_const(step_rows(acts->readout, e, step)),
                          &weights->readout); /* t_i, of s_i and c_i */
}

static void context_cell_backward(const struct cell_state *ds, const struct decoder_grads *grads,
                                  struct decoder_acts *acts, const struct decoder_pass *pass,
                                  const struct decoder_weights *weights, const struct attention_step *step)
{
    const struct mat dcontext = step_rows(grads->dcontext, pass->decoder->context, step);
    deep_backward(ds, &acts->deep, cell_rows_of(step), &weights->deep);
    cell_backward(ds, &acts->context_cell, cell_rows_of(step),
                  &weights->context_cell); /* s_i = cell(c_i, s'_i) */
    prepacked_product(dcontext, mat_const(mat_rows(acts->context_cell.products, step->row, step->rows)),
                      &weights->context, true); /* products += W_ic c_i */
}

static void context_backward(const struct cell_state *ds, const struct decoder_grads *grads,
                             struct decoder_acts *acts, const struct decoder_pass *pass,
                             const struct decoder_weights *weights, const struct attention_step *step)
{
    const struct attention *attention = &pass->decoder->attention;
    const struct attention_values values = attention_context_values(step->source, attention);
    attention_sum_backward(acts->attention.dalpha, grads->dcontext + step->row * pass->decoder->context,
                           &values, step); /* c_i = Σ_j α_ij h_j */
    attention_backward(ds->h, &acts->attention, step, attention, &weights->attention); /* α_ij */
}

static void query_cell_backward(const struct cell_state *ds, const struct decoder_grads *grads,
                                struct decoder_acts *acts, const struct decoder_pass *pass,
                                const struct decoder_weights *weights, const struct attention_step *step)
{
    const struct decoder *decoder = pass->decoder;
    const size_t e = decoder->embedding;
    if (!decoder_has_context_cell(decoder))
        deep_backward(ds, &acts->deep, cell_rows_of(step), &weights->deep);
    cell_backward(ds, &acts->query_cell, cell_rows_of(step),
                  &weights->query_cell);            /* s'_i = cell'(y_{i-1}, s_{i-1}) */
    if (decoder->input_feeding && step->step > 0) { /* products += W_it t_{i-1} */
        real *dt_prev = grads->dt + pass->target->first[step->step - 1] * e;
        prepacked_product(mat_of(dt_prev, step->rows, e),
                          mat_const(mat_rows(acts->query_cell.products, step->row, step->rows)),
                          &weights->fed, true);
    }
}

/* products += W_it t_{i-1}, in all steps but the first. */
static void defer_fed_grads(struct grad_terms *terms, const struct decoder_acts *acts,
                            const struct decoder_pass *pass)
{
    const struct packed_seq *target = pass->target;
    const struct cell *cell = &pass->decoder->query_cell;
    const size_t e = pass->decoder->embedding, first = target->count[0], rows = target->rows - first;
    real *fed = ARENA_NEW(terms->arena, rows * e, real);
    for (size_t t = 1; t < target->steps; t++)
        memcpy(fed + (target->first[t] - first) * e, acts->readout + target->first[t - 1] * e,
               target->count[t] * e * sizeof *fed);
    grad_terms_product(terms, cell->weight_ih + e, cell->inputs,
                       mat_const(mat_rows(acts->query_cell.products, first, rows)),
                       const_mat_of(fed, rows, e));
}

/* products += W_ic c_i */
static void defer_context_grads(struct grad_terms *terms, const struct decoder_acts *acts,
                                const struct decoder_pass *pass)
{
    const struct cell *cell = &pass->decoder->context_cell;
    const size_t context = pass->decoder->context;
    grad_terms_product(terms, cell->weight_ih + cell->inputs - context, cell->inputs,
                       mat_const(acts->context_cell.products),
                       const_mat_of(acts->context, pass->target->rows, context));
}

/* The gradients of the decoder's own weights, over all steps at once. */
static void defer_weight_grads(const struct decoder_grads *grads, struct grad_terms *terms,
                               struct decoder_acts *acts, const struct decoder_pass *pass,
                               const struct decoder_weights *weights)
{
    const struct decoder *decoder = pass->decoder;
    const size_t rows = pass->target->rows, words = pass->words->count, e = decoder->embedding;
    if (decoder_word_cell(decoder)) /* products = W_iy y_{i-1} */
        cell_words_backward(mat_of(grads->dy, words, e), terms, first_acts(acts, decoder), pass->words,
                            const_mat_of(pass->y, words, e), decoder_word_weights(weights, decoder));
    if (decoder->input_feeding) {
        const struct readout_inputs inputs = {.state = const_mat_of(acts->states, rows, decoder->units),
                                              .context = const_mat_of(acts->context, rows, decoder->context)};
        readout_defer_weight_grads(terms, const_mat_of(grads->dt, rows, e), &inputs,
                                   weights->readout.readout);
        defer_fed_grads(terms, acts, pass);
    }
    if (decoder_has_query_cell(decoder))
        cell_defer_weight_grads(terms, &acts->query_cell, &decoder->query_cell);
    if (decoder_has_context_cell(decoder)) {
        defer_context_grads(terms, acts, pass);
        cell_defer_weight_grads(terms, &acts->context_cell, &decoder->context_cell);
    }
    deep_defer_weight_grads(terms, &acts->deep, &decoder->deep);
    attention_defer_weight_grads(terms, &acts->attention,
                                 const_mat_of(acts->query_states, rows, decoder->units), &decoder->attention);
}

void decoder_backward(const struct decoder_grads *grads, struct grad_terms *terms, struct decoder_acts *acts,
                      const struct decoder_pass *pass, const struct decoder_weights *weights)
{
    const struct decoder *decoder = pass->decoder;
    const struct packed_seq *target = pass->target;
    const size_t d = decoder->units, sents = target->sents;
    const struct cell_state carry = {mat_zero(terms->arena, sents, d),
                                     acts->c ? mat_zero(terms->arena, sents, d) : (struct mat){0}};
    attention_acts_init_backward(&acts->attention, &decoder->attention, target->rows, sents,
                                 pass->source->positions.seq, terms->arena);
    stack_backward(mat_of(grads->dstates, target->rows, d), terms, &acts->stack, &weights->stack);
    for (size_t t = target->steps; t-- > 0;) {
        const struct attention_step step = step_of(pass, t);
        const struct cell_state ds = cell_state_rows(&carry, 0, step.rows);
        vec_add(ds.h.data, grads->dstates + step.row * d, step.rows * d);
        if (decoder->input_feeding)
            feedback_backward(&ds, grads, acts, pass, weights, &step); /* t_i */
        if (decoder_has_context_cell(decoder))
            context_cell_backward(&ds, grads, acts, pass, weights, &step); /* s_i */
        context_backward(&ds, grads, acts, pass, weights, &step);          /* c_i */
        if (decoder_has_query_cell(decoder))
            query_cell_backward(&ds, grads, acts, pass, weights, &step); /* s'_i */
    }
    defer_weight_grads(grads, terms, acts, pass, weights);
    real *dstart = ARENA_ZERO(terms->arena, sents * d, real);
    for (size_t r = 0; r < sents; r++) /* s_0 = start[source_rank] */
        vec_add(dstart + pass->source_rank[r] * d, mat_row(carry.h, r), d);
    decoder_source_backward(dstart, grads, terms, &acts->attention, pass, weights->params);
}
