/* linear: y = x Wᵀ + b, and a row look-up in a table of embeddings. */
#ifndef NMT_LINEAR_H
#define NMT_LINEAR_H

#include "grad_terms.h"
#include "layout.h"
#include "prepacked.h"
#include "real.h"

#include <stdbool.h>

struct linear {
    int inputs, outputs;
    size_t weight; /* [outputs][inputs] */
    size_t bias;   /* [outputs]; LINEAR_NO_BIAS where there is none */
};

#define LINEAR_NO_BIAS ((size_t)-1)

void linear_declare(struct linear *linear, struct layout *layout, const char *prefix, int inputs, int outputs,
                    bool bias);

/* y [rows][outputs] = x [rows][inputs, ldx] Wᵀ + b; with `add`, y += x Wᵀ + b. Keeps nothing: backward needs
 * x. */
void linear_forward(real *y, const real *x, int ldx, const struct linear *linear, const real *params,
                    int rows, bool add);
/* The weights prepacked for many products with few rows. */
void linear_prepack(struct prepacked *weights, const struct linear *linear, const real *params,
                    struct prepack_list *list);
void linear_forward_prepacked(real *y, const real *x, int ldx, const struct linear *linear,
                              const struct prepacked *weights, const real *params, int rows);
/* Defers dW and db. */
void linear_defer_weight_grads(struct grad_terms *terms, const real *dy, const real *x, int ldx,
                               const struct linear *linear, int rows);
/* Defers dW and db, adds to dx [rows][inputs, ldx]. */
void linear_backward(real *dx, int lddx, struct grad_terms *terms, const real *dy, const real *x, int ldx,
                     const struct linear *linear, const real *params, int rows);

#endif
