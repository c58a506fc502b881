/* cell: one step of a recurrent cell (gates.h) with its products, for all rows of a step at once.
 *
 * U units, G gates, rows of G · U in the order of the gates. The caller computes the input products W_ih x,
 * for many steps in one GEMM where possible; the state's products W_hh h are computed here, step by step.
 *
 * A normalized cell applies layer normalisation (norm.h) to both products of each gate, before the biases
 * are added. A cell without inputs reads only its state: W_ih x is 0. */
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

/* The choice of a cell, shared by the recurrent layers of an encoder or decoder. */
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
    struct prepacked plain_gates; /* W_hh's rows for the gates that read h … */
    struct prepacked reset_gates; /* … and for those that read r ∘ h, if any */
};

void cell_prepack(struct cell_weights *weights, const struct cell *cell, const real *params,
                  struct prepack_list *list);

/* What backward needs of a normalisation. */
struct norm_acts {
    struct mat normal; /* [rows or words][GU]: x, then x̂, then the gradient of x */
    struct mat scales; /* [rows or words][G] */
    real *dbias;       /* [GU]: sums over the rows for backward; NULL: no normalisation */
    real *dgain;       /* [GU] */
};

/* States or their gradients: h [rows][U] and, for an LSTM, c [rows][U]; else c.data is NULL. */
struct cell_state {
    struct mat h, c;
};

/* Rows `first` … first + rows - 1 of h and c. */
struct cell_state cell_state_rows(const struct cell_state *state, size_t first, size_t rows);

/* Inputs and intermediate values of a cell, for all rows of a pass; unused ones have data NULL. */
struct cell_acts {
    struct dropout state_dropout;
    struct mat products;      /* [rows][GU]: the caller's W_ih x; after backward its gradient */
    struct mat gates;         /* [rows][GU]: `products`, or g ∘ x̂ if normalised by row; then da */
    struct mat hidden;        /* [rows][GU]: W_hh read, or its x̂; then the gradient of W_hh read */
    struct cell_state prev;   /* h_{t-1} and c_{t-1} [rows][U]; filled by the caller */
    struct mat read;          /* [rows][U]: the input of W_hh: prev.h, or a copy after dropout */
    struct mat reset;         /* [rows][U]: r ∘ read, if a gate reads it */
    struct mat dread;         /* [step_rows][U]: for backward, if it is not dh itself */
    struct mat word_products; /* [words][GU]: W x, normalised if words_alone; then its gradient */
    real *row;                /* [GU]: g ∘ x̂ of a row of `hidden`, in a normalized cell */
    struct norm_acts input, state;
};

/* The size of a pass. */
struct cell_dims {
    size_t rows;      /* of all steps */
    size_t step_rows; /* of the largest step; 0 without a backward pass */
    size_t words;     /* limit on the distinct words in cell_words_forward; 0: it is not called */
    bool words_alone; /* words are the whole input: its products are normalised once per word, not per row */
    struct mat products; /* [rows][GU]: where the caller has its W_ih x; none: it is allocated */
    /* Without a backward pass: a cell of as many gates, units and rows that is done when this one begins, and
     * whose memory this one takes; or NULL. */
    const struct cell_acts *done;
};

/* Allocates the acts; state_dropout may be NULL. */
void cell_acts_init(struct cell_acts *acts, const struct cell *cell, const struct cell_dims *dims,
                    const struct dropout *state_dropout, struct arena *arena);

/* products of all rows = W x of their words, computed once per unique word; x [words][width]; W is the
 * first `width` columns of W_ih, prepacked as `word_weight`. */
void cell_words_forward(struct cell_acts *acts, const struct unique *words, struct const_mat x,
                        const struct prepacked *word_weight, const struct cell_weights *weights);
/* Defers the gradient of W, and adds to dx [words][width]. */
void cell_words_backward(struct mat dx, struct grad_terms *terms, struct cell_acts *acts,
                         const struct unique *words, struct const_mat x, const struct prepacked *word_weight,
                         const struct cell_weights *weights);

/* The rows of a step within those of the pass. The first `running` rows continue a sentence; the others
 * start from a state of 0. */
struct cell_rows {
    size_t first, count, running;
};

/* next [count] = the new states, from the rows' products and previous states. */
void cell_forward(const struct cell_state *next, struct cell_acts *acts, struct cell_rows rows,
                  const struct cell_weights *weights);
/* The same without state dropout, when `hidden` holds the products of the plain gates already. */
void cell_step(const struct cell_state *next, struct cell_acts *acts, struct cell_rows rows,
               const struct cell_weights *weights);
/* dstate [count]: turns the gradient of the new states into that of the previous ones, 0 from row
 * `running` on. */
void cell_backward(const struct cell_state *dstate, struct cell_acts *acts, struct cell_rows rows,
                   const struct cell_weights *weights);
/* After the last step: defers the gradients of W_hh, biases and gains. */
void cell_defer_weight_grads(struct grad_terms *terms, const struct cell_acts *acts, const struct cell *cell);

#endif
