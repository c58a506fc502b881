#include "xent.h"

#include "vecmath.h"

#include <math.h>

/* p becomes factor · p - shift. */
VEC_CLONES static void finish_row(real *p, real factor, real shift, int vocabulary)
{
    for (int v = 0; v < vocabulary; v++)
        p[v] = p[v] * factor - shift;
}

void xent_forward_backward(struct xent_sums *sums, real *losses, real *logits, const int *ids, int vocabulary,
                           int rows, double smoothing, real scale)
{
    const size_t n = (size_t)vocabulary;
    for (size_t i = 0; i < (size_t)rows; i++) {
        real *row = logits + i * n;
        const double mean = smoothing > 0 ? vec_sum(row, n) / vocabulary : 0;
        const real max = vec_max(row, n), right = row[ids[i]];
        const real sum = vec_exp_sum(row, row, max, n);
        const double log_sum = (double)max + log((double)sum);
        const double nll = log_sum - (double)right;
        const double loss = (1 - smoothing) * nll + smoothing * (log_sum - mean);
        sums->nll += nll;
        sums->loss += loss;
        if (losses)
            losses[i] = (real)loss;
        finish_row(row, scale / sum, (real)(smoothing / vocabulary) * scale, vocabulary);
        row[ids[i]] -= (real)(1 - smoothing) * scale;
    }
}

void xent_scores(real *scores, real *logits, const int *ids, int vocabulary, int rows)
{
    const size_t n = (size_t)vocabulary;
    for (size_t i = 0; i < (size_t)rows; i++) {
        real *row = logits + i * n;
        const real max = vec_max(row, n), right = row[ids[i]];
        scores[i] = (real)((double)right - (double)max - log((double)vec_exp_sum(row, row, max, n)));
    }
}
