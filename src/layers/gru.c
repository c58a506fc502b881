#include "gru.h"

#include "elementary.h"
#include "vecmath.h"

void gru_declare(struct gru *gru, struct layout *layout, const char *prefix, int inputs, int units)
{
    gru->inputs = inputs;
    gru->units = units;
    gru->weight_ih = layout_declare(layout, prefix, "weight_ih", 3 * units, inputs, INIT_GLOROT);
    gru->weight_hh = layout_declare(layout, prefix, "weight_hh", 3 * units, units, INIT_ORTHOGONAL);
    gru->bias_ih = layout_declare(layout, prefix, "bias_ih", 3 * units, 0, INIT_ZERO);
    gru->bias_hh = layout_declare(layout, prefix, "bias_hh", 3 * units, 0, INIT_ZERO);
}

VEC_CLONES static void row_forward(real *h, real *gates, real *hidden, const real *h_prev, const real *b_ih,
                                   const real *b_hh, int units)
{
    real *g_r = gates, *g_z = gates + units, *g_n = gates + 2 * units;
    real *q_r = hidden, *q_z = hidden + units, *q_n = hidden + 2 * units;
    const real *b_ir = b_ih, *b_iz = b_ih + units, *b_in = b_ih + 2 * units;
    const real *b_hr = b_hh, *b_hz = b_hh + units, *b_hn = b_hh + 2 * units;
#pragma omp simd
    for (int i = 0; i < units; i++) {
        const real r = real_sigmoid(g_r[i] + b_ir[i] + q_r[i] + b_hr[i]);
        const real z = real_sigmoid(g_z[i] + b_iz[i] + q_z[i] + b_hz[i]);
        const real q = q_n[i] + b_hn[i];
        const real n = real_tanh(g_n[i] + b_in[i] + r * q);
        h[i] = (1 - z) * n + z * h_prev[i];
        g_r[i] = r;
        g_z[i] = z;
        g_n[i] = n;
        q_n[i] = q;
    }
}

void gru_step_forward(real *h, int ldh, real *gates, real *hidden, const real *h_prev, const struct gru *gru,
                      const real *params, int rows)
{
    const size_t u = (size_t)gru->units;
    for (size_t i = 0; i < (size_t)rows; i++)
        row_forward(h + i * (size_t)ldh, gates + i * 3 * u, hidden + i * 3 * u, h_prev + i * u,
                    params + gru->bias_ih, params + gru->bias_hh, gru->units);
}

VEC_CLONES static void row_backward(real *dh, real *gates, real *hidden, const real *h_prev, int units)
{
    real *r = gates, *z = gates + units, *n = gates + 2 * units;
    real *q_r = hidden, *q_z = hidden + units, *q_n = hidden + 2 * units;
#pragma omp simd
    for (int i = 0; i < units; i++) {
        /* h' = (1 - z) ∘ n + z ∘ h */
        const real dz = dh[i] * (h_prev[i] - n[i]);
        const real dn = dh[i] * (1 - z[i]);
        dh[i] *= z[i];
        /* n = tanh(… + r ∘ q_n) */
        const real dn_sum = dn * (1 - n[i] * n[i]);
        const real dr = dn_sum * q_n[i];
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

void gru_step_backward(real *dh, real *gates, real *hidden, const real *h_prev, const struct gru *gru,
                       int rows)
{
    const size_t u = (size_t)gru->units;
    for (size_t i = 0; i < (size_t)rows; i++)
        row_backward(dh + i * u, gates + i * 3 * u, hidden + i * 3 * u, h_prev + i * u, gru->units);
}
