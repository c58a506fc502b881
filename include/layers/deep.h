/* deep: further transitions within one step of a recurrent network (Pascanu et al. 2014; for translation
 * Miceli Barone et al. 2017, arXiv:1707.07631).
 *
 * The first cell of a step reads the input. Each of these reads only the state of the one before it:
 *
 *   h ← cell_k(h),   k = 2 …
 *
 * U units. Without further transitions (count 0) these functions do nothing. */
#ifndef NMT_DEEP_H
#define NMT_DEEP_H

#include "cell.h"

#define DEEP_MOST 7

struct deep {
    size_t count;
    struct cell cells[DEEP_MOST];
};

struct deep_weights {
    const struct deep *deep;
    struct cell_weights cells[DEEP_MOST];
};

struct deep_acts {
    struct cell_acts cells[DEEP_MOST];
};

/* Declares "prefix.transition2.…" and so on; `transitions` counts the first cell, too. */
void deep_declare(struct deep *deep, struct layout *layout, const char *prefix,
                  const struct cell_choice *choice, size_t transitions);
void deep_prepack(struct deep_weights *weights, const struct deep *deep, const real *params,
                  struct prepack_list *list);
void deep_acts_init(struct deep_acts *acts, const struct deep *deep, const struct cell_dims *dims,
                    struct arena *arena);

/* Transforms the states of a step [rows.count] in place. */
void deep_forward(const struct cell_state *state, struct deep_acts *acts, struct cell_rows rows,
                  const struct deep_weights *weights);
/* dstate: turns the gradient of the last state into that of the first. */
void deep_backward(const struct cell_state *dstate, struct deep_acts *acts, struct cell_rows rows,
                   const struct deep_weights *weights);
/* After the last step: defers the gradients of all weights. */
void deep_defer_weight_grads(struct grad_terms *terms, const struct deep_acts *acts, const struct deep *deep);

#endif
