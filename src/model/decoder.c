/* The decoder during training: all steps under teacher forcing, forward and backward. decoder_source.c
 * prepares the source; single steps, for translation, are in stepper.c. */
#include "decoder.h"

#include "err.h"
#include "vecmath.h"

#include <string.h>

/* ---- the memory of a pass ---- */

static size_t alpha_width(const struct decoder_pass *pass, const struct decoder *decoder)
{
    return decoder->attention.choice.heads * pass->source->positions.seq->steps;
}

static struct cell_acts *first_acts(struct decoder_acts *acts, const struct decoder *decoder)
{
    return decoder_has_query_cell(decoder) ? &acts->query_cell : &acts->context_cell;
}

static void cells_init(struct decoder_acts *acts, const struct decoder_pass *pass,
                       const struct decoder *decoder, struct arena *arena)
{
    const struct cell_dims dims = {.rows = pass->target->rows, .step_rows = pass->target->sents};
    struct cell_dims first = dims;
    const struct dropout *state = &pass->options->state;
    first.words = decoder_word_cell(decoder) ? pass->words->count : 0;
    first.words_alone = decoder_reads_words_alone(decoder);
    acts->query_states = acts->states.h;
    if (decoder_has_query_cell(decoder))
        cell_acts_init(&acts->query_cell, &decoder->query_cell, &first, state, arena);
    if (decoder_has_context_cell(decoder)) {
        cell_acts_init(&acts->context_cell, &decoder->context_cell,
                       decoder_has_query_cell(decoder) ? &dims : &first,
                       decoder_has_query_cell(decoder) ? NULL : state, arena);
        acts->query_states = acts->context_cell.prev.h;
    }
    deep_acts_init(&acts->deep, &decoder->deep, &dims, arena);
}

void decoder_acts_init(struct decoder_acts *acts, const struct decoder_pass *pass,
                       const struct decoder *decoder, struct arena *arena)
{
    const size_t n = pass->target->rows, d = decoder->units;
    acts->states = (struct cell_state){.h = mat_new(arena, n, d)};
    if (decoder->gates->has_c)
        acts->states.c = mat_new(arena, n, d);
    cells_init(acts, pass, decoder, arena);
    attention_acts_init(&acts->attention, &decoder->attention, n, pass->source->positions.seq,
                        &pass->options->attention, arena);
    acts->attention.alpha = ARENA_NEW(arena, n * alpha_width(pass, decoder), real);
    acts->context = mat_new(arena, n, decoder->context);
    stack_acts_init(&acts->stack, &decoder->stack, pass->target, &pass->options->stack, arena);
    acts->readout = decoder->input_feeding ? mat_new(arena, n, decoder->embedding) : (struct mat){0};
}

void decoder_acts_init_backward(struct decoder_acts *acts, const struct decoder_pass *pass,
                                const struct decoder *decoder, struct arena *arena)
{
    const size_t rows = pass->target->rows, sents = pass->target->sents, d = decoder->units;
    acts->carry.h = mat_zero(arena, sents, d);
    acts->carry.c = decoder->gates->has_c ? mat_zero(arena, sents, d) : (struct mat){0};
    acts->dstart = mat_new(arena, sents, d);
    acts->fed = decoder->input_feeding ? mat_new(arena, rows - sents, decoder->embedding) : (struct mat){0};
    attention_acts_init_backward(&acts->attention, &decoder->attention, rows, sents,
                                 pass->source->positions.seq, arena);
    stack_acts_init_backward(&acts->stack, &decoder->stack, rows, arena);
    acts->dsummary = mat_zero(arena, sents, pass->source->summary.cols);
    if (pass->source->positions.own_values.data)
        acts->dvalues = mat_zero(arena, pass->source->seq->rows, decoder->attention.width);
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

/* The rows of a step. */
static struct mat step_rows(struct mat all, const struct attention_step *step)
{
    return mat_rows(all, step->row, step->rows);
}

static struct cell_state step_states(const struct cell_state *all, const struct attention_step *step)
{
    return cell_state_rows(all, step->row, step->rows);
}

/* The rows of the previous step for sentences that have a token in this one. */
static struct mat previous_rows(struct mat all, const struct decoder_pass *pass,
                                const struct attention_step *step)
{
    return mat_rows(all, pass->target->first[step->step - 1], step->rows);
}

/* The states before a step: s_{i-1}, which is s_0 at first, and c, 0 at first. */
static void previous_states(struct decoder_acts *acts, const struct decoder_pass *pass,
                            const struct decoder_weights *weights, const struct attention_step *step)
{
    const struct cell_state prev = step_states(&first_acts(acts, weights->decoder)->prev, step);
    if (step->step > 0) {
        mat_copy(prev.h, mat_const(previous_rows(acts->states.h, pass, step)));
        if (prev.c.data)
            mat_copy(prev.c, mat_const(previous_rows(acts->states.c, pass, step)));
        return;
    }
    for (size_t r = 0; r < step->rows; r++)
        memcpy(mat_row(prev.h, r), mat_row(pass->source->start, step->source_rank[r]),
               prev.h.cols * sizeof(real));
    if (prev.c.data)
        mat_clear(prev.c);
}

/* ---- the query cell: s'_i = cell'(y_{i-1}, s_{i-1}), which is s_i where no cell follows ---- */

/* With input feeding: products += W_it t_{i-1} */
static void feed_readout(struct decoder_acts *acts, const struct decoder_pass *pass,
                         const struct decoder_weights *weights, const struct attention_step *step)
{
    if (step->step > 0) /* t_0 = 0 */
        prepacked_product(step_rows(acts->query_cell.products, step),
                          mat_const(previous_rows(acts->readout, pass, step)), &weights->fed, true);
}

static void query_cell_forward(struct decoder_acts *acts, const struct decoder_pass *pass,
                               const struct decoder_weights *weights, const struct attention_step *step)
{
    const bool last = !decoder_has_context_cell(weights->decoder);
    const struct cell_state next = step_states(last ? &acts->states : &acts->context_cell.prev, step);
    if (weights->decoder->input_feeding)
        feed_readout(acts, pass, weights, step);
    cell_forward(&next, &acts->query_cell, cell_rows_of(step), &weights->query_cell);
    if (last)
        deep_forward(&next, &acts->deep, cell_rows_of(step), &weights->deep);
}

/* Here and below, ds is the gradient of a step's states; it becomes that of the previous states. */
static void query_cell_backward(const struct cell_state *ds, const struct decoder_grads *grads,
                                struct decoder_acts *acts, const struct decoder_pass *pass,
                                const struct decoder_weights *weights, const struct attention_step *step)
{
    if (!decoder_has_context_cell(weights->decoder))
        deep_backward(ds, &acts->deep, cell_rows_of(step), &weights->deep);
    cell_backward(ds, &acts->query_cell, cell_rows_of(step),
                  &weights->query_cell);                   /* s'_i = cell'(y_{i-1}, s_{i-1}) */
    if (weights->decoder->input_feeding && step->step > 0) /* products += W_it t_{i-1} */
        prepacked_product(previous_rows(grads->dt, pass, step),
                          mat_const(step_rows(acts->query_cell.products, step)), &weights->fed, true);
}

/* ---- the context: c_i = Σ_j α_ij value_j ---- */

static void context_forward(struct decoder_acts *acts, const struct decoder_pass *pass,
                            const struct decoder_weights *weights, const struct attention_step *step)
{
    const struct attention *attention = &weights->decoder->attention;
    const struct attention_values values = attention_context_values(step->source, attention);
    if (step->step == 0)
        coverage_reset(&acts->attention, attention, step);
    else
        coverage_advance(&acts->attention, attention, step, pass->target->first[step->step - 1]);
    attention_forward(&acts->attention, mat_const(step_rows(acts->query_states, step)), step,
                      &weights->attention); /* α_ij */
    attention_sum(step_rows(acts->context, step),
                  acts->attention.alpha + step->row * alpha_width(pass, weights->decoder), &values, step);
}

static void context_backward(const struct cell_state *ds, const struct decoder_grads *grads,
                             struct decoder_acts *acts, const struct decoder_weights *weights,
                             const struct attention_step *step)
{
    const struct attention_values values =
        attention_context_values(step->source, &weights->decoder->attention);
    attention_sum_backward(acts->attention.dalpha, mat_const(step_rows(grads->dcontext, step)), &values,
                           step);                                           /* c_i = Σ_j α_ij value_j */
    attention_backward(ds->h, &acts->attention, step, &weights->attention); /* α_ij */
}

/* ---- the context cell: s_i = cell(c_i, s'_i), or alone s_i = cell([y_{i-1} ; c_i], s_{i-1}) ---- */

static void context_cell_forward(struct decoder_acts *acts, const struct decoder_weights *weights,
                                 const struct attention_step *step)
{
    const struct cell_state next = step_states(&acts->states, step);
    prepacked_product(step_rows(acts->context_cell.products, step), mat_const(step_rows(acts->context, step)),
                      &weights->context,
                      weights->decoder->feed->context_cell_reads & READS_WORD); /* W_ic c_i */
    cell_forward(&next, &acts->context_cell, cell_rows_of(step), &weights->context_cell);
    deep_forward(&next, &acts->deep, cell_rows_of(step), &weights->deep);
}

static void context_cell_backward(const struct cell_state *ds, const struct decoder_grads *grads,
                                  struct decoder_acts *acts, const struct decoder_weights *weights,
                                  const struct attention_step *step)
{
    deep_backward(ds, &acts->deep, cell_rows_of(step), &weights->deep);
    cell_backward(ds, &acts->context_cell, cell_rows_of(step),
                  &weights->context_cell); /* s_i = cell(c_i, s'_i) */
    prepacked_product(step_rows(grads->dcontext, step),
                      mat_const(step_rows(acts->context_cell.products, step)), &weights->context,
                      true); /* products += W_ic c_i */
}

/* ---- with input feeding, the readout: t_i of s_i and c_i ---- */

static void feedback_forward(struct decoder_acts *acts, const struct decoder_weights *weights,
                             const struct attention_step *step)
{
    const struct readout_inputs inputs = {.state = mat_const(step_rows(acts->states.h, step)),
                                          .context = mat_const(step_rows(acts->context, step))};
    readout_step_forward(step_rows(acts->readout, step), &inputs, &weights->readout);
}

static void feedback_backward(const struct cell_state *ds, const struct decoder_grads *grads,
                              const struct decoder_acts *acts, const struct decoder_weights *weights,
                              const struct attention_step *step)
{
    const struct readout_grads inputs = {.state = ds->h, .context = step_rows(grads->dcontext, step)};
    readout_step_backward(&inputs, step_rows(grads->dt, step), mat_const(step_rows(acts->readout, step)),
                          &weights->readout); /* t_i */
}

/* ---- all weights, over all steps at once ---- */

/* products += W_it t_{i-1}, in all steps but the first. */
static void defer_fed_grads(struct grad_terms *terms, const struct decoder_acts *acts,
                            const struct decoder_pass *pass, const struct decoder *decoder)
{
    const struct cell *cell = &decoder->query_cell;
    const size_t first = pass->target->count[0], rows = pass->target->rows - first;
    const struct mat fed = acts->fed;
    for (size_t t = 1; t < pass->target->steps; t++) {
        const struct attention_step step = step_of(pass, t);
        mat_copy(mat_rows(fed, step.row - first, step.rows),
                 mat_const(previous_rows(acts->readout, pass, &step)));
    }
    grad_terms_product(terms, decoder_fed_weight(decoder), cell->inputs,
                       mat_const(mat_rows(acts->query_cell.products, first, rows)), mat_const(fed));
}

/* products += W_ic c_i */
static void defer_context_grads(struct grad_terms *terms, const struct decoder_acts *acts,
                                const struct decoder *decoder)
{
    const struct cell *cell = &decoder->context_cell;
    grad_terms_product(terms, decoder_context_weight(decoder), cell->inputs,
                       mat_const(acts->context_cell.products), mat_const(acts->context));
}

static void defer_weight_grads(const struct decoder_grads *grads, struct grad_terms *terms,
                               struct decoder_acts *acts, const struct decoder_pass *pass,
                               const struct decoder_weights *weights)
{
    const struct decoder *decoder = weights->decoder;
    if (decoder_word_cell(decoder)) /* products = W_iy y_{i-1} */
        cell_words_backward(grads->dy, terms, first_acts(acts, decoder), pass->words, pass->y, &weights->word,
                            decoder_word_weights(weights));
    if (decoder->input_feeding) {
        const struct readout_inputs inputs = {.state = mat_const(acts->states.h),
                                              .context = mat_const(acts->context)};
        readout_defer_weight_grads(terms, mat_const(grads->dt), &inputs, weights->readout.readout);
        defer_fed_grads(terms, acts, pass, decoder);
    }
    if (decoder_has_query_cell(decoder))
        cell_defer_weight_grads(terms, &acts->query_cell, &decoder->query_cell);
    if (decoder_has_context_cell(decoder)) {
        defer_context_grads(terms, acts, decoder);
        cell_defer_weight_grads(terms, &acts->context_cell, &decoder->context_cell);
    }
    deep_defer_weight_grads(terms, &acts->deep, &decoder->deep);
    attention_defer_weight_grads(terms, &acts->attention, mat_const(acts->query_states), &decoder->attention);
}

/* ---- all steps ---- */

void decoder_forward(struct decoder_acts *acts, const struct decoder_pass *pass,
                     const struct decoder_weights *weights)
{
    const struct decoder *decoder = weights->decoder;
    ASSERT(pass->y.rows == pass->words->count && pass->y.cols == decoder->embedding);
    ASSERT(pass->source->seq->sents == pass->target->sents && pass->words->rows == pass->target->rows);
    if (decoder_word_cell(decoder)) /* products = W_iy y_{i-1}, of all steps */
        cell_words_forward(first_acts(acts, decoder), pass->words, pass->y, &weights->word,
                           decoder_word_weights(weights));
    for (size_t t = 0; t < pass->target->steps; t++) {
        const struct attention_step step = step_of(pass, t);
        previous_states(acts, pass, weights, &step); /* s_{i-1} */
        if (decoder_has_query_cell(decoder))
            query_cell_forward(acts, pass, weights, &step); /* s'_i */
        context_forward(acts, pass, weights, &step);        /* c_i */
        if (decoder_has_context_cell(decoder))
            context_cell_forward(acts, weights, &step); /* s_i */
        if (decoder->input_feeding)
            feedback_forward(acts, weights, &step); /* t_i */
    }
    acts->top = stack_forward(acts->states.h, &acts->stack, &weights->stack);
}

void decoder_backward(const struct decoder_grads *grads, struct grad_terms *terms, struct decoder_acts *acts,
                      const struct decoder_pass *pass, const struct decoder_weights *weights)
{
    const struct decoder *decoder = weights->decoder;
    const struct packed_seq *target = pass->target;
    const size_t d = decoder->units;
    ASSERT(grads->dstates.rows == target->rows && grads->dstates.cols == d && grads->dstates.ld == d);
    ASSERT(grads->dcontext.rows == target->rows && grads->dcontext.cols == decoder->context);
    ASSERT(grads->dannotations.rows == pass->source->seq->rows && grads->dy.rows == pass->y.rows);
    stack_backward(grads->dstates, terms, &acts->stack, &weights->stack);
    for (size_t t = target->steps; t-- > 0;) {
        const struct attention_step step = step_of(pass, t);
        const struct cell_state ds = cell_state_rows(&acts->carry, 0, step.rows);
        vec_add(ds.h.data, mat_row(grads->dstates, step.row), step.rows * d);
        if (decoder->input_feeding)
            feedback_backward(&ds, grads, acts, weights, &step); /* t_i */
        if (decoder_has_context_cell(decoder))
            context_cell_backward(&ds, grads, acts, weights, &step); /* s_i */
        context_backward(&ds, grads, acts, weights, &step);          /* c_i */
        if (decoder_has_query_cell(decoder))
            query_cell_backward(&ds, grads, acts, pass, weights, &step); /* s'_i */
    }
    defer_weight_grads(grads, terms, acts, pass, weights);
}
