#include "linear.h"

#include "mat.h"
#include "vecmath.h"

void linear_declare(struct linear *linear, struct layout *layout, const char *prefix, size_t inputs,
                    size_t outputs, bool bias)
{
    linear->inputs = inputs;
    linear->outputs = outputs;
    linear->weight = layout_declare(layout, prefix, "weight", outputs, inputs, INIT_GLOROT);
    linear->bias = bias ? layout_declare(layout, prefix, "bias", outputs, 0, INIT_ZERO) : LINEAR_NO_BIAS;
}

void linear_forward(real *y, const real *x, size_t ldx, const struct linear *linear, const real *params,
                    size_t rows, bool add)
{
    const size_t in = linear->inputs, out = linear->outputs;
    mat_nt(y, out, x, ldx, params + linear->weight, in, rows, out, in, add); /* y = x Wᵀ */
    if (linear->bias != LINEAR_NO_BIAS)
        vec_add_to_rows(y, out, params + linear->bias, rows, out); /* y += b */
}

void linear_prepack(struct prepacked *weights, const struct linear *linear, const real *params,
                    struct prepack_list *list)
{
    prepack(weights, params + linear->weight, linear->inputs, linear->outputs, linear->inputs, list);
}

void linear_forward_prepacked(real *y, const real *x, size_t ldx, const struct linear *linear,
                              const struct prepacked *weights, const real *params, size_t rows)
{
    prepacked_product(y, linear->outputs, x, ldx, weights, rows, false); /* y = x Wᵀ */
    if (linear->bias != LINEAR_NO_BIAS)
        vec_add_to_rows(y, linear->outputs, params + linear->bias, rows, linear->outputs); /* y += b */
}

void linear_defer_weight_grads(struct grad_terms *terms, const real *dy, const real *x, size_t ldx,
                               const struct linear *linear, size_t rows)
{
    const size_t in = linear->inputs, out = linear->outputs;
    if (linear->bias != LINEAR_NO_BIAS) /* y += b */
        grad_terms_sum(terms, linear->bias, dy, out, rows);
    /* y = x Wᵀ */
    grad_terms_product(terms, linear->weight, in, dy, out, x, ldx, out, in, rows);
}

void linear_backward(real *dx, size_t lddx, struct grad_terms *terms, const real *dy, const real *x,
                     size_t ldx, const struct linear *linear, const real *params, size_t rows)
{
    linear_defer_weight_grads(terms, dy, x, ldx, linear, rows);
    mat_nn(dx, lddx, dy, linear->outputs, params + linear->weight, linear->inputs, rows, linear->inputs,
           linear->outputs, true);
}
