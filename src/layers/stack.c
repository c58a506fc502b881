/* The layers above the first, with residual connections and dropout. Each direction of a layer is an rnn. */
#include "stack.h"

#include "err.h"
#include "vecmath.h"

#include <stdio.h>

void stack_declare(struct stack *stack, struct layout *layout, const char *prefix,
                   const struct cell_choice *choice, size_t directions, size_t layers, size_t transitions)
{
    static const char *const names[2] = {".forward", ".backward"};
    ASSERT(directions <= 2 && layers >= 1 && layers - 1 <= STACK_MOST);
    stack->count = layers - 1;
    const size_t each = directions ? directions : 1;
    stack->directions = each;
    stack->width = each * choice->units;
    for (size_t l = 0; l < stack->count; l++)
        for (size_t d = 0; d < each; d++) {
            char name[PARAM_MAX_NAME];
            snprintf(name, sizeof name, "%s.layer%zu%s", prefix, l + 2, directions ? names[d] : "");
            rnn_declare(&stack->rnns[l][d], layout, name, choice, stack->width, transitions);
        }
}

void stack_prepack(struct stack_weights *weights, const struct stack *stack, const real *params,
                   struct prepack_list *list)
{
    weights->stack = stack;
    for (size_t l = 0; l < stack->count; l++)
        for (size_t d = 0; d < stack->directions; d++)
            rnn_prepack(&weights->rnns[l][d], &stack->rnns[l][d], params, list);
}

void stack_acts_init(struct stack_acts *acts, const struct stack *stack, const struct packed_seq *seq,
                     const struct stack_dropout *dropout, struct arena *arena)
{
    acts->dropout = dropout;
    for (size_t l = 0; l < stack->count; l++) {
        for (size_t d = 0; d < stack->directions; d++)
            rnn_acts_init(&acts->rnns[l][d], &stack->rnns[l][d], seq, 0, &dropout->state[l][d], arena);
        acts->out[l] = mat_new(arena, seq->rows, stack->width);
        acts->dropped[l] =
            dropout->input[l].rate > 0 ? mat_new(arena, seq->rows, stack->width) : (struct mat){0};
    }
}

void stack_acts_init_backward(struct stack_acts *acts, const struct stack *stack, size_t rows,
                              struct arena *arena)
{
    acts->dread = stack->count ? mat_new(arena, rows, stack->width) : (struct mat){0};
}

/* dropout(x) */
static struct const_mat dropped_input(struct mat x, struct stack_acts *acts, size_t layer)
{
    const struct mat dropped = acts->dropped[layer];
    if (!dropped.data)
        return mat_const(x);
    mat_copy(dropped, mat_const(x));
    dropout_apply(dropped, &acts->dropout->input[layer]);
    return mat_const(dropped);
}

struct mat stack_forward(struct mat x, struct stack_acts *acts, const struct stack_weights *weights)
{
    const struct stack *stack = weights->stack;
    const size_t units = stack->width / stack->directions;
    ASSERT(x.cols == stack->width && x.ld == x.cols);
    for (size_t l = 0; l < stack->count; l++) {
        const struct mat out = acts->out[l];
        const struct const_mat read = acts->read[l] = dropped_input(x, acts, l);
        for (size_t d = 0; d < stack->directions; d++) {
            struct rnn_acts *rnn = &acts->rnns[l][d];
            prepacked_product(rnn->cell.products, read, &weights->rnns[l][d].ih, false); /* W_ih read */
            rnn_forward(mat_cols(out, d * units, units), rnn, &weights->rnns[l][d], d == 1);
        }
        vec_add(out.data, x.data, x.rows * x.cols); /* x ← x + rnn(read) */
        x = out;
    }
    return x;
}

void stack_backward(struct mat dx, struct grad_terms *terms, struct stack_acts *acts,
                    const struct stack_weights *weights)
{
    const struct stack *stack = weights->stack;
    const size_t units = stack->width / stack->directions;
    const struct mat dread = acts->dread;
    ASSERT(dx.cols == stack->width && dx.ld == dx.cols);
    ASSERT(!stack->count || dread.rows == dx.rows);
    for (size_t l = stack->count; l-- > 0;) {
        mat_clear(dread);
        for (size_t d = 0; d < stack->directions; d++) { /* x ← x + rnn(read) */
            const struct rnn_weights *rnn = &weights->rnns[l][d];
            const struct cell *cell = &rnn->rnn->cell;
            const struct const_mat dproducts = mat_const(acts->rnns[l][d].cell.products);
            rnn_backward(&acts->rnns[l][d], mat_const(mat_cols(dx, d * units, units)), rnn, d == 1);
            rnn_defer_weight_grads(terms, &acts->rnns[l][d], rnn->rnn);
            /* W_ih read */
            grad_terms_product(terms, cell->weight_ih, cell->inputs, dproducts, acts->read[l]);
            prepacked_product(dread, dproducts, &rnn->ih, true);
        }
        dropout_apply(dread, &acts->dropout->input[l]); /* read = dropout(x) */
        vec_add(dx.data, dread.data, dx.rows * dx.cols);
    }
}
