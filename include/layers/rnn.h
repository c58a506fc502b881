/* rnn: a recurrent cell run over packed sentences, from the first token to the last or the other way round.
 *
 * Backwards, each sentence starts at its own end with a zero state. The input products W_ih x of all steps
 * are the caller's; of the recurrent part, all weight gradients are one GEMM after the loop. */
#ifndef NMT_RNN_H
#define NMT_RNN_H

#include "dropout.h"
#include "gradients.h"
#include "gru.h"
#include "packed.h"
#include "packing.h"

#include <stdbool.h>

/* What forward keeps for backward; N = packing->rows, U units, B sentences. */
struct rnn_acts {
    real *gates;    /* [N][3U]: the caller's W_ih x, then r, z, n; after backward the gradients of W_ih x */
    real *hidden;   /* [N][3U]: the recurrent products */
    real *previous; /* [N][U]: the state before each token, zero where a sentence begins */
    real *
        dropped; /* [N][U]: the same under state dropout, as it went into the product; NULL without dropout */
    real *carry; /* [B][U]: backward's, the gradient that travels from step to step */
    real *masked; /* [B][U]: backward's, under state dropout */
};

void rnn_acts_init(struct rnn_acts *acts, const struct gru *gru, const struct packing *packing,
                   bool state_dropout, struct arena *arena);

/* h [N][U, ldh] = states; acts->gates holds W_ih x, `w_hh` is weight_hh, packed. `reversed` runs from each
 * sentence's end. `state_dropout` has one mask per sentence for all steps; used only if acts were made for
 * it. */
void rnn_forward(real *h, int ldh, struct rnn_acts *acts, const struct gru *gru, const struct packed *w_hh,
                 const real *params, const struct packing *packing, bool reversed,
                 const struct dropout *state_dropout);

/* Notes all gradients but that of weight_ih. dh [N][U, lddh] is the gradient of every state from above;
 * `w_hh` is weight_hh, packed for the way back. */
void rnn_backward(struct gradients *gradients, struct rnn_acts *acts, const real *dh, int lddh,
                  const struct gru *gru, const struct packed *w_hh, const struct packing *packing,
                  bool reversed, const struct dropout *state_dropout);

#endif
