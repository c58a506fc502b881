/* linear: y = x Wᵀ + b. */
#ifndef NMT_LINEAR_H
#define NMT_LINEAR_H

#include "grad_terms.h"
#include "layout.h"
#include "prepacked.h"
#include "real.h"

#include <stdbool.h>
#include <stdint.h>

struct linear {
    size_t inputs, outputs;
    size_t weight; /* [outputs][inputs] */
    size_t bias;   /* [outputs]; LINEAR_NO_BIAS if there is none */
};

#define LINEAR_NO_BIAS SIZE_MAX

void linear_declare(struct linear *linear, struct layout *layout, const char *prefix, size_t inputs,
                    size_t outputs, bool bias);

/* W, to be listed for prepacking. */
struct const_mat linear_weight(const struct linear *linear, const real *params);
/* Lists W for many products with few rows. */
void linear_prepack(struct prepacked *weights, const struct linear *linear, const real *params,
                    struct prepack_list *list);
/* y [rows][outputs] = x [rows][inputs] Wᵀ + b; with `add`, y += x Wᵀ + b; W is prepacked. Stores nothing:
 * backward needs x. */
void linear_forward(struct mat y, struct const_mat x, const struct linear *linear,
                    const struct prepacked *weights, const real *params, bool add);
/* Defers dW and db; dy [rows][outputs]. */
void linear_defer_weight_grads(struct grad_terms *terms, struct const_mat dy, struct const_mat x,
                               const struct linear *linear);
/* Defers dW and db, adds to dx [rows][inputs]; W is prepacked for the backward pass. */
void linear_backward(struct mat dx, struct grad_terms *terms, struct const_mat dy, struct const_mat x,
                     const struct linear *linear, const struct prepacked *weights);

#endif
