#include "rnn.h"

#include "vecmath.h"

#include <string.h>

void rnn_declare(struct rnn *rnn, struct layout *layout, const char *prefix, const struct gates *gates,
                 int inputs, int units, int transitions, bool normalized)
{
    cell_declare(&rnn->cell, layout, prefix, gates, inputs, units, normalized);
    deep_declare(&rnn->deep, layout, prefix, gates, units, transitions, normalized);
}

void rnn_prepack(struct rnn_weights *weights, const struct rnn *rnn, const real *params,
                 struct prepack_list *list)
{
    const struct cell *cell = &rnn->cell;
    if (list->direction == FORWARD)
        prepack(&weights->ih, params + cell->weight_ih, cell->inputs, cell_width(cell), cell->inputs, list);
    cell_prepack(&weights->cell, cell, params, list);
    deep_prepack(&weights->deep, &rnn->deep, params, list);
}

void rnn_acts_init(struct rnn_acts *acts, const struct rnn *rnn, const struct packed_seq *seq, int words,
                   const struct dropout *state_dropout, struct arena *arena)
{
    const size_t n = (size_t)seq->rows, u = (size_t)rnn->cell.units, sents = (size_t)seq->sents;
    const bool has_c = rnn->cell.gates->has_c;
    const struct cell_room room = {
        .rows = n, .most = seq->sents, .words = words, .state_dropout = state_dropout};
    cell_acts_init(&acts->cell, &rnn->cell, &room, arena);
    deep_acts_init(&acts->deep, &rnn->deep, n, seq->sents, arena);
    acts->c = has_c ? ARENA_NEW(arena, n * u, real) : NULL;
    acts->carry = ARENA_NEW(arena, sents * u, real);
    acts->dc_carry = has_c ? ARENA_NEW(arena, sents * u, real) : NULL;
}

double rnn_acts_per_row(const struct rnn *rnn)
{
    return cell_acts_per_row(&rnn->cell) + deep_acts_per_row(&rnn->deep) + 2.0 * rnn->cell.units;
}

/* How many of the sentences at step t were running in the step before it, in the running direction; the
 * others (in a reversed run, those that end at t) start from zero. `before` becomes that step. */
static int running_before(const struct packed_seq *seq, int t, bool reversed, int *before)
{
    *before = reversed ? t + 1 : t - 1;
    if (*before < 0)
        return 0;
    return reversed ? seq->count[*before] : seq->count[t];
}

/* to [count][U] = the states `from` of the sentences that are running, 0 for the others. */
static void begin_states(real *to, const real *from, int ld, int running, int count, int units)
{
    if (running)
        vec_copy_rows(to, units, from, ld, running, units);
    memset(to + (size_t)running * (size_t)units, 0, (size_t)(count - running) * (size_t)units * sizeof *to);
}

void rnn_forward(real *h, int ldh, struct rnn_acts *acts, const struct rnn *rnn,
                 const struct rnn_weights *weights, const real *params, const struct packed_seq *seq,
                 bool reversed)
{
    const int units = rnn->cell.units;
    const size_t u = (size_t)units, ld = (size_t)ldh;
    real *c = acts->c;
    for (int i = 0; i < seq->steps; i++) {
        const int t = reversed ? seq->steps - 1 - i : i, count = seq->count[t];
        int before;
        const int running = running_before(seq, t, reversed, &before);
        const size_t row = (size_t)seq->first[t], then = running ? (size_t)seq->first[before] : 0;
        begin_states(acts->cell.h_prev + row * u, h + then * ld, ldh, running, count, units);
        if (c)
            begin_states(acts->cell.c_prev + row * u, c + then * u, units, running, count, units);
        const struct cell_state state = {h + row * ld, ldh, c ? c + row * u : NULL, units};
        cell_forward(&state, &acts->cell, row, &rnn->cell, &weights->cell, params, count, running);
        deep_forward(&state, &acts->deep, row, &rnn->deep, &weights->deep, params, count);
    }
}

void rnn_backward(struct rnn_acts *acts, const real *dh, int lddh, const struct rnn *rnn,
                  const struct rnn_weights *weights, const real *params, const struct packed_seq *seq,
                  bool reversed)
{
    const size_t u = (size_t)rnn->cell.units, size = (size_t)seq->sents * u;
    real *carry = acts->carry, *dc_carry = acts->dc_carry;
    memset(carry, 0, size * sizeof *carry);
    if (dc_carry)
        memset(dc_carry, 0, size * sizeof *dc_carry);
    for (int i = seq->steps - 1; i >= 0; i--) {
        const int t = reversed ? seq->steps - 1 - i : i, count = seq->count[t];
        int before;
        const int running = running_before(seq, t, reversed, &before);
        const size_t row = (size_t)seq->first[t];
        for (size_t r = 0; r < (size_t)count; r++) /* from above, and from the step that came after */
            vec_add(carry + r * u, dh + (row + r) * (size_t)lddh, u);
        deep_backward(carry, dc_carry, &acts->deep, row, &rnn->deep, &weights->deep, params, count);
        cell_backward(carry, dc_carry, &acts->cell, row, &rnn->cell, &weights->cell, params, count, running);
    }
}

void rnn_defer_weight_grads(struct grad_terms *terms, const struct rnn_acts *acts, const struct rnn *rnn,
                            int rows)
{
    cell_defer_weight_grads(terms, &acts->cell, &rnn->cell, rows);
    deep_defer_weight_grads(terms, &acts->deep, &rnn->deep, rows);
}
