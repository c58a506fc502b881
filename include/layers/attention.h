/* attention: additive attention (Bahdanau, Cho, Bengio 2015, arXiv:1409.0473, appendix A.1.2).
 *
 *   e_ij = vᵀ tanh(W_a s_i + U_a h_j + b)      α_i = softmax_j(e_ij)      c_i = Σ_j α_ij h_j
 *
 * s_i query (decoder state before the step), h_j annotations of the source positions, K wide; A attention
 * units. Annotations and keys U_a h + b are packed rows of the source (packing.h). A query row belongs to the
 * source sentence of rank `column[row]`; there may be several rows for one (beam search) or none. */
#ifndef NMT_ATTENTION_H
#define NMT_ATTENTION_H

#include "layout.h"
#include "linear.h"
#include "packing.h"
#include "real.h"

struct attention {
    int units;           /* A */
    struct linear query; /* W_a, no bias */
    struct linear key;   /* U_a and b */
    size_t score;        /* v: [1][A] */
};

void attention_declare(struct attention *attention, struct layout *layout, const char *prefix,
                       int query_width, int annotation_width, int units);

/* alpha [rows][source->steps] = weights, 0 behind a sentence's end. query [rows][A] = W_a s.
 */
void attention_weights(real *alpha, const real *query, const real *keys, const int *column,
                       const struct attention *attention, const real *params, const struct packing *source,
                       int rows);
/* sums [rows][width] = Σ_j α_j values_j; values [N][width]: the annotations (width K), or anything linear in
 * them. */
void attention_sum(real *sums, const real *alpha, const real *values, int width, const int *column,
                   const struct packing *source, int rows);

/* dalpha [rows][source->steps] = dsums · values_j */
void attention_sum_backward(real *dalpha, const real *dsums, const real *values, int width, const int *column,
                            const struct packing *source, int rows);
/* dvalues += α_j dsums, for all steps of the target at once: sentence by sentence, so that its values stay in
 * the cache. alpha and dsums are packed rows of the target; column [target sents]. */
void attention_values_backward(real *dvalues, const real *dsums, const real *alpha, int width,
                               const int *column, const struct packing *source, const struct packing *target);
/* Adds to dkeys and to v's gradient dscore [A]; dquery [rows][A] is set. dalpha is used up. The tanh is
 * computed anew.
 */
void attention_weights_backward(real *dquery, real *dkeys, real *dscore, real *dalpha, const real *alpha,
                                const real *query, const real *keys, const int *column,
                                const struct attention *attention, const real *params,
                                const struct packing *source, int rows);

#endif
