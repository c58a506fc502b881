#include "stack.h"

#include "mat.h"
#include "vecmath.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

void stack_declare(struct stack *stack, struct layout *layout, const char *prefix, int directions, int width,
                   int layers, int transitions, bool normalized)
{
    static const char *const names[2] = {".forward", ".backward"};
    stack->count = layers - 1;
    stack->directions = directions ? directions : 1;
    stack->width = width;
    assert(stack->count >= 0 && stack->count <= STACK_MOST);
    for (int l = 0; l < stack->count; l++)
        for (int d = 0; d < stack->directions; d++) {
            char name[PARAM_MAX_NAME];
            snprintf(name, sizeof name, "%s.layer%d%s", prefix, l + 2, directions ? names[d] : "");
            rnn_declare(&stack->rnns[l][d], layout, name, width, width / stack->directions, transitions,
                        normalized);
        }
}

void stack_pack(struct stack_weights *weights, const struct stack *stack, const real *params,
                struct packs *packs)
{
    for (int l = 0; l < stack->count; l++)
        for (int d = 0; d < stack->directions; d++)
            rnn_pack(&weights->rnns[l][d], &stack->rnns[l][d], params, packs);
}

void stack_pack_backward(struct stack_weights *weights, const struct stack *stack, const real *params,
                         struct packs *packs)
{
    for (int l = 0; l < stack->count; l++)
        for (int d = 0; d < stack->directions; d++)
            rnn_pack_backward(&weights->rnns[l][d], &stack->rnns[l][d], params, packs);
}

void stack_acts_init(struct stack_acts *acts, const struct stack *stack, const struct packing *packing,
                     const struct stack_noise *noise, struct arena *arena)
{
    for (int l = 0; l < stack->count; l++) {
        for (int d = 0; d < stack->directions; d++)
            rnn_acts_init(&acts->rnns[l][d], &stack->rnns[l][d], packing, noise->state[l][d].rate > 0, arena);
        const size_t size = (size_t)packing->rows * (size_t)stack->width;
        acts->out[l] = ARENA_NEW(arena, size, real);
        acts->dropped[l] = noise->input[l].rate > 0 ? ARENA_NEW(arena, size, real) : NULL;
    }
}

double stack_acts_per_row(const struct stack *stack)
{
    return stack->count * (stack->directions * rnn_acts_per_row(&stack->rnns[0][0]) + 2.0 * stack->width);
}

real *stack_forward(real *x, struct stack_acts *acts, const struct stack *stack,
                    const struct stack_weights *weights, const real *params, const struct packing *packing,
                    const struct stack_noise *noise)
{
    const int width = stack->width, units = width / stack->directions, rows = packing->rows;
    const size_t size = (size_t)rows * (size_t)width;
    for (int l = 0; l < stack->count; l++) {
        real *read = x;
        if (noise->input[l].rate > 0) {
            read = acts->dropped[l];
            memcpy(read, x, size * sizeof *x);
            dropout_apply(read, &noise->input[l], size);
        }
        acts->read[l] = read;
        for (int d = 0; d < stack->directions; d++) {
            struct rnn_acts *rnn = &acts->rnns[l][d];
            packed_product(rnn->cell.gates, 3 * units, read, width, &weights->rnns[l][d].ih, rows, false);
            rnn_forward(acts->out[l] + d * units, width, rnn, &stack->rnns[l][d], &weights->rnns[l][d],
                        params, packing, d == 1, &noise->state[l][d]);
        }
        vec_add(acts->out[l], x, size);
        x = acts->out[l];
    }
    return x;
}

void stack_backward(real *dx, struct gradients *gradients, struct stack_acts *acts, const struct stack *stack,
                    const struct stack_weights *weights, const real *params, const struct packing *packing,
                    const struct stack_noise *noise, struct arena *arena)
{
    const int width = stack->width, units = width / stack->directions, rows = packing->rows;
    const size_t size = (size_t)rows * (size_t)width;
    for (int l = stack->count - 1; l >= 0; l--) {
        real *dread = ARENA_ZERO(arena, size, real);
        for (int d = 0; d < stack->directions; d++) {
            const size_t weight = stack->rnns[l][d].cell.weight_ih;
            struct rnn_acts *rnn = &acts->rnns[l][d];
            rnn_backward(gradients, rnn, dx + d * units, width, &stack->rnns[l][d], &weights->rnns[l][d],
                         params, packing, d == 1, &noise->state[l][d]);
            /* W_ih read */
            gradients_product(gradients, weight, width, rnn->cell.gates, 3 * units, acts->read[l], width,
                              3 * units, width, rows);
            mat_nn(dread, width, rnn->cell.gates, 3 * units, params + weight, width, rows, width, 3 * units,
                   true);
        }
        dropout_apply(dread, &noise->input[l], size); /* read = dropout(x) */
        vec_add(dx, dread, size);
    }
}
