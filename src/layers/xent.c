#include "xent.h"

#include "kernel.h"
#include "vecmath.h"

#include <assert.h>
#include <math.h>

/* Adds a row's loss, `share` times. Logits become exp(logits - max), whose sum is returned. */
static real row_loss(struct xent_sums *sums, real *loss, real *row, int id, size_t n, double smoothing,
                     double share)
{
    const double mean = smoothing > 0 ? vec_sum(row, n) / (double)n : 0;
    const real max = vec_max(row, n), right = row[id];
    const real sum = vec_exp_sum(row, row, max, n);
    const double log_sum = (double)max + log((double)sum);
    const double nll = log_sum - (double)right;
    const double smoothed = (1 - smoothing) * nll + smoothing * (log_sum - mean);
    sums->nll += share * nll;
    sums->loss += share * smoothed;
    if (loss)
        *loss = (real)smoothed;
    return sum;
}

/* p becomes factor · p - shift. */
static KERNEL(finish_row, (real *p, real factor, real shift, size_t n), (p, factor, shift, n))
{
    for (size_t v = 0; v < n; v++)
        p[v] = p[v] * factor - shift;
}

/* ---- R-Drop ---- */

static KERNEL(difference, (real *d, const real *p, const real *q, size_t n), (d, p, q, n))
{
    for (size_t v = 0; v < n; v++)
        d[v] = p[v] - q[v];
}

/* p and q become half their cross-entropy's gradients, but for the right words, and weight · dJ/dlogits. */
static KERNEL(finish_pair, (real *p, real *q, const real *d, real pd, real qd, real smoothed, real half,
               real weight, size_t n),
              (p, q, d, pd, qd, smoothed, half, weight, n))
{
    for (size_t v = 0; v < n; v++) {
        const real pv = p[v], qv = q[v];
        p[v] = half * (pv - smoothed) + weight * (pv * (d[v] - pd) + pv - qv);
        q[v] = half * (qv - smoothed) + weight * (qv * (qd - d[v]) + qv - pv);
    }
}

/* The divergence of both, J = KL(p‖q) + KL(q‖p) = Σ (p - q) (log p - log q), is Σ (p - q) d with the logits'
 * difference d: what log p - log q has beside d is the same for all words, and Σ p = Σ q. */
static void pair_forward_backward(struct xent_sums *sums, real *losses, real *p, const int *ids, size_t n,
                                  const struct xent_options *options, real scale, real *d)
{
    real *q = p + n;
    const double smoothing = options->smoothing, weight = options->r_drop / 4;
    difference(d, p, q, n);
    vec_scale(p, 1 / row_loss(sums, losses, p, ids[0], n, smoothing, 0.5), n);
    vec_scale(q, 1 / row_loss(sums, losses ? losses + 1 : NULL, q, ids[1], n, smoothing, 0.5), n);
    const real pd = vec_dot(p, d, n), qd = vec_dot(q, d, n);
    sums->loss += weight * (double)(pd - qd);
    finish_pair(p, q, d, pd, qd, (real)(smoothing / (double)n), scale / 2, scale * (real)weight, n);
    p[ids[0]] -= (real)(1 - smoothing) * scale / 2;
    q[ids[1]] -= (real)(1 - smoothing) * scale / 2;
}

/* ---- all rows ---- */

void xent_forward_backward(struct xent_sums *sums, real *losses, real *logits, const int *ids,
                           size_t vocabulary, size_t rows, const struct xent_options *options, real scale,
                           real *room)
{
    const size_t n = vocabulary;
    if (options->r_drop > 0) {
        assert(rows % 2 == 0);
        for (size_t i = 0; i < rows; i += 2)
            pair_forward_backward(sums, losses ? losses + i : NULL, logits + i * n, ids + i, n, options,
                                  scale, room);
        return;
    }
    for (size_t i = 0; i < rows; i++) {
        real *row = logits + i * n;
        const real sum = row_loss(sums, losses ? losses + i : NULL, row, ids[i], n, options->smoothing, 1);
        finish_row(row, scale / sum, (real)(options->smoothing / (double)vocabulary) * scale, n);
        row[ids[i]] -= (real)(1 - options->smoothing) * scale;
    }
}

void xent_scores(real *scores, real *logits, const int *ids, size_t vocabulary, size_t rows)
{
    const size_t n = vocabulary;
    for (size_t i = 0; i < rows; i++) {
        real *row = logits + i * n;
        const real max = vec_max(row, n), right = row[ids[i]];
        scores[i] = (real)((double)right - (double)max - log((double)vec_exp_sum(row, row, max, n)));
    }
}
