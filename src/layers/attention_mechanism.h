/* attention_mechanism: the mechanisms that attention.c puts together, each in a file of its own. */
#ifndef NMT_ATTENTION_MECHANISM_H
#define NMT_ATTENTION_MECHANISM_H

#include "attention.h"

/* ---- attention_local.c ---- */

/* The positions from `begin` to before `end` that a row sees, around `centre`. */
struct span {
    size_t begin, end;
    double centre;
};

struct span span_of(const struct attention_acts *acts, size_t row, size_t step, size_t length,
                    const struct attention *attention);
/* local_p: p of rows `row` … for states [rows][ld]. */
void centres_forward(struct attention_acts *acts, size_t row, const real *states, size_t ld,
                     const size_t *source_rank, const struct packed_seq *source,
                     const struct attention *attention, const struct prepacked *weight, const real *params,
                     size_t rows);
/* From acts->dcentre [rows]; adds to dstates. */
void centres_backward(real *dstates, struct attention_acts *acts, size_t row, const size_t *source_rank,
                      const struct packed_seq *source, const struct attention *attention,
                      const struct prepacked *weight, const real *params, size_t rows);
/* local_p: weights a in the span become α = a g, g the Gaussian around its centre. */
void gaussian_forward(real *alpha, const struct span *span, size_t window);
/* dalpha becomes da; plain = a; returns dp. */
real gaussian_backward(real *dalpha, real *plain, const real *alpha, const struct span *span, size_t window);

/* ---- attention_coverage.c ---- */

/* 1 / Φ of all positions. */
void fertility_forward(struct attention_source *at, const struct attention *attention, const real *params);
/* From acts->dinverse; defers the gradient of U_f and adds to dannotations. */
void fertility_backward(real *dannotations, struct grad_terms *terms, const struct attention_acts *acts,
                        const struct attention_source *at, const struct attention *attention,
                        const real *params, struct arena *arena);
/* acts->covered = key + coverage · u: what the score sees of a position. */
const real *covered_key(struct attention_acts *acts, const real *key, real coverage,
                        const struct attention *attention, const real *params);
/* From acts->dcovered, which is set to 0 again: adds to dkey and u's gradient; returns the coverage's. */
real covered_key_backward(real *dkey, struct attention_acts *acts, real coverage,
                          const struct attention *attention, const real *params);
/* α was added to the coverage: adds to dalpha [steps], from the gradients of the coverage after the step. */
void cover_backward(real *dalpha, struct attention_acts *acts, const real *alpha, const real *dcoverage,
                    size_t b, const struct attention_source *at);

/* ---- attention_guided.c ---- */

/* Adds to dalpha [heads][steps] of a row. */
void guided_backward(real *dalpha, const real *alpha, const real *guide, size_t heads, size_t steps,
                     real scale);

/* ---- attention_hard.c ---- */

/* Whether a sentence, by its rank in the batch, gets expected contexts: nothing is drawn for it. */
bool contexts_are_expected(const struct hard_attention *hard, uint32_t sentence);
/* alpha [n], a distribution, is kept in `soft`, and becomes 1 at one position. */
void choose_position(real *alpha, real *soft, size_t n, const struct hard_attention *hard, uint32_t draw);
/* The gradient of the loss in `soft`, by the estimator in attention.h; replaces what dalpha had. */
void choice_backward(real *dalpha, const real *alpha, const real *soft, size_t n,
                     const struct hard_attention *hard, real advantage);

#endif
