/* The steps of a recurrent cell, forward and backward: products with W_hh, dropout of states,
 * normalisation. The gates' arithmetic is in gates_*.c, the products of distinct words in cell_input.c.
 * The caller chooses the rows of a step. */
#include "cell.h"

#include "cell_input.h"
#include "err.h"
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

/* W_hh has first the rows of the plain gates, which read h, then those of the reset gates, which read r ∘
 * h. */
static size_t plain_width(const struct cell *cell)
{
    return cell->gates->plain_gates * cell->units;
}

static size_t reset_width(const struct cell *cell)
{
    return cell_width(cell) - plain_width(cell);
}

static bool has_reset_gates(const struct cell *cell)
{
    return cell->gates->plain_gates < cell->gates->count;
}

void cell_prepack(struct cell_weights *weights, const struct cell *cell, const real *params,
                  struct prepack_list *list)
{
    const struct const_mat w_hh = const_mat_of(params + cell->weight_hh, cell_width(cell), cell->units);
    weights->cell = cell;
    weights->params = params;
    prepack(&weights->plain_gates, const_mat_rows(w_hh, 0, plain_width(cell)), list);
    if (has_reset_gates(cell))
        prepack(&weights->reset_gates, const_mat_rows(w_hh, plain_width(cell), reset_width(cell)), list);
}

/* ---- acts ---- */

struct cell_state cell_state_rows(const struct cell_state *state, size_t first, size_t rows)
{
    struct cell_state part = {.h = mat_rows(state->h, first, rows)};
    if (state->c.data)
        part.c = mat_rows(state->c, first, rows);
    return part;
}

/* The place of the input's products, or of others of their size. */
static struct mat new_products(const struct cell *cell, const struct cell_dims *dims, struct arena *arena)
{
    return dims->products.data ? dims->products : mat_new(arena, dims->rows, cell_width(cell));
}

/* The memory of a cell that is done, or if it has none, new memory. */
static struct mat mat_take(struct mat done, size_t rows, size_t cols, struct arena *arena)
{
    return done.data ? done : mat_new(arena, rows, cols);
}

static void norm_acts_init(struct norm_acts *acts, const struct cell *cell, struct mat normal,
                           struct arena *arena)
{
    acts->normal = normal;
    acts->scales = mat_new(arena, normal.rows, cell->gates->count);
    acts->dbias = ARENA_ZERO(arena, cell_width(cell), real);
    acts->dgain = ARENA_ZERO(arena, cell_width(cell), real);
}

void cell_acts_init(struct cell_acts *acts, const struct cell *cell, const struct cell_dims *dims,
                    const struct dropout *state_dropout, struct arena *arena)
{
    const size_t rows = dims->rows, width = cell_width(cell), units = cell->units;
    const bool dropped = state_dropout && state_dropout->rate > 0;
    const struct cell_acts none = {.row = NULL}, *done = dims->done ? dims->done : &none;
    ASSERT((!dims->words_alone || dims->words) && !(dims->done && dims->step_rows));
    memset(acts, 0, sizeof *acts);
    const bool by_row = cell->normalized && cell->inputs && !dims->words_alone;
    acts->products = new_products(cell, dims, arena);
    acts->gates = by_row ? mat_take(done->gates, rows, width, arena) : acts->products;
    acts->hidden = mat_take(done->hidden, rows, width, arena);
    acts->read = acts->prev.h = mat_take(done->prev.h, rows, units, arena);
    if (cell->gates->has_c)
        acts->prev.c = mat_take(done->prev.c, rows, units, arena);
    if (dropped) {
        acts->state_dropout = *state_dropout;
        acts->read = mat_new(arena, rows, units);
    }
    if (has_reset_gates(cell))
        acts->reset = mat_take(done->reset, rows, units, arena);
    if (dropped || has_reset_gates(cell))
        acts->dread = mat_new(arena, dims->step_rows, units);
    if (dims->words)
        acts->word_products = mat_new(arena, dims->words, width);
    if (!cell->normalized)
        return;
    acts->row = ARENA_NEW(arena, width, real);
    norm_acts_init(&acts->state, cell, acts->hidden, arena);
    if (cell->inputs) /* without a backward pass, x̂ is done with when its products are spread */
        norm_acts_init(&acts->input, cell,
                       by_row || !dims->step_rows ? acts->products : mat_new(arena, dims->words, width),
                       arena);
}

/* ---- one row of a step ---- */

static struct gates_row row_of(const struct cell_acts *acts, size_t row, const struct cell_weights *weights)
{
    const struct cell *cell = weights->cell;
    return (struct gates_row){
        .a = mat_row(acts->gates, row),
        .q = cell->normalized ? acts->row : mat_row(acts->hidden, row),
        .bias_ih = weights->params + cell->bias_ih,
        .bias_hh = weights->params + cell->bias_hh,
        .h_prev = mat_row(acts->prev.h, row),
        .c_prev = acts->prev.c.data ? mat_row(acts->prev.c, row) : NULL,
    };
}

/* The row's state in m, NULL if m is empty. */
static real *state_row(struct mat m, size_t row)
{
    return m.data ? mat_row(m, row) : NULL;
}

/* The normalisation of gates `first` … first + count - 1. */
static struct norm state_norm(const struct cell_weights *weights, size_t first, size_t count)
{
    const struct cell *cell = weights->cell;
    return (struct norm){weights->params + cell->gain_hh + first * cell->units, cell->units, count};
}

/* In a normalized cell, acts->row = the normalised products of these gates. */
static void normalize_state(struct cell_acts *acts, size_t row, const struct cell_weights *weights,
                            size_t first, size_t count)
{
    const struct norm norm = state_norm(weights, first, count);
    const size_t from = first * norm.units;
    if (weights->cell->normalized)
        norm_forward(acts->row + from, mat_row(acts->hidden, row) + from,
                     mat_row(acts->state.scales, row) + first, &norm);
}

/* Recomputes the first `count` gates: acts->row is reused from row to row. */
static void renormalize_state(struct cell_acts *acts, size_t row, const struct cell_weights *weights,
                              size_t count)
{
    const struct norm norm = state_norm(weights, 0, count);
    if (weights->cell->normalized)
        norm_gain(acts->row, mat_row(acts->hidden, row), &norm);
}

/* normalize_state: turns the gradients in acts->row into those of the products, in `hidden`. */
static void normalize_state_backward(struct cell_acts *acts, size_t row, const struct cell_weights *weights,
                                     size_t first, size_t count)
{
    const struct norm norm = state_norm(weights, first, count);
    const size_t from = first * norm.units;
    if (weights->cell->normalized)
        norm_backward(mat_row(acts->hidden, row) + from, acts->state.dgain + from, acts->state.dbias + from,
                      acts->row + from, mat_row(acts->state.scales, row) + first, &norm);
}

/* ---- a step ---- */

/* The number of gates that reset_gates_forward has normalised already. */
static size_t gates_ready(const struct cell *cell)
{
    return has_reset_gates(cell) ? cell->gates->plain_gates : 0;
}

/* The columns of the reset gates in `hidden`, for the rows of a step. */
static struct mat reset_products(const struct cell_acts *acts, struct cell_rows rows, const struct cell *cell)
{
    return mat_cols(mat_rows(acts->hidden, rows.first, rows.count), plain_width(cell), reset_width(cell));
}

static void reset_gates_forward(struct cell_acts *acts, struct cell_rows rows,
                                const struct cell_weights *weights)
{
    const struct cell *cell = weights->cell;
    for (size_t row = rows.first; row < rows.first + rows.count; row++) {
        const struct gates_row at = row_of(acts, row, weights);
        normalize_state(acts, row, weights, 0, cell->gates->plain_gates);
        cell->gates->reset_forward(mat_row(acts->reset, row), mat_row(acts->read, row), &at, cell->units);
    }
    prepacked_product(reset_products(acts, rows, cell), /* W_hh (r ∘ read) */
                      mat_const(mat_rows(acts->reset, rows.first, rows.count)), &weights->reset_gates, false);
}

/* Completes the gradients of the plain gates; dread = the gradient of `read` through r ∘ read. */
static void reset_gates_backward(struct cell_acts *acts, struct cell_rows rows,
                                 const struct cell_weights *weights)
{
    const struct cell *cell = weights->cell;
    prepacked_product(mat_rows(acts->dread, 0, rows.count), /* W_hh (r ∘ read) */
                      mat_const(reset_products(acts, rows, cell)), &weights->reset_gates, false);
    for (size_t i = 0; i < rows.count; i++) {
        const size_t row = rows.first + i;
        const struct gates_row at = row_of(acts, row, weights);
        cell->gates->reset_backward(mat_row(acts->dread, i), mat_row(acts->read, row), &at, cell->units);
        normalize_state_backward(acts, row, weights, 0, cell->gates->plain_gates);
    }
}

static void assert_shapes(const struct cell_state *state, const struct cell_acts *acts, struct cell_rows rows,
                          const struct cell *cell)
{
    ASSERT(state->h.rows == rows.count && state->h.cols == cell->units);
    ASSERT(!cell->gates->has_c == !state->c.data);
    ASSERT(!state->c.data || (state->c.rows == rows.count && state->c.cols == cell->units));
    ASSERT(acts->hidden.cols == cell_width(cell) && acts->prev.h.cols == cell->units);
    ASSERT(rows.first + rows.count <= acts->hidden.rows && rows.running <= rows.count);
}

void cell_step(const struct cell_state *next, struct cell_acts *acts, struct cell_rows rows,
               const struct cell_weights *weights)
{
    const struct cell *cell = weights->cell;
    const struct gates *gates = cell->gates;
    const struct mat a = mat_rows(acts->gates, rows.first, rows.count);
    const size_t ready = gates_ready(cell);
    assert_shapes(next, acts, rows, cell);
    if (!cell->inputs)
        mat_clear(a);
    if (cell_is_normalized_by_row(acts))
        cell_input_norm_forward(a, &acts->input, rows.first, weights);
    if (has_reset_gates(cell))
        reset_gates_forward(acts, rows, weights);
    for (size_t i = 0; i < rows.count; i++) {
        const size_t row = rows.first + i;
        const struct gates_row at = row_of(acts, row, weights);
        renormalize_state(acts, row, weights, ready);
        normalize_state(acts, row, weights, ready, gates->count - ready);
        gates->forward(mat_row(next->h, i), state_row(next->c, i), &at, cell->units); /* h', c' */
    }
}

void cell_forward(const struct cell_state *next, struct cell_acts *acts, struct cell_rows rows,
                  const struct cell_weights *weights)
{
    const size_t plain = plain_width(weights->cell);
    const struct mat hidden = mat_rows(acts->hidden, rows.first, rows.count),
                     h_prev = mat_rows(acts->prev.h, rows.first, rows.count),
                     read = mat_rows(acts->read, rows.first, rows.count);
    assert_shapes(next, acts, rows, weights->cell);
    if (read.data != h_prev.data)
        dropout_rows(read, mat_const(h_prev), &acts->state_dropout, false);  /* read = dropout(h) */
    prepacked_product(mat_cols(mat_rows(hidden, 0, rows.running), 0, plain), /* W_hh read */
                      mat_const(mat_rows(read, 0, rows.running)), &weights->plain_gates, false);
    mat_clear(mat_rows(hidden, rows.running, rows.count - rows.running));
    cell_step(next, acts, rows, weights);
}

/* read = dropout(h), W_hh read */
static void state_products_backward(struct mat dh, struct cell_acts *acts, struct cell_rows rows,
                                    const struct cell_weights *weights)
{
    const bool dropped = acts->read.data != acts->prev.h.data;
    const struct mat dhidden = mat_rows(acts->hidden, rows.first, rows.running);
    const struct mat dread = acts->dread.data ? mat_rows(acts->dread, 0, rows.running) : dh;
    prepacked_product(dread, mat_const(mat_cols(dhidden, 0, plain_width(weights->cell))),
                      &weights->plain_gates, has_reset_gates(weights->cell) || !acts->dread.data);
    if (dropped)
        dropout_rows(dh, mat_const(dread), &acts->state_dropout, true);
    else if (acts->dread.data)
        vec_add(dh.data, dread.data, dh.rows * dh.cols);
}

void cell_backward(const struct cell_state *dstate, struct cell_acts *acts, struct cell_rows rows,
                   const struct cell_weights *weights)
{
    const struct cell *cell = weights->cell;
    const struct gates *gates = cell->gates;
    const size_t ready = gates_ready(cell);
    const struct cell_state first_steps = cell_state_rows(dstate, rows.running, rows.count - rows.running);
    assert_shapes(dstate, acts, rows, cell);
    ASSERT(dstate->h.ld == cell->units);
    for (size_t i = 0; i < rows.count; i++) {
        const size_t row = rows.first + i;
        const struct gates_row at = row_of(acts, row, weights);
        renormalize_state(acts, row, weights, gates->count);
        gates->backward(mat_row(dstate->h, i), state_row(dstate->c, i), &at, cell->units); /* h', c' */
        normalize_state_backward(acts, row, weights, ready, gates->count - ready);
    }
    if (has_reset_gates(cell))
        reset_gates_backward(acts, rows, weights);
    if (cell_is_normalized_by_row(acts))
        cell_input_norm_backward(mat_const(mat_rows(acts->gates, rows.first, rows.count)), &acts->input,
                                 rows.first, weights);
    /* A sentence's first step has no earlier state: its gradient is 0. */
    mat_clear(first_steps.h);
    mat_clear(first_steps.c);
    state_products_backward(mat_rows(dstate->h, 0, rows.running), acts, rows, weights);
}

/* ---- weights ---- */

static void defer_bias_grads(struct grad_terms *terms, size_t bias, size_t gain, const struct norm_acts *norm,
                             struct const_mat dy)
{
    if (norm->dbias) { /* summed over the rows, step by step */
        grad_terms_sum(terms, bias, const_mat_of(norm->dbias, 1, dy.cols));
        grad_terms_sum(terms, gain, const_mat_of(norm->dgain, 1, dy.cols));
    } else {
        grad_terms_sum(terms, bias, dy);
    }
}

void cell_defer_weight_grads(struct grad_terms *terms, const struct cell_acts *acts, const struct cell *cell)
{
    const size_t units = cell->units, plain = plain_width(cell);
    const struct const_mat dhidden = mat_const(acts->hidden);
    defer_bias_grads(terms, cell->bias_ih, cell->gain_ih, &acts->input, mat_const(acts->gates));
    defer_bias_grads(terms, cell->bias_hh, cell->gain_hh, &acts->state, dhidden);
    /* W_hh read, W_hh (r ∘ read), over all steps at once */
    grad_terms_product(terms, cell->weight_hh, units, const_mat_cols(dhidden, 0, plain),
                       mat_const(acts->read));
    if (has_reset_gates(cell))
        grad_terms_product(terms, cell->weight_hh + plain * units, units,
                           const_mat_cols(dhidden, plain, reset_width(cell)), mat_const(acts->reset));
}
