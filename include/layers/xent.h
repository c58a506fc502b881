/* xent: cross-entropy with label smoothing (Szegedy et al. 2016), loss and gradient in one pass.
 *
 *   loss = (1 - ε) (-log p_y) + ε / V Σ_v (-log p_v),   p = softmax(logits)
 *   dloss/dlogits = p - (1 - ε) onehot(y) - ε / V */
#ifndef NMT_XENT_H
#define NMT_XENT_H

#include "mat.h"

struct xent_sums {
    double loss; /* with smoothing, nats */
    double nll;  /* -log p_y alone, nats */
};

/* For each row i of logits [rows][V] and the right token ids[i]: adds to the sums and, unless losses is
 * NULL, sets losses[i]. logits become scale · dloss/dlogits. */
void xent_forward_backward(struct xent_sums *sums, real *losses, struct mat logits, const int *ids,
                           double smoothing, real scale);

/* scores [rows] = log p of the right tokens ids [rows], in nats; logits are overwritten. */
void xent_scores(real *scores, struct mat logits, const int *ids);

#endif
