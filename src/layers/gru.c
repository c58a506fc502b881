#include "gru.h"

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

/* g = W_ih x + b_ih + W_hh h + b_hh for the gates r and z; their σ is taken by the caller. */
VEC_CLONES static void add_gates(real *g, const real *q, const real *b_ih, const real *b_hh, int two_units)
{
    for (int i = 0; i < two_units; i++)
        g[i] += q[i] + b_ih[i] + b_hh[i];
}

/* n before its tanh: W_in x + b_in + r ∘ (W_hn h + b_hn) */
VEC_CLONES static void add_candidate(real *n, real *q_n, const real *r, const real *b_in, const real *b_hn,
                                     int units)
{
    for (int i = 0; i < units; i++) {
        q_n[i] += b_hn[i];
        n[i] += b_in[i] + r[i] * q_n[i];
    }
}

/* h' = (1 - z) ∘ n + z ∘ h */
VEC_CLONES static void mix_state(real *h, const real *z, const real *n, const real *h_prev, int units)
{
    for (int i = 0; i < units; i++)
        h[i] = n[i] + z[i] * (h_prev[i] - n[i]);
}

void gru_step_forward(real *h, int ldh, real *gates, real *hidden, const real *h_prev, const struct gru *gru,
                      const real *params, int rows)
{
    const int units = gru->units;
    const size_t u = (size_t)units;
    const real *b_ih = params + gru->bias_ih, *b_hh = params + gru->bias_hh;
    for (size_t i = 0; i < (size_t)rows; i++) {
        real *r = gates + i * 3 * u, *z = r + u, *n = z + u;
        real *q = hidden + i * 3 * u;
        add_gates(r, q, b_ih, b_hh, 2 * units);
        vec_sigmoid(r, r, 2 * u);
        add_candidate(n, q + 2 * u, r, b_ih + 2 * u, b_hh + 2 * u, units);
        vec_tanh(n, n, u);
        mix_state(h + i * (size_t)ldh, z, n, h_prev + i * u, units);
    }
}

VEC_CLONES static void row_backward(real *dh, real *gates, real *hidden, const real *h_prev, int units)
{
    real *r = gates, *z = gates + units, *n = gates + 2 * units;
    real *q_r = hidden, *q_z = hidden + units, *q_n = hidden + 2 * units;
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
