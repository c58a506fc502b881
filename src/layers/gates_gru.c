/* Gated recurrent units (Cho et al. 2014, arXiv:1406.1078), gates r, z, n:
 *
 *   r = σ(a_r + b_ir + q_r + b_hr)      z = σ(a_z + b_iz + q_z + b_hz)      h' = (1 - z) ∘ n + z ∘ h
 *
 *   gru, with the reset gate after the product, as in cuDNN and PyTorch:
 *     n = tanh(a_n + b_in + r ∘ (W_hn h + b_hn))
 *   gru_reset_before, as in the paper:
 *     n = tanh(a_n + b_in + W_hn (r ∘ h) + b_hn) */
#include "elementary.h"
#include "gates.h"
#include "kernel.h"

static KERNEL(gru_forward, (real *h, real *c, const struct gates_row *row, size_t units),
       (h, c, row, units))
{
    real *a_r = row->a, *a_z = a_r + units, *a_n = a_z + units;
    const real *q_r = row->q, *q_z = q_r + units, *q_n = q_z + units;
    const real *b_ir = row->bias_ih, *b_iz = b_ir + units, *b_in = b_iz + units;
    const real *b_hr = row->bias_hh, *b_hz = b_hr + units, *b_hn = b_hz + units;
    const real *h_prev = row->h_prev;
    (void)c;
#pragma omp simd
    for (size_t i = 0; i < units; i++) {
        const real r = real_sigmoid(a_r[i] + b_ir[i] + q_r[i] + b_hr[i]);
        const real z = real_sigmoid(a_z[i] + b_iz[i] + q_z[i] + b_hz[i]);
        const real n = real_tanh(a_n[i] + b_in[i] + r * (q_n[i] + b_hn[i]));
        h[i] = (1 - z) * n + z * h_prev[i];
        a_r[i] = r;
        a_z[i] = z;
        a_n[i] = n;
    }
}

static KERNEL(gru_backward, (real *dh, real *dc, const struct gates_row *row, size_t units),
       (dh, dc, row, units))
{
    real *r = row->a, *z = r + units, *n = z + units;
    real *q_r = row->q, *q_z = q_r + units, *q_n = q_z + units;
    const real *b_hn = row->bias_hh + 2 * units, *h_prev = row->h_prev;
    (void)dc;
#pragma omp simd
    for (size_t i = 0; i < units; i++) {
        /* h' = (1 - z) ∘ n + z ∘ h */
        const real dz = dh[i] * (h_prev[i] - n[i]);
        const real dn = dh[i] * (1 - z[i]);
        dh[i] *= z[i];
        /* n = tanh(… + r ∘ (q_n + b_hn)) */
        const real dn_sum = dn * (1 - n[i] * n[i]);
        const real dr = dn_sum * (q_n[i] + b_hn[i]);
        /* r = σ(…), z = σ(…) */
        const real dr_sum = dr * r[i] * (1 - r[i]);
        const real dz_sum = dz * z[i] * (1 - z[i]);
        q_r[i] = dr_sum;
        q_z[i] = dz_sum;
        q_n[i] = dn_sum * r[i];
        r[i] = dr_sum;
        z[i] = dz_sum;
        n[i] = dn_sum;
    }
}

const struct gates gates_gru = {
    .count = 3, .plain_gates = 3, .forward = gru_forward, .backward = gru_backward};

/* ---- the reset gate before the product ---- */

static KERNEL(gru_reset_forward, (real *reset, const real *h, const struct gates_row *row, size_t units),
       (reset, h, row, units))
{
    real *a_r = row->a;
    const real *q_r = row->q, *b_ir = row->bias_ih, *b_hr = row->bias_hh;
#pragma omp simd
    for (size_t i = 0; i < units; i++) {
        const real r = real_sigmoid(a_r[i] + b_ir[i] + q_r[i] + b_hr[i]);
        a_r[i] = r;
        reset[i] = r * h[i];
    }
}

static KERNEL(gru_reset_before_forward, (real *h, real *c, const struct gates_row *row, size_t units),
       (h, c, row, units))
{
    real *a_z = row->a + units, *a_n = a_z + units;
    const real *q_z = row->q + units, *q_n = q_z + units;
    const real *b_iz = row->bias_ih + units, *b_in = b_iz + units;
    const real *b_hz = row->bias_hh + units, *b_hn = b_hz + units;
    const real *h_prev = row->h_prev;
    (void)c;
#pragma omp simd
    for (size_t i = 0; i < units; i++) {
        const real z = real_sigmoid(a_z[i] + b_iz[i] + q_z[i] + b_hz[i]);
        const real n = real_tanh(a_n[i] + b_in[i] + q_n[i] + b_hn[i]);
        h[i] = (1 - z) * n + z * h_prev[i];
        a_z[i] = z;
        a_n[i] = n;
    }
}

static KERNEL(gru_reset_before_backward, (real *dh, real *dc, const struct gates_row *row, size_t units),
       (dh, dc, row, units))
{
    real *z = row->a + units, *n = z + units, *q_n = row->q + 2 * units;
    const real *h_prev = row->h_prev;
    (void)dc;
#pragma omp simd
    for (size_t i = 0; i < units; i++) {
        /* h' = (1 - z) ∘ n + z ∘ h */
        const real dz = dh[i] * (h_prev[i] - n[i]);
        const real dn = dh[i] * (1 - z[i]);
        dh[i] *= z[i];
        /* n = tanh(…), z = σ(…) */
        q_n[i] = n[i] = dn * (1 - n[i] * n[i]);
        z[i] = dz * z[i] * (1 - z[i]);
    }
}

static KERNEL(gru_reset_backward, (real *dreset, const real *h, const struct gates_row *row, size_t units),
       (dreset, h, row, units))
{
    real *r = row->a, *q_r = row->q, *q_z = q_r + units;
    const real *dz_sum = r + units;
#pragma omp simd
    for (size_t i = 0; i < units; i++) {
        /* reset = r ∘ h, r = σ(…) */
        const real dr = dreset[i] * h[i];
        dreset[i] *= r[i];
        q_r[i] = r[i] = dr * r[i] * (1 - r[i]);
        q_z[i] = dz_sum[i];
    }
}

const struct gates gates_gru_reset_before = {.count = 3,
                                             .plain_gates = 2,
                                             .forward = gru_reset_before_forward,
                                             .backward = gru_reset_before_backward,
                                             .reset_forward = gru_reset_forward,
                                             .reset_backward = gru_reset_backward};
