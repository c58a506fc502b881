/* Long short-term memory (Hochreiter and Schmidhuber 1997; with forget gate Gers et al. 2000), gates i, f,
 * g, o, each the sum of its products and biases:
 *
 *   i, f, o = σ(…)      g = tanh(…)      c' = f ∘ c + i ∘ g      h' = o ∘ tanh(c') */
#include "elementary.h"
#include "gates.h"
#include "kernel.h"

static KERNEL(lstm_forward, (real *h, real *c, const struct gates_row *row, size_t units),
       (h, c, row, units))
{
    real *a_i = row->a, *a_f = a_i + units, *a_g = a_f + units, *a_o = a_g + units;
    const real *q_i = row->q, *q_f = q_i + units, *q_g = q_f + units, *q_o = q_g + units;
    const real *b_ii = row->bias_ih, *b_if = b_ii + units, *b_ig = b_if + units, *b_io = b_ig + units;
    const real *b_hi = row->bias_hh, *b_hf = b_hi + units, *b_hg = b_hf + units, *b_ho = b_hg + units;
    const real *c_prev = row->c_prev;
#pragma omp simd
    for (size_t j = 0; j < units; j++) {
        const real i = real_sigmoid(a_i[j] + b_ii[j] + q_i[j] + b_hi[j]);
        const real f = real_sigmoid(a_f[j] + b_if[j] + q_f[j] + b_hf[j]);
        const real g = real_tanh(a_g[j] + b_ig[j] + q_g[j] + b_hg[j]);
        const real o = real_sigmoid(a_o[j] + b_io[j] + q_o[j] + b_ho[j]);
        const real c_next = f * c_prev[j] + i * g;
        c[j] = c_next;
        h[j] = o * real_tanh(c_next);
        a_i[j] = i;
        a_f[j] = f;
        a_g[j] = g;
        a_o[j] = o;
    }
}

static KERNEL(lstm_backward, (real *dh, real *dc, const struct gates_row *row, size_t units),
       (dh, dc, row, units))
{
    real *i = row->a, *f = i + units, *g = f + units, *o = g + units;
    real *q_i = row->q, *q_f = q_i + units, *q_g = q_f + units, *q_o = q_g + units;
    const real *c_prev = row->c_prev;
#pragma omp simd
    for (size_t j = 0; j < units; j++) {
        /* h' = o ∘ tanh(c') */
        const real u = real_tanh(f[j] * c_prev[j] + i[j] * g[j]);
        const real d_o = dh[j] * u;
        const real dc_next = dc[j] + dh[j] * o[j] * (1 - u * u);
        dh[j] = 0;
        /* c' = f ∘ c + i ∘ g */
        const real di = dc_next * g[j], df = dc_next * c_prev[j], dg = dc_next * i[j];
        dc[j] = dc_next * f[j];
        q_i[j] = i[j] = di * i[j] * (1 - i[j]);
        q_f[j] = f[j] = df * f[j] * (1 - f[j]);
        q_g[j] = g[j] = dg * (1 - g[j] * g[j]);
        q_o[j] = o[j] = d_o * o[j] * (1 - o[j]);
    }
}

const struct gates gates_lstm = {.count = 4,
                                 .plain_gates = 4,
                                 .bias = INIT_FORGET,
                                 .has_c = true,
                                 .forward = lstm_forward,
                                 .backward = lstm_backward};
