/* Cross-entropy: softmax, loss and gradient of each row of logits in one pass over it, and log
 * probabilities. The logits are the output layer's. */
#include "xent.h"

#include "kernel.h"
#include "vecmath.h"

#include <assert.h>
#include <math.h>

/* Adds `share` of a row's loss to the sums. The logits become exp(logits - max); returns the sum of these. */
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

/* The divergence of two rows, J = KL(p‖q) + KL(q‖p) = Σ (p - q) (log p - log q), is Σ (p - q) d with the
 * difference d of their logits: what log p - log q has beside d is the same for all words, and Σ p = Σ q. */
struct divergence {
    const real *d;
    real pd, qd; /* Σ p d, Σ q d */
    real weight;
};

/* p and q become half their cross-entropy's gradients, but for the right words, and weight · dJ/dlogits. */
static KERNEL(finish_pair, (real *p, real *q, const struct divergence *divergence, real smoothed, real half,
               size_t n),
              (p, q, divergence, smoothed, half, n))
{
    const real *d = divergence->d;
    const real pd = divergence->pd, qd = divergence->qd, weight = divergence->weight;
    for (size_t v = 0; v < n; v++) {
        const real pv = p[v], qv = q[v];
        p[v] = half * (pv - smoothed) + weight * (pv * (d[v] - pd) + pv - qv);
        q[v] = half * (qv - smoothed) + weight * (qv * (qd - d[v]) + qv - pv);
    }
}

static void pair_forward_backward(struct xent_sums *sums, real *losses, struct mat pair, const int *ids,
                                  const struct xent_options *options, real scale, real *d)
{
    real *p = mat_row(pair, 0), *q = mat_row(pair, 1);
    const size_t n = pair.cols;
    const double smoothing = options->smoothing, weight = options->r_drop / 4;
    difference(d, p, q, n);
    vec_scale(p, 1 / row_loss(sums, losses, p, ids[0], n, smoothing, 0.5), n);
    vec_scale(q, 1 / row_loss(sums, losses ? losses + 1 : NULL, q, ids[1], n, smoothing, 0.5), n);
    const struct divergence divergence = {d, vec_dot(p, d, n), vec_dot(q, d, n), scale * (real)weight};
    sums->loss += weight * (double)(divergence.pd - divergence.qd);
    finish_pair(p, q, &divergence, (real)(smoothing / (double)n), scale / 2, n);
    p[ids[0]] -= (real)(1 - smoothing) * scale / 2;
    q[ids[1]] -= (real)(1 - smoothing) * scale / 2;
}

/* ---- all rows ---- */

static void row_forward_backward(struct xent_sums *sums, real *loss, struct mat row, int id, double smoothing,
                                 real scale)
{
    const size_t n = row.cols;
    real *p = row.data;
    const real sum = row_loss(sums, loss, p, id, n, smoothing, 1);
    finish_row(p, scale / sum, (real)(smoothing / (double)n) * scale, n); /* p - ε / V */
    p[id] -= (real)(1 - smoothing) * scale;                               /* - (1 - ε) onehot(y) */
}

void xent_forward_backward(struct xent_sums *sums, real *losses, struct mat logits, const int *ids,
                           const struct xent_options *options, real scale, real *scratch)
{
    const bool pairs = options->r_drop > 0;
    assert(!pairs || (scratch && logits.rows % 2 == 0));
    for (size_t i = 0; i < logits.rows; i += pairs ? 2 : 1) {
        real *loss = losses ? losses + i : NULL;
        if (pairs)
            pair_forward_backward(sums, loss, mat_rows(logits, i, 2), ids + i, options, scale, scratch);
        else
            row_forward_backward(sums, loss, mat_rows(logits, i, 1), ids[i], options->smoothing, scale);
    }
}

void xent_scores(real *scores, struct mat logits, const int *ids)
{
    const size_t n = logits.cols;
    for (size_t i = 0; i < logits.rows; i++) {
        real *row = mat_row(logits, i);
        const real max = vec_max(row, n), right = row[ids[i]];
        scores[i] = (real)((double)right - (double)max - log((double)vec_exp_sum(row, row, max, n)));
    }
}
