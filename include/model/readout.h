/* readout: from decoder state, previous word and context to the logits of the next word.
 *
 *   t_i = tanh(W_s s_i + W_y y_{i-1} + W_c c_i + b)      logits = E_out t_i + b_out
 *
 * E_out may be the target embedding itself ("tied", Press and Wolf 2017). If attention comes after the
 * cell (Luong, Pham, Manning 2015), t_i is their attentional vector, without y_{i-1}. N rows of the target
 * sequence, V words. */
#ifndef NMT_READOUT_H
#define NMT_READOUT_H

#include "arena.h"
#include "dropout.h"
#include "linear.h"
#include "unique.h"

#include <stdbool.h>

struct readout {
    struct linear state, context;
    struct linear embedding; /* if it reads the word */
    struct linear output;    /* E -> V */
    bool reads_word;
};

struct readout_choice {
    size_t embedding, units, context, vocabulary; /* E, D, C, V */
    bool reads_word;
    bool tied;
    size_t tied_weight; /* if tied: the offset of the target embedding */
};

void readout_declare(struct readout *readout, struct layout *layout, const struct readout_choice *choice);

/* The inputs of a readout, for all target rows or those of a step. */
struct readout_inputs {
    struct const_mat state, context; /* s_i [rows][D], c_i [rows][C] */
    const struct unique *words;      /* the previous words of all rows, if it reads them … */
    struct const_mat y;              /* … and their embeddings [words][E] */
    struct mat word_products; /* scratch [words][E]: W_y y; then its gradient, until the terms are added */
};

/* Their gradients; backward adds to them. */
struct readout_grads {
    struct mat state, context, y;
};

/* A readout with its parameters, prepacked for one pass, forward or backward: W_s and W_c for the few rows of
 * a step, or all for all rows at once. */
struct readout_weights {
    const struct readout *readout;
    const real *params;
    struct prepacked state, context;
    struct prepacked embedding; /* for all rows, if it reads the word */
};

void readout_prepack(struct readout_weights *weights, const struct readout *readout, const real *params,
                     struct prepack_list *list);
void readout_prepack_many_rows(struct readout_weights *weights, const struct readout *readout,
                               const real *params, struct prepack_list *list);

/* Computes t [rows][E]. */
void readout_forward(struct mat t, const struct readout_inputs *inputs,
                     const struct readout_weights *weights);
/* dt [rows][E] becomes the gradient before the tanh. */
void readout_backward(const struct readout_grads *grads, struct grad_terms *terms, struct mat dt,
                      struct const_mat t, const struct readout_inputs *inputs,
                      const struct readout_weights *weights);
/* The same for the rows of a step, for a readout that does not read the word. */
void readout_step_forward(struct mat t, const struct readout_inputs *inputs,
                          const struct readout_weights *weights);
void readout_step_backward(const struct readout_grads *grads, struct mat dt, struct const_mat t,
                           const struct readout_weights *weights);
/* After the last step: defers the gradients of W_s and W_c; dt as left by the steps. */
void readout_defer_weight_grads(struct grad_terms *terms, struct const_mat dt,
                                const struct readout_inputs *inputs, const struct readout *readout);

/* Rows per chunk: the output layer is computed in chunks, so that logits take little memory. */
#define OUTPUT_CHUNK_ROWS 128
size_t output_chunks(size_t rows);
/* The rows of a chunk. */
struct mat output_chunk(struct mat rows, size_t chunk);

#endif
