#include "rnn.h"

#include "vecmath.h"

#include <string.h>

void rnn_declare(struct rnn *rnn, struct layout *layout, const char *prefix, int inputs, int units,
                 int transitions, bool normalized)
{
    gru_declare(&rnn->cell, layout, prefix, inputs, units, normalized);
    deep_declare(&rnn->deep, layout, prefix, units, transitions, normalized);
}

void rnn_pack(struct rnn_weights *weights, const struct rnn *rnn, const real *params, struct packs *packs)
{
    const struct gru *cell = &rnn->cell;
    packed_init_nt(&weights->ih, params + cell->weight_ih, cell->inputs, 3 * cell->units, cell->inputs,
                   packs);
    packed_init_nt(&weights->hh, params + cell->weight_hh, cell->units, 3 * cell->units, cell->units, packs);
    deep_pack(&weights->deep, &rnn->deep, params, packs);
}

void rnn_pack_backward(struct rnn_weights *weights, const struct rnn *rnn, const real *params,
                       struct packs *packs)
{
    const struct gru *cell = &rnn->cell;
    packed_init_nn(&weights->hh, params + cell->weight_hh, cell->units, cell->units, 3 * cell->units, packs);
    deep_pack_backward(&weights->deep, &rnn->deep, params, packs);
}

void rnn_acts_init(struct rnn_acts *acts, const struct rnn *rnn, const struct packing *packing,
                   bool state_dropout, struct arena *arena)
{
    const size_t n = (size_t)packing->rows, u = (size_t)rnn->cell.units, sents = (size_t)packing->sents;
    gru_acts_init(&acts->cell, &rnn->cell, n, arena);
    deep_acts_init(&acts->deep, &rnn->deep, n, arena);
    acts->previous = ARENA_NEW(arena, n * u, real);
    acts->dropped = state_dropout ? ARENA_NEW(arena, n * u, real) : NULL;
    acts->carry = ARENA_NEW(arena, sents * u, real);
    acts->masked = state_dropout ? ARENA_NEW(arena, sents * u, real) : NULL;
}

double rnn_acts_per_row(const struct rnn *rnn)
{
    return gru_acts_per_row(&rnn->cell) + deep_acts_per_row(&rnn->deep) + 2.0 * rnn->cell.units;
}

/* How many of the sentences at step t were running in the step before it, in the running direction; the
 * others (in a reversed run, those that end at t) start from zero. `before` becomes that step. */
static int running_before(const struct packing *packing, int t, bool reversed, int *before)
{
    *before = reversed ? t + 1 : t - 1;
    if (*before < 0)
        return 0;
    return reversed ? packing->count[*before] : packing->count[t];
}

void rnn_forward(real *h, int ldh, struct rnn_acts *acts, const struct rnn *rnn,
                 const struct rnn_weights *weights, const real *params, const struct packing *packing,
                 bool reversed, const struct dropout *state_dropout)
{
    const int units = rnn->cell.units;
    const size_t u = (size_t)units;
    for (int i = 0; i < packing->steps; i++) {
        const int t = reversed ? packing->steps - 1 - i : i;
        int before;
        const int running = running_before(packing, t, reversed, &before);
        const size_t row = (size_t)packing->first[t];
        real *previous = acts->previous + row * u, *hidden = acts->cell.hidden + row * 3 * u;
        const real *input = previous;
        const size_t fresh = (size_t)(packing->count[t] - running);
        memset(previous + (size_t)running * u, 0, fresh * u * sizeof *previous);
        if (running)
            vec_copy_rows(previous, units, h + (size_t)packing->first[before] * (size_t)ldh, ldh, running,
                          units);
        if (acts->dropped) {
            dropout_rows(acts->dropped + row * u, previous, units, state_dropout, packing->count[t], units,
                         false);
            input = acts->dropped + row * u;
        }
        packed_product(hidden, 3 * units, input, units, &weights->hh, running, false); /* W_hh h */
        memset(hidden + (size_t)running * 3 * u, 0, fresh * 3 * u * sizeof *hidden);
        gru_step_forward(h + row * (size_t)ldh, ldh, &acts->cell, row, previous, units, &rnn->cell, params,
                         packing->count[t]);
        deep_forward(h + row * (size_t)ldh, ldh, &acts->deep, row, &rnn->deep, &weights->deep, params,
                     packing->count[t]);
    }
}

void rnn_backward(struct gradients *gradients, struct rnn_acts *acts, const real *dh, int lddh,
                  const struct rnn *rnn, const struct rnn_weights *weights, const real *params,
                  const struct packing *packing, bool reversed, const struct dropout *state_dropout)
{
    const struct gru *cell = &rnn->cell;
    const int units = cell->units, rows = packing->rows;
    const size_t u = (size_t)units;
    real *carry = acts->carry;
    memset(carry, 0, (size_t)packing->sents * u * sizeof *carry);
    for (int i = packing->steps - 1; i >= 0; i--) {
        const int t = reversed ? packing->steps - 1 - i : i;
        int before;
        const int running = running_before(packing, t, reversed, &before);
        const size_t row = (size_t)packing->first[t], count = (size_t)packing->count[t];
        for (size_t r = 0; r < count;
             r++) /* carry = dL/dh_t: from above, and from the step that came after */
            vec_add(carry + r * u, dh + (row + r) * (size_t)lddh, u);
        deep_backward(carry, &acts->deep, row, &rnn->deep, &weights->deep, params, (int)count);
        gru_step_backward(carry, &acts->cell, row, acts->previous + row * u, cell, params, (int)count);
        /* Where a sentence began nothing goes further back, and nothing may linger in its place. */
        memset(carry + (size_t)running * u, 0, (count - (size_t)running) * u * sizeof *carry);
        /* hidden = W_hh h */
        real *to = acts->dropped ? acts->masked : carry;
        packed_product(to, units, acts->cell.hidden + row * 3 * u, 3 * units, &weights->hh, running,
                       !acts->dropped);
        if (acts->dropped)
            dropout_rows(carry, acts->masked, units, state_dropout, running, units, true);
    }
    gru_note_biases(gradients, &acts->cell, cell, rows);
    deep_note_weights(gradients, &acts->deep, &rnn->deep, rows);
    /* W_hh h, all steps at once */
    gradients_product(gradients, cell->weight_hh, units, acts->cell.hidden, 3 * units,
                      acts->dropped ? acts->dropped : acts->previous, units, 3 * units, units, rows);
}
