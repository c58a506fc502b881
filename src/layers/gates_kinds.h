/* gates_kinds: the functions in the table of gates.c; what they do stands in gates.h. */
#ifndef NMT_GATES_KINDS_H
#define NMT_GATES_KINDS_H

#include "gates.h"

/* gates_gru.c: gated recurrent units (Cho et al. 2014, arXiv:1406.1078), gates r, z, n.
 *
 *   r = σ(a_r + b_ir + q_r + b_hr)      z = σ(a_z + b_iz + q_z + b_hz)      h' = (1 - z) ∘ n + z ∘ h
 *
 *   reset gate behind the product, as in cuDNN and PyTorch:  n = tanh(a_n + b_in + r ∘ (W_hn h + b_hn))
 *   before it, as in the paper:                              n = tanh(a_n + b_in + W_hn (r ∘ h) + b_hn) */
void gru_forward(real *h, real *c, const struct gates_row *row, int units);
void gru_backward(real *dh, real *dc, const struct gates_row *row, int units);
void gru_reset_before_forward(real *h, real *c, const struct gates_row *row, int units);
void gru_reset_before_backward(real *dh, real *dc, const struct gates_row *row, int units);
void gru_reset_forward(real *reset, const real *h, const struct gates_row *row, int units);
void gru_reset_backward(real *dreset, const real *h, const struct gates_row *row, int units);

/* gates_lstm.c: long short-term memory (Hochreiter and Schmidhuber 1997; with forget gate Gers et al. 2000),
 * gates i, f, g, o, each the sum of its products and biases:
 *
 *   i, f, o = σ(…)      g = tanh(…)      c' = f ∘ c + i ∘ g      h' = o ∘ tanh(c') */
void lstm_forward(real *h, real *c, const struct gates_row *row, int units);
void lstm_backward(real *dh, real *dc, const struct gates_row *row, int units);

/* gates_simple.c: simple recurrent networks (Elman 1990), h' = tanh(a + b_i + q + b_h), or max(0, …). */
void rnn_tanh_forward(real *h, real *c, const struct gates_row *row, int units);
void rnn_tanh_backward(real *dh, real *dc, const struct gates_row *row, int units);
void rnn_relu_forward(real *h, real *c, const struct gates_row *row, int units);
void rnn_relu_backward(real *dh, real *dc, const struct gates_row *row, int units);

#endif
