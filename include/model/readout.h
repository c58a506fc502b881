/* readout: from decoder state, previous word and context to the next word.
 *
 *   t_i = tanh(W_s s_i + W_y y_{i-1} + W_c c_i + b)      logits = E_out t_i + b_out
 *
 * E_out may be the target embedding itself ("tied", Press and Wolf 2017). Where attention comes after the
 * cell (Luong, Pham, Manning 2015) t_i is their attentional vector, without y_{i-1}. N rows of the target
 * sequence, V words. */
#ifndef NMT_READOUT_H
#define NMT_READOUT_H

#include "arena.h"
#include "dropout.h"
#include "linear.h"
#include "unique.h"
#include "xent.h"

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

/* t [rows][E] of all rows; y [words][E] are the embeddings of the different previous words. */
void readout_forward(real *t, const real *states, const struct unique *words, const real *y,
                     const real *context, const struct readout *readout, const real *params, size_t rows,
                     struct arena *arena);
/* dt [rows][E] becomes the gradient before the tanh. dstates, dy, dcontext are added to. */
void readout_backward(real *dstates, real *dy, real *dcontext, struct grad_terms *terms, real *dt,
                      const real *t, const real *states, const struct unique *words, const real *y,
                      const real *context, const struct readout *readout, const real *params, size_t rows,
                      struct arena *arena);

/* W_s and W_c, prepacked for the few rows of a step. */
struct readout_weights {
    struct prepacked state, context;
};

void readout_prepack(struct readout_weights *weights, const struct readout *readout, const real *params,
                     struct prepack_list *list);
/* The same for the rows of a step, of a readout that does not read the word. */
void readout_step_forward(real *t, const real *states, const real *context, const struct readout *readout,
                          const struct readout_weights *weights, const real *params, size_t rows);
void readout_step_backward(real *dstates, real *dcontext, real *dt, const real *t,
                           const struct readout *readout, const struct readout_weights *weights, size_t rows);
/* After the last step: defers the gradients of W_s and W_c; dt as the steps left it. */
void readout_defer_weight_grads(struct grad_terms *terms, const real *dt, const real *states,
                                const real *context, const struct readout *readout, size_t rows);

/* The output layer works on so many rows at a time, so that logits stay small. */
#define OUTPUT_CHUNK_ROWS 128
size_t output_chunks(size_t rows);
/* Loss of the right words ids [rows] given t, of one chunk of rows. logits: room for a chunk. With terms
 * not NULL also what the loss, times `scale`, adds to dt; losses [rows]: each one's, unless NULL; the terms
 * that it notes point into logits. room [vocabulary] is for R-Drop (xent.h). */
void output_loss(struct xent_sums *sums, real *losses, real *dt, struct grad_terms *terms, real *logits,
                 const real *t, const int *ids, size_t chunk, const struct readout *readout,
                 const real *params, size_t rows, const struct xent_options *options, real scale, real *room);

/* log p of the right words ids [rows] given t, in nats. */
void output_scores(real *scores, real *logits, const real *t, const int *ids, size_t chunk,
                   const struct readout *readout, const real *params, size_t rows);

#endif
