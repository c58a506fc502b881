/* score_kinds: the functions in the table of score.c. */
#ifndef NMT_SCORE_KINDS_H
#define NMT_SCORE_KINDS_H

#include "score.h"

/* score_additive.c: e = vᵀ tanh(query + key) (Bahdanau, Cho, Bengio 2015, arXiv:1409.0473, appendix A.1.2).
 * Luong's "concat", vᵀ tanh(W [s ; h]), is the same without a bias: W [s ; h] = W_a s + U_a h. */
real score_additive(const real *v, const real *query, const real *key, size_t n);
void score_additive_backward(real *dv, real *dquery, real *dkey, real de, const real *v, const real *query,
                             const real *key, size_t n);

/* score_dot.c: e = query · key; Luong, Pham, Manning 2015 (arXiv:1508.04025), with key = W h their "general";
 * divided by sqrt(n): Vaswani et al. 2017 (arXiv:1706.03762). */
real score_dot(const real *v, const real *query, const real *key, size_t n);
void score_dot_backward(real *dv, real *dquery, real *dkey, real de, const real *v, const real *query,
                        const real *key, size_t n);
real score_scaled_dot(const real *v, const real *query, const real *key, size_t n);
void score_scaled_dot_backward(real *dv, real *dquery, real *dkey, real de, const real *v, const real *query,
                               const real *key, size_t n);

#endif
