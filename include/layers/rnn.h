/* rnn: a recurrent network over packed sentences, forwards or reversed.
 *
 *   h_t = cell(W_ih x_t, h_{t-1}), →h;      h_t = cell(W_ih x_t, h_{t+1}), ←h (reversed)
 *
 * After the cell, a step may have further transitions (deep.h). A reversed run starts at each sentence's
 * own end. The state before a sentence's first step is 0. The caller computes the input products W_ih x of
 * all steps. The gradient of each recurrent weight is one GEMM over all steps, after the loop. */
#ifndef NMT_RNN_H
#define NMT_RNN_H

#include "cell.h"
#include "deep.h"
#include "dropout.h"
#include "grad_terms.h"
#include "packed_seq.h"
#include "prepacked.h"

#include <stdbool.h>

struct rnn {
    struct cell cell;
    struct deep deep;
};

struct rnn_weights {
    const struct rnn *rnn;
    struct prepacked ih; /* W_ih */
    struct cell_weights cell;
    struct deep_weights deep;
};

/* What forward stores for backward; N = seq->rows, U units, B sentences. */
struct rnn_acts {
    const struct packed_seq *seq;
    struct cell_acts cell; /* N rows; products: W_ih x, from the caller */
    struct deep_acts deep;
    struct mat c;            /* [N][U], for an LSTM */
    struct cell_state carry; /* [B][U]: gradients passed from step to step by backward */
};

/* transitions: the cell and those of deep.h together, at least 1. */
void rnn_declare(struct rnn *rnn, struct layout *layout, const char *prefix, const struct cell_choice *choice,
                 size_t inputs, size_t transitions);
void rnn_prepack(struct rnn_weights *weights, const struct rnn *rnn, const real *params,
                 struct prepack_list *list);
/* words: the number of distinct words with cell_words_forward, else 0. state_dropout has one mask per
 * sentence for all steps. seq must outlive the acts. */
void rnn_acts_init(struct rnn_acts *acts, const struct rnn *rnn, const struct packed_seq *seq, size_t words,
                   const struct dropout *state_dropout, struct arena *arena);

/* h [N][U] = states, from W_ih x in acts->cell.products. `reversed` starts at each sentence's end. */
void rnn_forward(struct mat h, struct rnn_acts *acts, const struct rnn_weights *weights, bool reversed);

/* dh [N][U]: the gradient of each state from above; acts->cell.products becomes the gradient of W_ih x. */
void rnn_backward(struct rnn_acts *acts, struct const_mat dh, const struct rnn_weights *weights,
                  bool reversed);
/* After that, and after cell_words_backward: defers all gradients but that of weight_ih. */
void rnn_defer_weight_grads(struct grad_terms *terms, const struct rnn_acts *acts, const struct rnn *rnn);

#endif
