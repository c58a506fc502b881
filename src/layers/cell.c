#include "cell.h"

#include "mat.h"
#include "norm.h"
#include "vecmath.h"

#include <string.h>

size_t cell_width(const struct cell *cell)
{
    return cell->gates->count * cell->units;
}

void cell_declare(struct cell *cell, struct layout *layout, const char *prefix,
                  const struct cell_choice *choice, size_t inputs)
{
    *cell = (struct cell){
        .gates = choice->gates, .inputs = inputs, .units = choice->units, .normalized = choice->normalized};
    const size_t width = cell_width(cell);
    if (inputs)
        cell->weight_ih = layout_declare(layout, prefix, "weight_ih", width, inputs, INIT_GLOROT);
    cell->weight_hh = layout_declare(layout, prefix, "weight_hh", width, cell->units, INIT_ORTHOGONAL);
    cell->bias_ih = layout_declare(layout, prefix, "bias_ih", width, 0, cell->gates->bias);
    cell->bias_hh = layout_declare(layout, prefix, "bias_hh", width, 0, INIT_ZERO);
    if (cell->normalized && inputs)
        cell->gain_ih = layout_declare(layout, prefix, "gain_ih", width, 0, INIT_ONE);
    if (cell->normalized)
        cell->gain_hh = layout_declare(layout, prefix, "gain_hh", width, 0, INIT_ONE);
}

/* Of W_hh: the rows of the gates that read h, and how many numbers a row of products has of them. */
static size_t plain_width(const struct cell *cell)
{
    return cell->gates->plain_gates * cell->units;
}

static size_t reset_width(const struct cell *cell)
{
    return cell_width(cell) - plain_width(cell);
}

static const real *reset_weight(const struct cell *cell, const real *params)
{
    return params + cell->weight_hh + plain_width(cell) * cell->units;
}

void cell_prepack(struct cell_weights *weights, const struct cell *cell, const real *params,
                  struct prepack_list *list)
{
    const size_t units = cell->units;
    prepack(&weights->plain_gates, const_mat_of(params + cell->weight_hh, plain_width(cell), units), list);
    if (reset_width(cell))
        prepack(&weights->reset_gates, const_mat_of(reset_weight(cell, params), reset_width(cell), units),
                list);
}

/* ---- acts ---- */

static void norm_acts_init(struct norm_acts *acts, const struct cell *cell, size_t rows, real *normal,
                           struct arena *arena)
{
    const size_t width = cell_width(cell);
    acts->normal = normal ? normal : ARENA_NEW(arena, rows * width, real);
    acts->scales = ARENA_NEW(arena, rows * cell->gates->count, real);
    acts->sums = ARENA_ZERO(arena, 2 * width, real);
}

void cell_acts_init(struct cell_acts *acts, const struct cell *cell, const struct cell_dims *dims,
                    const struct dropout *state_dropout, struct arena *arena)
{
    const size_t rows = dims->rows, width = cell_width(cell), units = cell->units;
    memset(acts, 0, sizeof *acts);
    acts->gates = acts->products = ARENA_NEW(arena, rows * width, real);
    acts->hidden = ARENA_NEW(arena, rows * width, real);
    acts->read = acts->h_prev = ARENA_NEW(arena, rows * units, real);
    const bool dropped = state_dropout && state_dropout->rate > 0;
    if (dropped) {
        acts->state_dropout = *state_dropout;
        acts->read = ARENA_NEW(arena, rows * units, real);
    }
    if (reset_width(cell))
        acts->reset = ARENA_NEW(arena, rows * units, real);
    if (dropped || reset_width(cell))
        acts->dread = ARENA_NEW(arena, dims->step_rows * units, real);
    if (cell->gates->has_c)
        acts->c_prev = ARENA_NEW(arena, rows * units, real);
    if (!cell->normalized)
        return;
    acts->row = ARENA_NEW(arena, width, real);
    norm_acts_init(&acts->state, cell, rows, acts->hidden, arena);
    if (cell->inputs)
        norm_acts_init(&acts->input, cell, dims->words ? dims->words : rows, NULL, arena);
    if (cell->inputs && !dims->words)
        acts->products = acts->input.normal;
}

double cell_acts_per_row(const struct cell *cell)
{
    const double width = (double)cell_width(cell), units = (double)cell->units;
    return (cell->normalized ? 3 : 2) * width + 2.0 * (double)cell->gates->count + 2 * units +
           (cell->gates->has_c ? units : 0) + (reset_width(cell) ? units : 0);
}

/* ---- products of the input ---- */

static bool is_normalized_by_word(const struct cell_acts *acts, const struct cell *cell)
{
    return cell->normalized && acts->products == acts->gates;
}

void cell_words_forward(struct cell_acts *acts, const struct unique *words, const real *x,
                        const struct prepacked *weight, const struct cell *cell, const real *params,
                        struct arena *arena)
{
    const size_t width = cell_width(cell), gates = cell->gates->count;
    const struct norm_acts *input = &acts->input;
    const struct arena_mark mark = arena_mark(arena);
    real *products = ARENA_NEW(arena, words->count * width, real);
    const bool by_word = is_normalized_by_word(acts, cell);
    prepacked_product(mat_ld(by_word ? input->normal : products, words->count, weight->n, width),
                      const_mat_of(x, words->count, weight->k), weight, false);
    for (size_t i = 0; by_word && i < words->count; i++)
        norm_forward(products + i * width, input->normal + i * width, input->scales + i * gates,
                     params + cell->gain_ih, cell->units, gates);
    unique_spread(acts->products, products, width, words, false);
    arena_rewind(arena, mark);
}

/* From the gradients `dy` of what norms gave to those of what they were given, in input->normal. */
static void input_norm_backward(struct norm_acts *input, size_t row, const real *dy, const struct cell *cell,
                                const real *params, size_t rows)
{
    const size_t width = cell_width(cell), gates = cell->gates->count;
    for (size_t i = 0; i < rows; i++)
        norm_backward(input->normal + (row + i) * width, input->sums + width, input->sums, dy + i * width,
                      input->scales + (row + i) * gates, params + cell->gain_ih, cell->units,
                      cell->gates->count);
}

void cell_words_backward(real *dx, struct grad_terms *terms, struct cell_acts *acts,
                         const struct unique *words, const real *x, size_t width, const struct cell *cell,
                         const real *params, struct arena *arena)
{
    const size_t gates = cell_width(cell);
    real *dproducts = ARENA_NEW(arena, words->count * gates, real);
    unique_gather(dproducts, acts->products, gates, words);
    if (is_normalized_by_word(acts, cell)) {
        input_norm_backward(&acts->input, 0, dproducts, cell, params, words->count);
        dproducts = acts->input.normal;
    }
    /* W x */
    grad_terms_product(terms, cell->weight_ih, cell->inputs, const_mat_of(dproducts, words->count, gates),
                       const_mat_of(x, words->count, width));
    mat_nn(mat_of(dx, words->count, width), const_mat_of(dproducts, words->count, gates),
           const_mat_ld(params + cell->weight_ih, gates, width, cell->inputs), true);
}

/* ---- forward ---- */

static struct gates_row row_of(const struct cell_acts *acts, size_t row, const struct cell *cell,
                               const real *params)
{
    const size_t width = cell_width(cell), units = cell->units;
    return (struct gates_row){
        .a = acts->gates + row * width,
        .q = cell->normalized ? acts->row : acts->hidden + row * width,
        .bias_ih = params + cell->bias_ih,
        .bias_hh = params + cell->bias_hh,
        .h_prev = acts->h_prev + row * units,
        .c_prev = acts->c_prev ? acts->c_prev + row * units : NULL,
    };
}

/* In a normalized cell: normalises the state's products of `count` gates from the first-th on. */
static void normalize_state(struct cell_acts *acts, size_t row, const struct cell *cell, const real *params,
                            size_t first, size_t count)
{
    const size_t at = first * cell->units;
    if (cell->normalized)
        norm_forward(acts->row + at, acts->hidden + row * cell_width(cell) + at,
                     acts->state.scales + row * cell->gates->count + first, params + cell->gain_hh + at,
                     cell->units, count);
}

/* In a normalized cell: the same products again. */
static void renormalize_state(struct cell_acts *acts, size_t row, const struct cell *cell, const real *params,
                              size_t count)
{
    if (cell->normalized)
        norm_gain(acts->row, acts->hidden + row * cell_width(cell), params + cell->gain_hh,
                  count * cell->units);
}

/* hidden of the reset gates = W_hh (r ∘ read) */
static void reset_gates_forward(struct cell_acts *acts, size_t row, const struct cell *cell,
                                const struct cell_weights *weights, const real *params, size_t rows)
{
    const size_t units = cell->units, width = cell_width(cell), plain = cell->gates->plain_gates;
    const size_t u = units;
    for (size_t i = row; i < row + rows; i++) {
        const struct gates_row at = row_of(acts, i, cell, params);
        normalize_state(acts, i, cell, params, 0, plain);
        cell->gates->reset_forward(acts->reset + i * u, acts->read + i * u, &at, units);
    }
    prepacked_product(
        mat_ld(acts->hidden + row * width + plain_width(cell), rows, weights->reset_gates.n, width),
        const_mat_ld(acts->reset + row * u, rows, weights->reset_gates.k, units), &weights->reset_gates,
        false);
}

static void normalize_input(struct cell_acts *acts, size_t row, const struct cell *cell, const real *params)
{
    const size_t at = row * cell_width(cell);
    if (acts->products != acts->gates)
        norm_forward(acts->gates + at, acts->products + at, acts->input.scales + row * cell->gates->count,
                     params + cell->gain_ih, cell->units, cell->gates->count);
}

void cell_step(const struct cell_state *next, struct cell_acts *acts, size_t row, const struct cell *cell,
               const struct cell_weights *weights, const real *params, size_t rows)
{
    const struct gates *gates = cell->gates;
    const size_t width = cell_width(cell);
    const bool has_reset = gates->plain_gates < gates->count;
    const size_t first = has_reset ? gates->plain_gates : 0; /* of the gates whose products come last */
    if (!cell->inputs)
        memset(acts->gates + row * width, 0, rows * width * sizeof(real));
    for (size_t i = row; i < row + rows; i++)
        normalize_input(acts, i, cell, params);
    if (has_reset)
        reset_gates_forward(acts, row, cell, weights, params, rows);
    for (size_t i = 0; i < rows; i++) {
        const struct gates_row at = row_of(acts, row + i, cell, params);
        if (has_reset)
            renormalize_state(acts, row + i, cell, params, gates->plain_gates);
        normalize_state(acts, row + i, cell, params, first, gates->count - first);
        gates->forward(next->h + i * next->ldh, next->c ? next->c + i * next->ldc : NULL, &at, cell->units);
    }
}

void cell_forward(const struct cell_state *next, struct cell_acts *acts, size_t row, const struct cell *cell,
                  const struct cell_weights *weights, const real *params, size_t rows, size_t running)
{
    const size_t units = cell->units, width = cell_width(cell);
    const size_t u = units;
    real *hidden = acts->hidden + row * width;
    if (acts->read != acts->h_prev)
        dropout_rows(acts->read + row * u, acts->h_prev + row * u, units, &acts->state_dropout, rows, units,
                     false);
    prepacked_product(mat_ld(hidden, running, weights->plain_gates.n, width),
                      const_mat_ld(acts->read + row * u, running, weights->plain_gates.k, units),
                      &weights->plain_gates, false); /* W_hh h */
    memset(hidden + running * width, 0, (rows - running) * width * sizeof *hidden);
    cell_step(next, acts, row, cell, weights, params, rows);
}

/* ---- backward ---- */

/* In a normalized cell: from the gradients in acts->row of `count` gates from the first-th on to those of
 * W_hh h, in place of what was normalised. */
static void denormalize_state(struct cell_acts *acts, size_t row, const struct cell *cell, const real *params,
                              size_t first, size_t count)
{
    const size_t width = cell_width(cell), at = first * cell->units;
    if (cell->normalized)
        norm_backward(acts->hidden + row * width + at, acts->state.sums + width + at, acts->state.sums + at,
                      acts->row + at, acts->state.scales + row * cell->gates->count + first,
                      params + cell->gain_hh + at, cell->units, count);
}

/* hidden of the reset gates = W_hh (r ∘ read): completes the gradients of the plain gates; to [rows][U] =
 * gradient of `read` by this way. */
static void reset_gates_backward(real *to, struct cell_acts *acts, size_t row, const struct cell *cell,
                                 const struct cell_weights *weights, const real *params, size_t rows)
{
    const size_t units = cell->units, width = cell_width(cell);
    const size_t u = units;
    prepacked_product(
        mat_ld(to, rows, weights->reset_gates.n, units),
        const_mat_ld(acts->hidden + row * width + plain_width(cell), rows, weights->reset_gates.k, width),
        &weights->reset_gates, false);
    for (size_t i = 0; i < rows; i++) {
        const struct gates_row at = row_of(acts, row + i, cell, params);
        cell->gates->reset_backward(to + i * u, acts->read + (row + i) * u, &at, units);
        denormalize_state(acts, row + i, cell, params, 0, cell->gates->plain_gates);
    }
}

void cell_backward(real *dh, real *dc, struct cell_acts *acts, size_t row, const struct cell *cell,
                   const struct cell_weights *weights, const real *params, size_t rows, size_t running)
{
    const struct gates *gates = cell->gates;
    const size_t units = cell->units, width = cell_width(cell);
    const size_t u = units, w = width;
    const bool has_reset = gates->plain_gates < gates->count;
    const size_t first = has_reset ? gates->plain_gates : 0; /* of the gates whose products come last */
    for (size_t i = 0; i < rows; i++) {
        const struct gates_row at = row_of(acts, row + i, cell, params);
        renormalize_state(acts, row + i, cell, params, gates->count);
        gates->backward(dh + i * u, dc ? dc + i * u : NULL, &at, units);
        denormalize_state(acts, row + i, cell, params, first, gates->count - first);
    }
    if (has_reset)
        reset_gates_backward(acts->dread, acts, row, cell, weights, params, rows);
    if (acts->products != acts->gates)
        input_norm_backward(&acts->input, row, acts->gates + row * w, cell, params, rows);
    /* Where a sentence began nothing goes further back, and nothing may linger in its place. */
    memset(dh + running * u, 0, (rows - running) * u * sizeof *dh);
    if (dc)
        memset(dc + running * u, 0, (rows - running) * u * sizeof *dc);
    /* hidden = W_hh dropout(h) */
    const bool dropped = acts->read != acts->h_prev;
    real *to = acts->dread ? acts->dread : dh;
    prepacked_product(mat_ld(to, running, weights->plain_gates.n, units),
                      const_mat_ld(acts->hidden + row * w, running, weights->plain_gates.k, width),
                      &weights->plain_gates, has_reset || !acts->dread);
    if (dropped)
        dropout_rows(dh, acts->dread, units, &acts->state_dropout, running, units, true);
    else if (acts->dread)
        vec_add(dh, acts->dread, running * u);
}

/* ---- weights ---- */

static void defer_bias_grads(struct grad_terms *terms, size_t bias, size_t gain, const struct norm_acts *norm,
                             const real *dy, size_t width, size_t rows)
{
    if (norm->sums) { /* over the rows, step by step */
        grad_terms_sum(terms, bias, const_mat_of(norm->sums, 1, width));
        grad_terms_sum(terms, gain, const_mat_of(norm->sums + width, 1, width));
    } else {
        grad_terms_sum(terms, bias, const_mat_of(dy, rows, width));
    }
}

void cell_defer_weight_grads(struct grad_terms *terms, const struct cell_acts *acts, const struct cell *cell,
                             size_t rows)
{
    const size_t units = cell->units, width = cell_width(cell), plain = plain_width(cell);
    defer_bias_grads(terms, cell->bias_ih, cell->gain_ih, &acts->input, acts->gates, width, rows);
    defer_bias_grads(terms, cell->bias_hh, cell->gain_hh, &acts->state, acts->hidden, width, rows);
    /* W_hh h, all steps at once */
    grad_terms_product(terms, cell->weight_hh, units, const_mat_ld(acts->hidden, rows, plain, width),
                       const_mat_of(acts->read, rows, units));
    if (reset_width(cell))
        grad_terms_product(terms, cell->weight_hh + plain * units, units,
                           const_mat_ld(acts->hidden + plain, rows, reset_width(cell), width),
                           const_mat_of(acts->reset, rows, units));
}
