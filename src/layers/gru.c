#include "gru.h"

#include "elementary.h"
#include "vecmath.h"

#include <math.h>
#include <string.h>

#define VARIANCE_FLOOR 1e-5 /* as in PyTorch */

void gru_declare(struct gru *gru, struct layout *layout, const char *prefix, int inputs, int units,
                 bool normalized)
{
    *gru = (struct gru){.inputs = inputs, .units = units, .normalized = normalized};
    if (inputs)
        gru->weight_ih = layout_declare(layout, prefix, "weight_ih", 3 * units, inputs, INIT_GLOROT);
    gru->weight_hh = layout_declare(layout, prefix, "weight_hh", 3 * units, units, INIT_ORTHOGONAL);
    gru->bias_ih = layout_declare(layout, prefix, "bias_ih", 3 * units, 0, INIT_ZERO);
    gru->bias_hh = layout_declare(layout, prefix, "bias_hh", 3 * units, 0, INIT_ZERO);
    if (normalized && inputs)
        gru->gain_ih = layout_declare(layout, prefix, "gain_ih", 3 * units, 0, INIT_ONE);
    if (normalized)
        gru->gain_hh = layout_declare(layout, prefix, "gain_hh", 3 * units, 0, INIT_ONE);
}

void gru_acts_init(struct gru_acts *acts, const struct gru *gru, size_t rows, struct arena *arena)
{
    const size_t gates = 3 * (size_t)gru->units;
    memset(acts, 0, sizeof *acts);
    acts->gates = ARENA_NEW(arena, rows * gates, real);
    acts->hidden = ARENA_NEW(arena, rows * gates, real);
    if (!gru->normalized)
        return;
    if (gru->inputs)
        acts->normal_gates = ARENA_NEW(arena, rows * gates, real);
    acts->normal_hidden = ARENA_NEW(arena, rows * gates, real);
    acts->scales = ARENA_NEW(arena, rows * 6, real);
    acts->sums = ARENA_ZERO(arena, 4 * gates, real);
}

double gru_acts_per_row(const struct gru *gru)
{
    const double gates = 3.0 * gru->units;
    return gru->normalized ? 4 * gates + 6 : 2 * gates;
}

/* ---- layer normalisation of a row of three gates ---- */

VEC_CLONES static void normalize_row(real *row, real *normal, real *scales, const real *gain, int units)
{
    for (int gate = 0; gate < 3; gate++) {
        real *a = row + gate * units, *to = normal + gate * units;
        const real *g = gain + gate * units;
        real sum = 0, squares = 0;
#pragma omp simd reduction(+ : sum)
        for (int i = 0; i < units; i++)
            sum += a[i];
        const real mean = sum / (real)units;
#pragma omp simd reduction(+ : squares)
        for (int i = 0; i < units; i++)
            squares += (a[i] - mean) * (a[i] - mean);
        const real scale = (real)(1 / sqrt((double)squares / units + VARIANCE_FLOOR));
#pragma omp simd
        for (int i = 0; i < units; i++) {
            to[i] = (a[i] - mean) * scale;
            a[i] = to[i] * g[i];
        }
        scales[gate] = scale;
    }
}

/* row [3U]: from the gradient of a = g ∘ normal to that of what was normalised; adds to dbias and dgain. */
VEC_CLONES static void normalize_row_backward(real *row, real *dbias, real *dgain, const real *normal,
                                              const real *scales, const real *gain, int units)
{
    for (int gate = 0; gate < 3; gate++) {
        real *da = row + gate * units, *db = dbias + gate * units, *dg = dgain + gate * units;
        const real *n = normal + gate * units, *g = gain + gate * units;
        real sum = 0, product = 0;
#pragma omp simd reduction(+ : sum, product)
        for (int i = 0; i < units; i++) {
            db[i] += da[i];
            dg[i] += da[i] * n[i];
            da[i] *= g[i];
            sum += da[i];
            product += da[i] * n[i];
        }
        const real mean = sum / (real)units, along = product / (real)units, scale = scales[gate];
#pragma omp simd
        for (int i = 0; i < units; i++)
            da[i] = scale * (da[i] - mean - n[i] * along);
    }
}

/* ---- the gates ---- */

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

void gru_step_forward(real *h, int ldh, struct gru_acts *acts, size_t row, const real *h_prev, int ldh_prev,
                      const struct gru *gru, const real *params, int rows)
{
    const size_t u = (size_t)gru->units;
    if (!gru->inputs)
        memset(acts->gates + row * 3 * u, 0, (size_t)rows * 3 * u * sizeof(real));
    for (size_t i = 0; i < (size_t)rows; i++) {
        const size_t at = (row + i) * 3 * u;
        real *gates = acts->gates + at, *hidden = acts->hidden + at;
        if (gru->normalized) {
            real *scales = acts->scales + (row + i) * 6;
            if (gru->inputs)
                normalize_row(gates, acts->normal_gates + at, scales, params + gru->gain_ih, gru->units);
            normalize_row(hidden, acts->normal_hidden + at, scales + 3, params + gru->gain_hh, gru->units);
        }
        row_forward(h + i * (size_t)ldh, gates, hidden, h_prev + i * (size_t)ldh_prev, params + gru->bias_ih,
                    params + gru->bias_hh, gru->units);
    }
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

void gru_step_backward(real *dh, struct gru_acts *acts, size_t row, const real *h_prev, const struct gru *gru,
                       const real *params, int rows)
{
    const size_t u = (size_t)gru->units, width = 3 * u;
    for (size_t i = 0; i < (size_t)rows; i++) {
        const size_t at = (row + i) * width;
        real *gates = acts->gates + at, *hidden = acts->hidden + at;
        row_backward(dh + i * u, gates, hidden, h_prev + i * u, gru->units);
        if (!gru->normalized)
            continue;
        const real *scales = acts->scales + (row + i) * 6;
        real *dbias_ih = acts->sums, *dbias_hh = dbias_ih + width, *dgain_ih = dbias_hh + width,
             *dgain_hh = dgain_ih + width;
        if (gru->inputs)
            normalize_row_backward(gates, dbias_ih, dgain_ih, acts->normal_gates + at, scales,
                                   params + gru->gain_ih, gru->units);
        else
            vec_add(dbias_ih, gates, width);
        normalize_row_backward(hidden, dbias_hh, dgain_hh, acts->normal_hidden + at, scales + 3,
                               params + gru->gain_hh, gru->units);
    }
}

void gru_note_biases(struct gradients *gradients, const struct gru_acts *acts, const struct gru *gru,
                     int rows)
{
    const int width = 3 * gru->units;
    if (!gru->normalized) {
        gradients_sum(gradients, gru->bias_ih, acts->gates, width, rows);
        gradients_sum(gradients, gru->bias_hh, acts->hidden, width, rows);
        return;
    }
    const real *sums = acts->sums; /* over the rows, step by step */
    gradients_sum(gradients, gru->bias_ih, sums, width, 1);
    gradients_sum(gradients, gru->bias_hh, sums + width, width, 1);
    if (gru->inputs)
        gradients_sum(gradients, gru->gain_ih, sums + 2 * width, width, 1);
    gradients_sum(gradients, gru->gain_hh, sums + 3 * width, width, 1);
}
