/* readout: from decoder state, previous word and context to the next word.
 *
 *   t_i = tanh(W_s s_i + W_y y_{i-1} + W_c c_i + b)      logits = E_out t_i + b_out
 *
 * E_out may be the target embedding itself ("tied", Press and Wolf 2017). N rows of the target packing, V
 * words. */
#ifndef NMT_READOUT_H
#define NMT_READOUT_H

#include "arena.h"
#include "distinct.h"
#include "dropout.h"
#include "linear.h"
#include "xent.h"

struct readout {
    struct linear state, embedding, context;
    struct linear output; /* E -> V */
};

/* `tied_weight` is the offset of the target embedding, or LINEAR_NO_BIAS for an output matrix of its own. */
void readout_declare(struct readout *readout, struct layout *layout, int embedding, int units,
                     int annotation_width, int vocabulary, size_t tied_weight);

/* t [rows][E]; y [words][E] are the embeddings of the different previous words. */
void readout_forward(real *t, const real *states, const struct distinct *words, const real *y,
                     const real *context, const struct readout *readout, const real *params, int rows,
                     struct arena *arena);
/* dt [rows][E] becomes the gradient before the tanh. dstates, dy, dcontext are added to. */
void readout_backward(real *dstates, real *dy, real *dcontext, struct gradients *gradients, real *dt,
                      const real *t, const real *states, const struct distinct *words, const real *y,
                      const real *context, const struct readout *readout, const real *params, int rows,
                      struct arena *arena);

/* The output layer works on so many rows at a time, so that logits stay small. */
#define OUTPUT_CHUNK_ROWS 128
int output_chunks(int rows);
/* Loss of the right words ids [rows] given t, of one chunk of rows. logits: room for a chunk. With gradients
 * not NULL also what the loss, times `scale`, adds to dt; the terms that it notes point into logits. */
void output_loss(struct xent_sums *sums, real *dt, struct gradients *gradients, real *logits, const real *t,
                 const int *ids, int chunk, const struct readout *readout, const real *params, int rows,
                 double smoothing, real scale);

/* log p of the right words ids [rows] given t, in nats. */
void output_scores(real *scores, real *logits, const real *t, const int *ids, int chunk,
                   const struct readout *readout, const real *params, int rows);

#endif
