#include "stack.h"

#include "mat.h"
#include "vecmath.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

void stack_declare(struct stack *stack, struct layout *layout, const char *prefix,
                   const struct cell_choice *choice, size_t directions, size_t layers, size_t transitions)
{
    static const char *const names[2] = {".forward", ".backward"};
    assert(directions <= 2 && layers >= 1 && layers - 1 <= STACK_MOST);
    stack->count = layers - 1;
    stack->directions = directions ? directions : 1;
    stack->width = stack->directions * choice->units;
    for (size_t l = 0; l < stack->count; l++)
        for (size_t d = 0; d < stack->directions; d++) {
            char name[PARAM_MAX_NAME];
            snprintf(name, sizeof name, "%s.layer%zu%s", prefix, l + 2, directions ? names[d] : "");
            rnn_declare(&stack->rnns[l][d], layout, name, choice, stack->width, transitions);
        }
}

void stack_prepack(struct stack_weights *weights, const struct stack *stack, const real *params,
                   struct prepack_list *list)
{
    for (size_t l = 0; l < stack->count; l++)
        for (size_t d = 0; d < stack->directions; d++)
            rnn_prepack(&weights->rnns[l][d], &stack->rnns[l][d], params, list);
}

void stack_acts_init(struct stack_acts *acts, const struct stack *stack, const struct packed_seq *seq,
                     const struct stack_dropout *dropout, struct arena *arena)
{
    for (size_t l = 0; l < stack->count; l++) {
        for (size_t d = 0; d < stack->directions; d++)
            rnn_acts_init(&acts->rnns[l][d], &stack->rnns[l][d], seq, 0, &dropout->state[l][d], arena);
        const size_t size = seq->rows * stack->width;
        acts->out[l] = ARENA_NEW(arena, size, real);
        acts->dropped[l] = dropout->input[l].rate > 0 ? ARENA_NEW(arena, size, real) : NULL;
    }
}

double stack_acts_per_row(const struct stack *stack)
{
    return stack->count
               ? (double)stack->count * ((double)stack->directions * rnn_acts_per_row(&stack->rnns[0][0]) +
                                         2.0 * (double)stack->width)
               : 0;
}

real *stack_forward(real *x, struct stack_acts *acts, const struct stack *stack,
                    const struct stack_weights *weights, const real *params, const struct packed_seq *seq,
                    const struct stack_dropout *dropout)
{
    const size_t width = stack->width, units = width / stack->directions, rows = seq->rows;
    const size_t size = rows * width;
    for (size_t l = 0; l < stack->count; l++) {
        real *read = x;
        if (dropout->input[l].rate > 0) {
            read = acts->dropped[l];
            memcpy(read, x, size * sizeof *x);
            dropout_apply(read, &dropout->input[l], size);
        }
        acts->read[l] = read;
        for (size_t d = 0; d < stack->directions; d++) {
            struct rnn_acts *rnn = &acts->rnns[l][d];
            prepacked_product(mat_ld(rnn->cell.products, rows, weights->rnns[l][d].ih.n,
                                     cell_width(&stack->rnns[l][d].cell)),
                              const_mat_ld(read, rows, weights->rnns[l][d].ih.k, width),
                              &weights->rnns[l][d].ih, false); /* W_ih read */
            rnn_forward(acts->out[l] + d * units, width, rnn, &stack->rnns[l][d], &weights->rnns[l][d],
                        params, seq, d == 1);
        }
        vec_add(acts->out[l], x, size);
        x = acts->out[l];
    }
    return x;
}

void stack_backward(real *dx, struct grad_terms *terms, struct stack_acts *acts, const struct stack *stack,
                    const struct stack_weights *weights, const real *params, const struct packed_seq *seq,
                    const struct stack_dropout *dropout, struct arena *arena)
{
    const size_t width = stack->width, units = width / stack->directions, rows = seq->rows;
    const size_t size = rows * width;
    for (size_t l = stack->count; l-- > 0;) {
        real *dread = ARENA_ZERO(arena, size, real);
        for (size_t d = 0; d < stack->directions; d++) {
            const struct rnn *rnn = &stack->rnns[l][d];
            const real *dproducts = acts->rnns[l][d].cell.products;
            const size_t gates = cell_width(&rnn->cell);
            rnn_backward(&acts->rnns[l][d], dx + d * units, width, rnn, &weights->rnns[l][d], params, seq,
                         d == 1);
            rnn_defer_weight_grads(terms, &acts->rnns[l][d], rnn, rows);
            /* W_ih read */
            grad_terms_product(terms, rnn->cell.weight_ih, width, const_mat_of(dproducts, rows, gates),
                               const_mat_of(acts->read[l], rows, width));
            mat_nn(mat_of(dread, rows, width), const_mat_of(dproducts, rows, gates),
                   const_mat_of(params + rnn->cell.weight_ih, gates, width), true);
        }
        dropout_apply(dread, &dropout->input[l], size); /* read = dropout(x) */
        vec_add(dx, dread, size);
    }
}
