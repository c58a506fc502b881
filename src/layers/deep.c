/* The further transitions of a step, each applied to the states of the one before. A transition's
 * arithmetic is in cell.c. */
#include "deep.h"

#include "err.h"

#include <stdio.h>

void deep_declare(struct deep *deep, struct layout *layout, const char *prefix,
                  const struct cell_choice *choice, size_t transitions)
{
    deep->count = transitions - 1;
    ASSERT(transitions >= 1 && deep->count <= DEEP_MOST);
    for (size_t k = 0; k < deep->count; k++) {
        char name[PARAM_MAX_NAME];
        snprintf(name, sizeof name, "%s.transition%zu", prefix, k + 2);
        cell_declare(&deep->cells[k], layout, name, choice, 0);
    }
}

void deep_prepack(struct deep_weights *weights, const struct deep *deep, const real *params,
                  struct prepack_list *list)
{
    weights->deep = deep;
    for (size_t k = 0; k < deep->count; k++)
        cell_prepack(&weights->cells[k], &deep->cells[k], params, list);
}

void deep_acts_init(struct deep_acts *acts, const struct deep *deep, const struct cell_dims *dims,
                    struct arena *arena)
{
    for (size_t k = 0; k < deep->count; k++)
        cell_acts_init(&acts->cells[k], &deep->cells[k], dims, NULL, arena);
}

/* The step's first cell has made a state for every row, so none starts from 0. */
static struct cell_rows all_running(struct cell_rows rows)
{
    return (struct cell_rows){rows.first, rows.count, rows.count};
}

void deep_forward(const struct cell_state *state, struct deep_acts *acts, struct cell_rows rows,
                  const struct deep_weights *weights)
{
    for (size_t k = 0; k < weights->deep->count; k++) {
        struct cell_acts *cell = &acts->cells[k];
        const struct cell_state prev = cell_state_rows(&cell->prev, rows.first, rows.count);
        mat_copy(prev.h, mat_const(state->h));
        mat_copy(prev.c, mat_const(state->c));
        cell_forward(state, cell, all_running(rows), &weights->cells[k]); /* h ← cell_k(h) */
    }
}

void deep_backward(const struct cell_state *dstate, struct deep_acts *acts, struct cell_rows rows,
                   const struct deep_weights *weights)
{
    for (size_t k = weights->deep->count; k-- > 0;)
        cell_backward(dstate, &acts->cells[k], all_running(rows), &weights->cells[k]); /* h ← cell_k(h) */
}

void deep_defer_weight_grads(struct grad_terms *terms, const struct deep_acts *acts, const struct deep *deep)
{
    for (size_t k = 0; k < deep->count; k++)
        cell_defer_weight_grads(terms, &acts->cells[k], &deep->cells[k]);
}
