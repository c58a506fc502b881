/* Cross-entropy: softmax, loss and gradient of each row of logits in one pass, and log-probabilities. The
 * logits are computed by the caller. */
#include "xent.h"

#include "kernel.h"
#include "vecmath.h"

#include <math.h>

/* Adds a row's loss to the sums. Logits become exp(logits - max); returns their sum. */
static real row_loss(struct xent_sums *sums, real *loss, real *row, int id, size_t n, double smoothing)
{
    const double mean = smoothing > 0 ? vec_sum(row, n) / (double)n : 0;
    const real max = vec_max(row, n), right = row[id];
    const real sum = vec_exp_sum(row, row, max, n);
    const double log_sum = (double)max + log((double)sum);
    const double nll = log_sum - (double)right;
    const double smoothed = (1 - smoothing) * nll + smoothing * (log_sum - mean);
    sums->nll += nll;
    sums->loss += smoothed;
    if (loss)
        *loss = (real)smoothed;
    return sum;
}

/* p = factor · p - shift */
static KERNEL(finish_row, (real *p, real factor, real shift, size_t n), (p, factor, shift, n))
{
    for (size_t v = 0; v < n; v++)
        p[v] = p[v] * factor - shift;
}

static void row_forward_backward(struct xent_sums *sums, real *loss, struct mat row, int id, double smoothing,
                                 real scale)
{
    const size_t n = row.cols;
    real *p = row.data;
    const real sum = row_loss(sums, loss, p, id, n, smoothing);
    finish_row(p, scale / sum, (real)(smoothing / (double)n) * scale, n); /* p - ε / V */
    p[id] -= (real)(1 - smoothing) * scale;                               /* - (1 - ε) onehot(y) */
}

void xent_forward_backward(struct xent_sums *sums, real *losses, struct mat logits, const int *ids,
                           double smoothing, real scale)
{
    for (size_t i = 0; i < logits.rows; i++)
        row_forward_backward(sums, losses ? losses + i : NULL, mat_rows(logits, i, 1), ids[i], smoothing,
                             scale);
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
