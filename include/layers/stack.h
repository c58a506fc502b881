/* stack: recurrent layers above the first, with residual connections (He et al. 2016; in recurrent
 * translation Wu et al. 2016, arXiv:1609.08144):
 *
 *   x ← x + [→rnn(dropout(x)) ; ←rnn(dropout(x))]
 *
 * x is K wide: K units in one direction, or K / 2 in each of two. Each layer's first states are zero. */
#ifndef NMT_STACK_H
#define NMT_STACK_H

#include "rnn.h"

#define STACK_MOST 3

struct stack {
    size_t count; /* layers above the first; 0: x is unchanged */
    size_t directions, width;
    struct rnn rnns[STACK_MOST][2];
};

struct stack_dropout {
    struct dropout input[STACK_MOST], state[STACK_MOST][2];
};

struct stack_weights {
    const struct stack *stack;
    struct rnn_weights rnns[STACK_MOST][2];
};

struct stack_acts {
    const struct stack_dropout *dropout;
    struct rnn_acts rnns[STACK_MOST][2];
    struct const_mat read[STACK_MOST]; /* [N][K]: the input of W_ih */
    struct mat dropped[STACK_MOST];    /* [N][K]: x after dropout, if any */
    struct mat out[STACK_MOST];        /* [N][K] */
    struct mat dread;                  /* [N][K]: for backward, used for each layer in turn */
};

/* `layers` counts the first, too. Parameters are named "prefix.layer2" and so on, followed by ".forward"
 * and ".backward" if `directions` is 1 or 2; 0 means one direction without a name. */
void stack_declare(struct stack *stack, struct layout *layout, const char *prefix,
                   const struct cell_choice *choice, size_t directions, size_t layers, size_t transitions);
void stack_prepack(struct stack_weights *weights, const struct stack *stack, const real *params,
                   struct prepack_list *list);
/* seq and dropout must outlive the acts. */
void stack_acts_init(struct stack_acts *acts, const struct stack *stack, const struct packed_seq *seq,
                     const struct stack_dropout *dropout, struct arena *arena);
/* Also allocates what backward needs, for all N rows. */
void stack_acts_init_backward(struct stack_acts *acts, const struct stack *stack, size_t rows,
                              struct arena *arena);

/* Returns the output of the top layer: x [N][K] itself if there are no layers. x must not change until the
 * terms of stack_backward are added. */
struct mat stack_forward(struct mat x, struct stack_acts *acts, const struct stack_weights *weights);
/* dx [N][K]: turns the gradient of the output into that of x, in place. */
void stack_backward(struct mat dx, struct grad_terms *terms, struct stack_acts *acts,
                    const struct stack_weights *weights);

#endif
