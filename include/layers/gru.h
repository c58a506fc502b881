/* gru: one step of a gated recurrent unit (Cho et al. 2014), the reset gate applied after the recurrent
 * product as in cuDNN and PyTorch:
 *
 *   r = σ(W_ir x + b_ir + W_hr h + b_hr)            z = σ(W_iz x + b_iz + W_hz h + b_hz)
 *   n = tanh(W_in x + b_in + r ∘ (W_hn h + b_hn))   h' = (1 - z) ∘ n + z ∘ h
 *
 * U units, rows of 3U in the gate order r, z, n. The products are the caller's: W_ih x for many steps in one
 * GEMM, W_hh h step by step. These functions do the arithmetic of the gates.
 *
 * A normalized GRU puts g ∘ (a - mean a) / sqrt(var a + 1e-5) in the place of each of the six products a,
 * mean and variance over its U units, g a gain per unit (layer normalisation: Ba, Kiros, Hinton 2016,
 * arXiv:1607.06450). A GRU with no inputs reads its state alone: its W_ih x is 0. */
#ifndef NMT_GRU_H
#define NMT_GRU_H

#include "arena.h"
#include "gradients.h"
#include "layout.h"
#include "real.h"

#include <stdbool.h>

struct gru {
    int inputs, units;
    bool normalized;
    size_t weight_ih; /* [3U][inputs]; none without inputs */
    size_t weight_hh; /* [3U][U] */
    size_t bias_ih;   /* [3U] */
    size_t bias_hh;   /* [3U] */
    size_t gain_ih;   /* [3U], if normalized; none without inputs */
    size_t gain_hh;   /* [3U], if normalized */
};

void gru_declare(struct gru *gru, struct layout *layout, const char *prefix, int inputs, int units,
                 bool normalized);

/* What a GRU's steps take and keep, for all rows of a pass. */
struct gru_acts {
    real *gates;  /* [rows][3U]: the caller's W_ih x, then r, z, n; after backward the gradients of W_ih x */
    real *hidden; /* [rows][3U]: the caller's W_hh h, then, in its n part, what r is multiplied with; after
                     backward the gradients of W_hh h */
    /* Of a normalized GRU: */
    real *normal_gates, *normal_hidden; /* [rows][3U] the products, normalised, without gain */
    real *scales;                       /* [rows][6]: 1 / deviation */
    real *sums; /* [4][3U] backward's: gradients of bias_ih, bias_hh, gain_ih, gain_hh */
};

void gru_acts_init(struct gru_acts *acts, const struct gru *gru, size_t rows, struct arena *arena);
/* Reals that this takes for each row. */
double gru_acts_per_row(const struct gru *gru);

/* h [rows][U, ldh] = the new states of rows `row` … of acts. h_prev [rows][U, ldh_prev]. */
void gru_step_forward(real *h, int ldh, struct gru_acts *acts, size_t row, const real *h_prev, int ldh_prev,
                      const struct gru *gru, const real *params, int rows);

/* dh [rows][U] is dL/dh' on entry, and on return what reaches h past the products: dh ∘ z. */
void gru_step_backward(real *dh, struct gru_acts *acts, size_t row, const real *h_prev, const struct gru *gru,
                       const real *params, int rows);
/* After the last step: notes the gradients of biases and gains. */
void gru_note_biases(struct gradients *gradients, const struct gru_acts *acts, const struct gru *gru,
                     int rows);

#endif
