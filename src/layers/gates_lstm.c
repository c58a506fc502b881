#include "elementary.h"
#include "gates_kinds.h"
#include "kernel.h"

KERNEL(lstm_forward, (real *h, real *memory, const struct gates_row *row, int units),
       (h, memory, row, units))
{
    real *a_i = row->a, *a_f = a_i + units, *a_g = a_f + units, *a_o = a_g + units;
    const real *q_i = row->q, *q_f = q_i + units, *q_g = q_f + units, *q_o = q_g + units;
    const real *b_ii = row->bias_ih, *b_if = b_ii + units, *b_ig = b_if + units, *b_io = b_ig + units;
    const real *b_hi = row->bias_hh, *b_hf = b_hi + units, *b_hg = b_hf + units, *b_ho = b_hg + units;
    const real *memory_before = row->memory_before;
#pragma omp simd
    for (int j = 0; j < units; j++) {
        const real i = real_sigmoid(a_i[j] + b_ii[j] + q_i[j] + b_hi[j]);
        const real f = real_sigmoid(a_f[j] + b_if[j] + q_f[j] + b_hf[j]);
        const real g = real_tanh(a_g[j] + b_ig[j] + q_g[j] + b_hg[j]);
        const real o = real_sigmoid(a_o[j] + b_io[j] + q_o[j] + b_ho[j]);
        const real c = f * memory_before[j] + i * g;
        memory[j] = c;
        h[j] = o * real_tanh(c);
        a_i[j] = i;
        a_f[j] = f;
        a_g[j] = g;
        a_o[j] = o;
    }
}

KERNEL(lstm_backward, (real *dh, real *dmemory, const struct gates_row *row, int units),
       (dh, dmemory, row, units))
{
    real *i = row->a, *f = i + units, *g = f + units, *o = g + units;
    real *q_i = row->q, *q_f = q_i + units, *q_g = q_f + units, *q_o = q_g + units;
    const real *memory_before = row->memory_before;
#pragma omp simd
    for (int j = 0; j < units; j++) {
        /* h' = o ∘ tanh(c') */
        const real u = real_tanh(f[j] * memory_before[j] + i[j] * g[j]);
        const real d_o = dh[j] * u;
        const real dc = dmemory[j] + dh[j] * o[j] * (1 - u * u);
        dh[j] = 0;
        /* c' = f ∘ c + i ∘ g */
        const real di = dc * g[j], df = dc * memory_before[j], dg = dc * i[j];
        dmemory[j] = dc * f[j];
        q_i[j] = i[j] = di * i[j] * (1 - i[j]);
        q_f[j] = f[j] = df * f[j] * (1 - f[j]);
        q_g[j] = g[j] = dg * (1 - g[j] * g[j]);
        q_o[j] = o[j] = d_o * o[j] * (1 - o[j]);
    }
}
