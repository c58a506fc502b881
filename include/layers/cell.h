/* cell: one step of a recurrent cell (gates.h) with its products, for the rows of a step at once.
 *
 * U units, G gates, rows of G · U in the order of the gates. The input products W_ih x are the caller's, who
 * takes many steps in one GEMM where it can; the state's products W_hh h are done here, step by step.
 *
 * A normalized cell normalises each gate's two products by layer normalisation (norm.h), without their
 * biases. A cell with no inputs reads its state alone: its W_ih x is 0. */
#ifndef NMT_CELL_H
#define NMT_CELL_H

#include "arena.h"
#include "dropout.h"
#include "gates.h"
#include "grad_terms.h"
#include "layout.h"
#include "mat.h"
#include "prepacked.h"
#include "unique.h"

#include <stdbool.h>

struct cell {
    const struct gates *gates;
    size_t inputs, units;
    bool normalized;
    size_t weight_ih; /* [GU][inputs]; none without inputs */
    size_t weight_hh; /* [GU][U] */
    size_t bias_ih;   /* [GU] */
    size_t bias_hh;   /* [GU] */
    size_t gain_ih;   /* [GU], if normalized; none without inputs */
    size_t gain_hh;   /* [GU], if normalized */
};

/* Which cell: what the recurrent layers of one encoder or decoder have in common. */
struct cell_choice {
    const struct gates *gates;
    size_t units; /* U */
    bool normalized;
};

void cell_declare(struct cell *cell, struct layout *layout, const char *prefix,
                  const struct cell_choice *choice, size_t inputs);
size_t cell_width(const struct cell *cell); /* G · U */

/* A cell with its parameters, W_hh prepacked for one pass, forward or backward. */
struct cell_weights {
    const struct cell *cell;
    const real *params;
    struct prepacked plain_gates; /* rows of W_hh: of the gates that read h … */
    struct prepacked reset_gates; /* … and of those that read r ∘ h, if there are any */
};

void cell_prepack(struct cell_weights *weights, const struct cell *cell, const real *params,
                  struct prepack_list *list);

/* What is normalised, for backward. */
struct norm_acts {
    struct mat normal; /* [rows][GU]: x̂ */
    struct mat scales; /* [rows][G] */
    real *dbias;       /* [GU]: backward's sums over the rows; NULL: nothing is normalised */
    real *dgain;       /* [GU] */
};

/* States, or their gradients: h [rows][U] and, of an LSTM, c [rows][U]; else c.data is NULL. */
struct cell_state {
    struct mat h, c;
};

/* Rows `first` … first + rows - 1 of both. */
struct cell_state cell_state_rows(const struct cell_state *state, size_t first, size_t rows);

/* What a cell's steps take and keep, for all rows of a pass; what there is none of has data NULL. */
struct cell_acts {
    struct dropout state_dropout;
    struct mat products; /* [rows][GU]: the caller's W_ih x; after backward its gradient */
    struct mat gates;    /* [rows][GU]: `products` unless they are normalised row by row; after backward the
                            gradient of the gates' input part, behind any normalisation */
    struct mat hidden;   /* [rows][GU]: W_hh h, normalised; after backward the gradient of W_hh h */
    struct cell_state prev;   /* h_{t-1} and c_{t-1} [rows][U]; the caller's to fill */
    struct mat read;          /* [rows][U]: what W_hh reads: prev.h, or its copy under dropout */
    struct mat reset;         /* [rows][U]: r ∘ read, where a gate reads that */
    struct mat dread;         /* [step_rows][U]: backward's, where that is not dh itself */
    struct mat word_products; /* [words][GU]: W x of the different words; after backward its gradient */
    real *row;                /* [GU]: of a normalized cell, the products of one row */
    struct norm_acts input, state;
};

/* The size of a pass. */
struct cell_dims {
    size_t rows;      /* of all steps */
    size_t step_rows; /* of the largest step; 0 where there is no backward pass */
    size_t words;     /* the most different words that cell_words_forward is called with; 0: it is not */
    bool words_alone; /* they are all of the input: its products are normalised by word, not by row */
};

/* state_dropout NULL: none. */
void cell_acts_init(struct cell_acts *acts, const struct cell *cell, const struct cell_dims *dims,
                    const struct dropout *state_dropout, struct arena *arena);

/* products of all rows = W x of their words, computed once for each word; x [words][width] with W, the first
 * `width` columns of W_ih, prepacked as `word_weight`. */
void cell_words_forward(struct cell_acts *acts, const struct unique *words, struct const_mat x,
                        const struct prepacked *word_weight, const struct cell_weights *weights);
/* Defers the gradient of these columns, adds to dx [words][width]. */
void cell_words_backward(struct mat dx, struct grad_terms *terms, struct cell_acts *acts,
                         const struct unique *words, struct const_mat x, const struct cell_weights *weights);

/* The rows of a step among those of the pass. Of the first `running` the sentence has begun before; the
 * others start from a state of 0. */
struct cell_rows {
    size_t first, count, running;
};

/* next [count] = the new states; products and previous states of the rows are there. */
void cell_forward(const struct cell_state *next, struct cell_acts *acts, struct cell_rows rows,
                  const struct cell_weights *weights);
/* The same, with the products of the plain gates in `hidden` already, for states without dropout. */
void cell_step(const struct cell_state *next, struct cell_acts *acts, struct cell_rows rows,
               const struct cell_weights *weights);
/* dstate [count]: from the gradient of the new states to that of the previous ones, 0 from row `running`
 * on. */
void cell_backward(const struct cell_state *dstate, struct cell_acts *acts, struct cell_rows rows,
                   const struct cell_weights *weights);
/* After the last step: defers the gradients of W_hh, biases and gains. */
void cell_defer_weight_grads(struct grad_terms *terms, const struct cell_acts *acts, const struct cell *cell);

#endif
