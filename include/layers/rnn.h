/* rnn: a recurrent network run over packed sentences, from the first token to the last or the other way
 * round.
 *
 * Each step is a GRU that reads the input, and then perhaps further transitions (deep.h). Backwards, each
 * sentence starts at its own end; a sentence's first state is zero. The input products W_ih x of all steps
 * are the caller's; of the recurrent part, all weight gradients are one GEMM after the loop. */
#ifndef NMT_RNN_H
#define NMT_RNN_H

#include "deep.h"
#include "dropout.h"
#include "gradients.h"
#include "gru.h"
#include "packed.h"
#include "packing.h"

#include <stdbool.h>

struct rnn {
    struct gru cell;
    struct deep deep;
};

struct rnn_weights {
    struct packed ih; /* forward alone */
    struct packed hh;
    struct deep_weights deep;
};

/* What forward keeps for backward; N = packing->rows, U units, B sentences. */
struct rnn_acts {
    struct gru_acts cell; /* N rows; gates: the caller's W_ih x */
    struct deep_acts deep;
    real *previous; /* [N][U]: the state before each token, zero where a sentence begins */
    real *
        dropped; /* [N][U]: the same under state dropout, as it went into the product; NULL without dropout */
    real *carry; /* [B][U]: backward's, the gradient that travels from step to step */
    real *masked; /* [B][U]: backward's, under state dropout */
};

void rnn_declare(struct rnn *rnn, struct layout *layout, const char *prefix, int inputs, int units,
                 int transitions, bool normalized);
void rnn_pack(struct rnn_weights *weights, const struct rnn *rnn, const real *params, struct packs *packs);
void rnn_pack_backward(struct rnn_weights *weights, const struct rnn *rnn, const real *params,
                       struct packs *packs);
void rnn_acts_init(struct rnn_acts *acts, const struct rnn *rnn, const struct packing *packing,
                   bool state_dropout, struct arena *arena);
double rnn_acts_per_row(const struct rnn *rnn);

/* h [N][U, ldh] = states; acts->cell.gates holds W_ih x. `reversed` runs from each sentence's end.
 * `state_dropout` has one mask per sentence for all steps; used only if acts were made for it. */
void rnn_forward(real *h, int ldh, struct rnn_acts *acts, const struct rnn *rnn,
                 const struct rnn_weights *weights, const real *params, const struct packing *packing,
                 bool reversed, const struct dropout *state_dropout);

/* Notes all gradients but that of weight_ih. dh [N][U, lddh] is the gradient of every state from above;
 * `weights` are packed for the way back. */
void rnn_backward(struct gradients *gradients, struct rnn_acts *acts, const real *dh, int lddh,
                  const struct rnn *rnn, const struct rnn_weights *weights, const real *params,
                  const struct packing *packing, bool reversed, const struct dropout *state_dropout);

#endif
