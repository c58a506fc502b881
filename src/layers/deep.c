#include "deep.h"

#include "vecmath.h"

#include <assert.h>
#include <stdio.h>

void deep_declare(struct deep *deep, struct layout *layout, const char *prefix, int units, int transitions,
                  bool normalized)
{
    deep->count = transitions - 1;
    assert(deep->count >= 0 && deep->count <= DEEP_MOST);
    for (int k = 0; k < deep->count; k++) {
        char name[PARAM_MAX_NAME];
        snprintf(name, sizeof name, "%s.transition%d", prefix, k + 2);
        gru_declare(&deep->cells[k], layout, name, 0, units, normalized);
    }
}

void deep_pack(struct deep_weights *weights, const struct deep *deep, const real *params, struct packs *packs)
{
    for (int k = 0; k < deep->count; k++) {
        const int units = deep->cells[k].units;
        packed_init_nt(&weights->hh[k], params + deep->cells[k].weight_hh, units, 3 * units, units, packs);
    }
}

void deep_pack_backward(struct deep_weights *weights, const struct deep *deep, const real *params,
                        struct packs *packs)
{
    for (int k = 0; k < deep->count; k++) {
        const int units = deep->cells[k].units;
        packed_init_nn(&weights->hh[k], params + deep->cells[k].weight_hh, units, units, 3 * units, packs);
    }
}

void deep_acts_init(struct deep_acts *acts, const struct deep *deep, size_t rows, struct arena *arena)
{
    for (int k = 0; k < deep->count; k++) {
        gru_acts_init(&acts->cells[k], &deep->cells[k], rows, arena);
        acts->before[k] = ARENA_NEW(arena, rows * (size_t)deep->cells[k].units, real);
    }
}

double deep_acts_per_row(const struct deep *deep)
{
    return deep->count ? deep->count * (gru_acts_per_row(&deep->cells[0]) + deep->cells[0].units) : 0;
}

void deep_forward(real *h, int ldh, struct deep_acts *acts, size_t row, const struct deep *deep,
                  const struct deep_weights *weights, const real *params, int rows)
{
    for (int k = 0; k < deep->count; k++) {
        const int units = deep->cells[k].units;
        const size_t u = (size_t)units;
        real *before = acts->before[k] + row * u;
        vec_copy_rows(before, units, h, ldh, rows, units);
        packed_product(acts->cells[k].hidden + row * 3 * u, 3 * units, before, units, &weights->hh[k], rows,
                       false); /* W_hh h */
        gru_step_forward(h, ldh, &acts->cells[k], row, before, units, &deep->cells[k], params, rows);
    }
}

void deep_backward(real *dh, struct deep_acts *acts, size_t row, const struct deep *deep,
                   const struct deep_weights *weights, const real *params, int rows)
{
    for (int k = deep->count - 1; k >= 0; k--) {
        const int units = deep->cells[k].units;
        const size_t u = (size_t)units;
        gru_step_backward(dh, &acts->cells[k], row, acts->before[k] + row * u, &deep->cells[k], params, rows);
        packed_product(dh, units, acts->cells[k].hidden + row * 3 * u, 3 * units, &weights->hh[k], rows,
                       true); /* W_hh h */
    }
}

void deep_note_weights(struct gradients *gradients, const struct deep_acts *acts, const struct deep *deep,
                       int rows)
{
    for (int k = 0; k < deep->count; k++) {
        const struct gru *cell = &deep->cells[k];
        gru_note_biases(gradients, &acts->cells[k], cell, rows);
        gradients_product(gradients, cell->weight_hh, cell->units, acts->cells[k].hidden, 3 * cell->units,
                          acts->before[k], cell->units, 3 * cell->units, cell->units, rows); /* W_hh h */
    }
}
