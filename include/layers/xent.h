/* xent: cross-entropy with label smoothing (Szegedy et al. 2016), loss and gradient in one pass.
 *
 *   loss = (1 - ε) (-log p_y) + ε / V Σ_v (-log p_v),   p = softmax(logits)
 *   dloss/dlogits = p - (1 - ε) onehot(y) - ε / V
 *
 * With R-Drop (Liang et al. 2021) each position has two rows, p and q, seen through two dropout masks:
 *
 *   loss = ½ loss(p) + ½ loss(q) + α / 4 (KL(p‖q) + KL(q‖p)) */
#ifndef NMT_XENT_H
#define NMT_XENT_H

#include "mat.h"

struct xent_options {
    double smoothing; /* ε */
    double r_drop;    /* α: rows 2i and 2i + 1 are the same position; 0: each row is another position */
};

struct xent_sums {
    double loss; /* with all terms, nats */
    double nll;  /* -log p_y alone, nats */
};

/* For each row i of logits [rows][V] and the right token ids[i]: adds to the sums and, unless losses is
 * NULL, sets losses[i], without the divergence. logits become scale · dloss/dlogits. scratch [V] is for
 * R-Drop alone, else NULL. */
void xent_forward_backward(struct xent_sums *sums, real *losses, struct mat logits, const int *ids,
                           const struct xent_options *options, real scale, real *scratch);

/* scores [rows] = log p of the right tokens ids [rows], in nats; logits are overwritten. */
void xent_scores(real *scores, struct mat logits, const int *ids);

#endif
