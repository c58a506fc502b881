/* Simple recurrent networks (Elman 1990), h' = tanh(a + b_i + q + b_h), or max(0, …). */
#include "elementary.h"
#include "gates.h"
#include "kernel.h"

static KERNEL(rnn_tanh_forward, (real *h, real *c, const struct gates_row *row, size_t units),
       (h, c, row, units))
{
    real *a = row->a;
    const real *q = row->q, *b_i = row->bias_ih, *b_h = row->bias_hh;
    (void)c;
#pragma omp simd
    for (size_t i = 0; i < units; i++)
        h[i] = a[i] = real_tanh(a[i] + b_i[i] + q[i] + b_h[i]);
}

static KERNEL(rnn_tanh_backward, (real *dh, real *dc, const struct gates_row *row, size_t units),
       (dh, dc, row, units))
{
    real *h = row->a, *q = row->q;
    (void)dc;
#pragma omp simd
    for (size_t i = 0; i < units; i++) {
        q[i] = h[i] = dh[i] * (1 - h[i] * h[i]);
        dh[i] = 0;
    }
}

const struct gates gates_rnn_tanh = {
    .count = 1, .plain_gates = 1, .forward = rnn_tanh_forward, .backward = rnn_tanh_backward};

static KERNEL(rnn_relu_forward, (real *h, real *c, const struct gates_row *row, size_t units),
       (h, c, row, units))
{
    real *a = row->a;
    const real *q = row->q, *b_i = row->bias_ih, *b_h = row->bias_hh;
    (void)c;
#pragma omp simd
    for (size_t i = 0; i < units; i++) {
        const real sum = a[i] + b_i[i] + q[i] + b_h[i];
        h[i] = a[i] = sum > 0 ? sum : 0;
    }
}

static KERNEL(rnn_relu_backward, (real *dh, real *dc, const struct gates_row *row, size_t units),
       (dh, dc, row, units))
{
    real *h = row->a, *q = row->q;
    (void)dc;
#pragma omp simd
    for (size_t i = 0; i < units; i++) {
        q[i] = h[i] = h[i] > 0 ? dh[i] : 0;
        dh[i] = 0;
    }
}

const struct gates gates_rnn_relu = {
    .count = 1, .plain_gates = 1, .forward = rnn_relu_forward, .backward = rnn_relu_backward};
