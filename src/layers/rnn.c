#include "rnn.h"

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
    if (list->direction == FORWARD)
        prepack(&weights->ih, const_mat_of(params + cell->weight_ih, cell_width(cell), cell->inputs), list);
    cell_prepack(&weights->cell, cell, params, list);
    deep_prepack(&weights->deep, &rnn->deep, params, list);
}

void rnn_acts_init(struct rnn_acts *acts, const struct rnn *rnn, const struct packed_seq *seq, size_t words,
                   const struct dropout *state_dropout, struct arena *arena)
{
    const size_t n = seq->rows, u = rnn->cell.units, sents = seq->sents;
    const bool has_c = rnn->cell.gates->has_c;
    const struct cell_dims dims = {.rows = n, .step_rows = sents, .words = words};
    cell_acts_init(&acts->cell, &rnn->cell, &dims, state_dropout, arena);
    deep_acts_init(&acts->deep, &rnn->deep, &dims, arena);
    acts->c = has_c ? ARENA_NEW(arena, n * u, real) : NULL;
    acts->carry = ARENA_NEW(arena, sents * u, real);
    acts->dc_carry = has_c ? ARENA_NEW(arena, sents * u, real) : NULL;
}

double rnn_acts_per_row(const struct rnn *rnn)
{
    return cell_acts_per_row(&rnn->cell) + deep_acts_per_row(&rnn->deep) + 2.0 * (double)rnn->cell.units;
}

/* How many of the sentences at step t were running in the step before it, in the running direction; the
 * others (in a reversed run, those that end at t) start from zero. `before` becomes that step. */
static size_t running_before(const struct packed_seq *seq, size_t t, bool reversed, size_t *before)
{
    if (!reversed && t == 0)
        return 0;
    *before = reversed ? t + 1 : t - 1;
    return reversed ? seq->count[*before] : seq->count[t];
}

/* to [count][U] = the states `from` of the sentences that are running, 0 for the others. */
static void begin_states(real *to, const real *from, size_t ld, size_t running, size_t count, size_t units)
{
    if (running)
        vec_copy_rows(to, units, from, ld, running, units);
    memset(to + running * units, 0, (count - running) * units * sizeof *to);
}

void rnn_forward(real *h, size_t ldh, struct rnn_acts *acts, const struct rnn *rnn,
                 const struct rnn_weights *weights, const real *params, const struct packed_seq *seq,
                 bool reversed)
{
    const size_t units = rnn->cell.units;
    const size_t u = units, ld = ldh;
    real *c = acts->c;
    for (size_t i = 0; i < seq->steps; i++) {
        const size_t t = reversed ? seq->steps - 1 - i : i, count = seq->count[t];
        size_t before = 0;
        const size_t running = running_before(seq, t, reversed, &before);
        const size_t row = seq->first[t], then = running ? seq->first[before] : 0;
        begin_states(acts->cell.h_prev + row * u, h + then * ld, ldh, running, count, units);
        if (c)
            begin_states(acts->cell.c_prev + row * u, c + then * u, units, running, count, units);
        const struct cell_state state = {h + row * ld, ldh, c ? c + row * u : NULL, units};
        cell_forward(&state, &acts->cell, row, &rnn->cell, &weights->cell, params, count, running);
        deep_forward(&state, &acts->deep, row, &rnn->deep, &weights->deep, params, count);
    }
}

void rnn_backward(struct rnn_acts *acts, const real *dh, size_t lddh, const struct rnn *rnn,
                  const struct rnn_weights *weights, const real *params, const struct packed_seq *seq,
                  bool reversed)
{
    const size_t u = rnn->cell.units, size = seq->sents * u;
    real *carry = acts->carry, *dc_carry = acts->dc_carry;
    memset(carry, 0, size * sizeof *carry);
    if (dc_carry)
        memset(dc_carry, 0, size * sizeof *dc_carry);
    for (size_t i = seq->steps; i-- > 0;) {
        const size_t t = reversed ? seq->steps - 1 - i : i, count = seq->count[t];
        size_t before = 0;
        const size_t running = running_before(seq, t, reversed, &before);
        const size_t row = seq->first[t];
        for (size_t r = 0; r < count; r++) /* from above, and from the step that came after */
            vec_add(carry + r * u, dh + (row + r) * lddh, u);
        deep_backward(carry, dc_carry, &acts->deep, row, &rnn->deep, &weights->deep, params, count);
        cell_backward(carry, dc_carry, &acts->cell, row, &rnn->cell, &weights->cell, params, count, running);
    }
}

void rnn_defer_weight_grads(struct grad_terms *terms, const struct rnn_acts *acts, const struct rnn *rnn,
                            size_t rows)
{
    cell_defer_weight_grads(terms, &acts->cell, &rnn->cell, rows);
    deep_defer_weight_grads(terms, &acts->deep, &rnn->deep, rows);
}
