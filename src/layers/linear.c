/* A linear layer, forward and backward. The products are in math/. */
#include "linear.h"

#include "err.h"
#include "vecmath.h"

void linear_declare(struct linear *linear, struct layout *layout, const char *prefix, size_t inputs,
                    size_t outputs, bool bias)
{
    linear->inputs = inputs;
    linear->outputs = outputs;
    linear->weight = layout_declare(layout, prefix, "weight", outputs, inputs, INIT_GLOROT);
    linear->bias = bias ? layout_declare(layout, prefix, "bias", outputs, 0, INIT_ZERO) : LINEAR_NO_BIAS;
}

static void add_bias(struct mat y, const struct linear *linear, const real *params)
{
    if (linear->bias != LINEAR_NO_BIAS)
        vec_add_to_rows(y, params + linear->bias);
}

struct const_mat linear_weight(const struct linear *linear, const real *params)
{
    return const_mat_of(params + linear->weight, linear->outputs, linear->inputs);
}

void linear_prepack(struct prepacked *weights, const struct linear *linear, const real *params,
                    struct prepack_list *list)
{
    prepack(weights, linear_weight(linear, params), list);
}

void linear_forward(struct mat y, struct const_mat x, const struct linear *linear,
                    const struct prepacked *weights, const real *params, bool add)
{
    prepacked_product(y, x, weights, add); /* y = x Wᵀ */
    add_bias(y, linear, params);           /* y += b */
}

void linear_defer_weight_grads(struct grad_terms *terms, struct const_mat dy, struct const_mat x,
                               const struct linear *linear)
{
    ASSERT(dy.cols == linear->outputs && x.cols == linear->inputs);
    if (linear->bias != LINEAR_NO_BIAS) /* y += b */
        grad_terms_sum(terms, linear->bias, dy);
    grad_terms_product(terms, linear->weight, linear->inputs, dy, x); /* y = x Wᵀ */
}

void linear_backward(struct mat dx, struct grad_terms *terms, struct const_mat dy, struct const_mat x,
                     const struct linear *linear, const struct prepacked *weights)
{
    linear_defer_weight_grads(terms, dy, x, linear);
    prepacked_product(dx, dy, weights, true); /* y = x Wᵀ */
}
