#include "deep.h"

#include "vecmath.h"

#include <assert.h>
#include <stdio.h>

void deep_declare(struct deep *deep, struct layout *layout, const char *prefix,
                  const struct cell_choice *choice, size_t transitions)
{
    deep->count = transitions - 1;
    assert(transitions >= 1 && deep->count <= DEEP_MOST);
    for (size_t k = 0; k < deep->count; k++) {
        char name[PARAM_MAX_NAME];
        snprintf(name, sizeof name, "%s.transition%zu", prefix, k + 2);
        cell_declare(&deep->cells[k], layout, name, choice, 0);
    }
}

void deep_prepack(struct deep_weights *weights, const struct deep *deep, const real *params,
                  struct prepack_list *list)
{
    for (size_t k = 0; k < deep->count; k++)
        cell_prepack(&weights->cells[k], &deep->cells[k], params, list);
}

void deep_acts_init(struct deep_acts *acts, const struct deep *deep, const struct cell_dims *dims,
                    struct arena *arena)
{
    for (size_t k = 0; k < deep->count; k++)
        cell_acts_init(&acts->cells[k], &deep->cells[k], dims, NULL, arena);
}

double deep_acts_per_row(const struct deep *deep)
{
    return deep->count ? (double)deep->count * cell_acts_per_row(&deep->cells[0]) : 0;
}

void deep_forward(const struct cell_state *state, struct deep_acts *acts, size_t row, const struct deep *deep,
                  const struct deep_weights *weights, const real *params, size_t rows)
{
    for (size_t k = 0; k < deep->count; k++) {
        const struct cell *cell = &deep->cells[k];
        const size_t at = row * cell->units;
        vec_copy_rows(acts->cells[k].h_prev + at, cell->units, state->h, state->ldh, rows, cell->units);
        if (state->c)
            vec_copy_rows(acts->cells[k].c_prev + at, cell->units, state->c, state->ldc, rows, cell->units);
        cell_forward(state, &acts->cells[k], row, cell, &weights->cells[k], params, rows, rows);
    }
}

void deep_backward(real *dh, real *dc, struct deep_acts *acts, size_t row, const struct deep *deep,
                   const struct deep_weights *weights, const real *params, size_t rows)
{
    for (size_t k = deep->count; k-- > 0;)
        cell_backward(dh, dc, &acts->cells[k], row, &deep->cells[k], &weights->cells[k], params, rows, rows);
}

void deep_defer_weight_grads(struct grad_terms *terms, const struct deep_acts *acts, const struct deep *deep,
                             size_t rows)
{
    for (size_t k = 0; k < deep->count; k++)
        cell_defer_weight_grads(terms, &acts->cells[k], &deep->cells[k], rows);
}
