/* Runs a recurrent network over the steps of packed sentences, in either direction. A step's arithmetic is
 * in cell.c and deep.c; the caller computes the input products. */
#include "rnn.h"

#include "err.h"
#include "vecmath.h"

#include <string.h>

void rnn_declare(struct rnn *rnn, struct layout *layout, const char *prefix, const struct cell_choice *choice,
                 size_t inputs, size_t transitions)
{
    cell_declare(&rnn->cell, layout, prefix, choice, inputs);
    deep_declare(&rnn->deep, layout, prefix, choice, transitions);
}

void rnn_prepack(struct rnn_weights *weights, const struct rnn *rnn, const real *params,
                 struct prepack_list *list)
{
    const struct cell *cell = &rnn->cell;
    weights->rnn = rnn;
    prepack_input(&weights->ih, const_mat_of(params + cell->weight_ih, cell_width(cell), cell->inputs), list);
    cell_prepack(&weights->cell, cell, params, list);
    deep_prepack(&weights->deep, &rnn->deep, params, list);
}

void rnn_acts_init(struct rnn_acts *acts, const struct rnn *rnn, const struct packed_seq *seq, size_t words,
                   const struct dropout *state_dropout, struct arena *arena)
{
    const size_t units = rnn->cell.units;
    const struct cell_dims dims = {.rows = seq->rows, .step_rows = seq->sents};
    struct cell_dims first = dims;
    first.words = words;
    first.words_alone = words > 0;
    memset(acts, 0, sizeof *acts);
    acts->seq = seq;
    cell_acts_init(&acts->cell, &rnn->cell, &first, state_dropout, arena);
    deep_acts_init(&acts->deep, &rnn->deep, &dims, arena);
    acts->carry.h = mat_new(arena, seq->sents, units);
    if (rnn->cell.gates->has_c) {
        acts->c = mat_new(arena, seq->rows, units);
        acts->carry.c = mat_new(arena, seq->sents, units);
    }
}

/* The position of the i-th step to run. */
static size_t step_at(const struct packed_seq *seq, size_t i, bool reversed)
{
    return reversed ? seq->steps - 1 - i : i;
}

/* The rows of the i-th step. `running`: sentences that the previous step had, too; the others start here
 * (in a reversed run, they are those whose last token is here). */
static struct cell_rows rows_at(const struct packed_seq *seq, size_t i, bool reversed)
{
    const size_t t = step_at(seq, i, reversed), before = i ? step_at(seq, i - 1, reversed) : t;
    const size_t count = seq->count[t], count_before = i ? seq->count[before] : 0;
    return (struct cell_rows){seq->first[t], count, count < count_before ? count : count_before};
}

/* prev [rows.count] = the previous step's states for running sentences, 0 for the others. */
static void begin_states(struct mat prev, struct const_mat before, size_t running)
{
    mat_copy(mat_rows(prev, 0, running), const_mat_rows(before, 0, running));
    mat_clear(mat_rows(prev, running, prev.rows - running));
}

void rnn_forward(struct mat h, struct rnn_acts *acts, const struct rnn_weights *weights, bool reversed)
{
    const struct packed_seq *seq = acts->seq;
    const struct cell_state states = {h, acts->c};
    struct cell_state before = cell_state_rows(&states, 0, 0);
    ASSERT(h.rows == seq->rows && h.cols == weights->rnn->cell.units);
    for (size_t i = 0; i < seq->steps; i++) {
        const struct cell_rows rows = rows_at(seq, i, reversed);
        const struct cell_state prev = cell_state_rows(&acts->cell.prev, rows.first, rows.count),
                                next = cell_state_rows(&states, rows.first, rows.count);
        begin_states(prev.h, mat_const(before.h), rows.running);
        if (prev.c.data)
            begin_states(prev.c, mat_const(before.c), rows.running);
        cell_forward(&next, &acts->cell, rows, &weights->cell); /* h_t = cell(W_ih x_t, h_{t-1}) */
        deep_forward(&next, &acts->deep, rows, &weights->deep);
        before = next;
    }
}

void rnn_backward(struct rnn_acts *acts, struct const_mat dh, const struct rnn_weights *weights,
                  bool reversed)
{
    const struct packed_seq *seq = acts->seq;
    ASSERT(dh.rows == seq->rows && dh.cols == weights->rnn->cell.units);
    mat_clear(acts->carry.h);
    mat_clear(acts->carry.c);
    for (size_t i = seq->steps; i-- > 0;) {
        const struct cell_rows rows = rows_at(seq, i, reversed);
        const struct cell_state carry = cell_state_rows(&acts->carry, 0, rows.count);
        for (size_t r = 0; r < rows.count; r++) /* gradient from above, added to that from step i + 1 */
            vec_add(mat_row(carry.h, r), const_mat_row(dh, rows.first + r), dh.cols);
        deep_backward(&carry, &acts->deep, rows, &weights->deep);
        cell_backward(&carry, &acts->cell, rows, &weights->cell); /* h_t = cell(W_ih x_t, h_{t-1}) */
    }
}

void rnn_defer_weight_grads(struct grad_terms *terms, const struct rnn_acts *acts, const struct rnn *rnn)
{
    cell_defer_weight_grads(terms, &acts->cell, &rnn->cell);
    deep_defer_weight_grads(terms, &acts->deep, &rnn->deep);
}
