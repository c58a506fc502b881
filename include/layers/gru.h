/* gru: one step of a gated recurrent unit (Cho et al. 2014), the reset gate applied after the recurrent
 * product as in cuDNN and PyTorch:
 *
 *   r = σ(W_ir x + b_ir + W_hr h + b_hr)            z = σ(W_iz x + b_iz + W_hz h + b_hz)
 *   n = tanh(W_in x + b_in + r ∘ (W_hn h + b_hn))   h' = (1 - z) ∘ n + z ∘ h
 *
 * U units, rows of 3U in the gate order r, z, n. The products are the caller's: W_ih x for many steps in one
 * GEMM, W_hh h step by step. These functions do the arithmetic of the gates. */
#ifndef NMT_GRU_H
#define NMT_GRU_H

#include "layout.h"
#include "real.h"

struct gru {
    int inputs, units;
    size_t weight_ih; /* [3U][inputs] */
    size_t weight_hh; /* [3U][U] */
    size_t bias_ih;   /* [3U] */
    size_t bias_hh;   /* [3U] */
};

void gru_declare(struct gru *gru, struct layout *layout, const char *prefix, int inputs, int units);

/* h [rows][U, ldh] = the new states.
 * gates [rows][3U]: in W_ih x, out r, z, n.  hidden [rows][3U]: in W_hh h, out its n part with its bias: both
 * are kept for backward. h_prev [rows][U]. */
void gru_step_forward(real *h, int ldh, real *gates, real *hidden, const real *h_prev, const struct gru *gru,
                      const real *params, int rows);

/* dh [rows][U] is dL/dh' on entry, and on return what reaches h past the products: dh ∘ z.
 * gates, hidden: in what forward left, out the gradients of W_ih x and of W_hh h. */
void gru_step_backward(real *dh, real *gates, real *hidden, const real *h_prev, const struct gru *gru,
                       int rows);

#endif
