/* attention: where the decoder looks.
 *
 *   e_ij = score(query_i, key_j) / τ       α_i = normalizer_j(e_ij)       c_i = Σ_j α_ij value_j
 *
 * query_i is made of s_i, the decoder state that asks; key_j of the annotation h_j, K wide. value_j is h_j.
 *
 * Several heads (Vaswani et al. 2017, arXiv:1706.03762): each has its own part of queries, keys and values,
 * with value_j = W_v h_j, and its own weights; c_i is their parts one behind the other.
 *
 * Scope (Luong, Pham, Manning 2015, arXiv:1508.04025): local attention has weights only within a window of
 * `window` positions to each side of a centre p_i, S the number of positions:
 *   local_m   p_i = i                                 (as far as the source goes)
 *   local_p   p_i = S σ(v_pᵀ tanh(W_p s_i)),  and α_ij is multiplied with exp(-(j - p_i)² / 2σ²), σ = window
 * / 2
 *
 * Annotations, keys and values are packed rows of the source (packing.h). A row of queries belongs to the
 * source sentence of rank `column[row]`; there may be several rows for one (beam search) or none. A row of
 * weights is alpha [heads][steps], 0 where there is nothing to see. */
#ifndef NMT_ATTENTION_H
#define NMT_ATTENTION_H

#include "layout.h"
#include "linear.h"
#include "normalizer.h"
#include "packing.h"
#include "real.h"
#include "score.h"

enum attention_scope { SCOPE_GLOBAL, SCOPE_LOCAL_M, SCOPE_LOCAL_P };

/* What can be chosen. */
struct attention_choice {
    const struct score *score; /* without functions: the sources have one position, which gets all weight */
    const struct normalizer *normalizer;
    enum attention_scope scope;
    int units, heads, window;
    double temperature; /* τ */
};

struct attention {
    struct attention_choice is;
    int units;            /* A: width of queries and keys */
    int width;            /* K */
    struct linear query;  /* W_a, if the score has it */
    struct linear key;    /* U_a and b, likewise */
    struct linear value;  /* W_v, of several heads */
    size_t vector;        /* v [A], if the score has it */
    struct linear centre; /* W_p, of local_p, units wide */
    size_t centre_vector; /* v_p */
};

/* query_width: of the states that ask. */
void attention_declare(struct attention *attention, struct layout *layout, const char *prefix,
                       int query_width, int annotation_width, const struct attention_choice *choice);
bool attention_is_local_p(const struct attention *attention);

/* ---- the source, once ---- */

struct attention_source_weights {
    struct packed key, value;
};

struct attention_source {
    const struct packing *packing;
    const real *annotations; /* [N][K]; the caller's */
    real *keys;              /* [N][A] */
    real *own_values;        /* [N][K], of several heads */
    const real *values;      /* [N][K]: these or the annotations */
};

void attention_source_pack(struct attention_source_weights *weights, const struct attention *attention,
                           const real *params, struct packs *packs);
void attention_source_init(struct attention_source *at, const struct attention *attention,
                           const struct packing *source, struct arena *arena);
void attention_source_forward(struct attention_source *at, const real *annotations,
                              const struct attention *attention,
                              const struct attention_source_weights *weights, const real *params);
/* Adds to dannotations what comes by keys and values. dvalues [N][K]: dannotations itself where values are
 * the annotations. */
void attention_source_backward(real *dannotations, struct gradients *gradients, const real *dkeys,
                               const real *dvalues, const struct attention_source *at,
                               const struct attention *attention, const real *params);

/* ---- the steps ---- */

/* Forward and, packed for it, backward. */
struct attention_weights {
    struct packed query, centre;
};

struct attention_acts {
    real *query;  /* [rows][A] */
    real *alpha;  /* [rows][heads][steps]; the caller's */
    real *hidden; /* local_p: [rows][units], tanh(W_p s) */
    real *centre; /* local_p: [rows], p */
    /* Backward's: gradients of query and W_p s, for all rows; of keys; of v and v_p. */
    real *dquery, *dhidden, *dkeys, *dvector, *dcentre_vector;
    real *dalpha;  /* [most][heads][steps] */
    real *dcentre; /* local_p: [most] */
    real *plain;   /* local_p: [steps], weights without the Gaussian */
};

void attention_pack(struct attention_weights *weights, const struct attention *attention, const real *params,
                    struct packs *packs);
void attention_pack_backward(struct attention_weights *weights, const struct attention *attention,
                             const real *params, struct packs *packs);
/* Room, but for alpha. */
void attention_acts_init(struct attention_acts *acts, const struct attention *attention, size_t rows,
                         struct arena *arena);
/* For at most `most` rows in a step. */
void attention_acts_init_backward(struct attention_acts *acts, const struct attention *attention, size_t rows,
                                  int most, const struct packing *source, struct arena *arena);
/* Reals that these and alpha take for each row, with sources of so many positions. */
double attention_acts_per_row(const struct attention *attention, double steps);

/* The weights of rows `row` … of acts, which ask with states [rows][ld] at step i = `step`, from 0. */
void attention_forward(struct attention_acts *acts, size_t row, const real *states, int ld, int step,
                       const int *column, const struct attention_source *at,
                       const struct attention *attention, const struct attention_weights *weights,
                       const real *params, int rows);
/* From acts->dalpha of the step to the gradients in acts; adds to dstates [rows][D]. */
void attention_backward(real *dstates, struct attention_acts *acts, size_t row, int step, const int *column,
                        const struct attention_source *at, const struct attention *attention,
                        const struct attention_weights *weights, const real *params, int rows);
/* After the last step: notes the gradients of all weights that queries go through. states [rows][D] asked. */
void attention_note_weights(struct gradients *gradients, const struct attention_acts *acts,
                            const real *states, const struct attention *attention, int rows);

/* ---- sums ---- */

/* What is summed: for each head `width` numbers, heads `stride` apart, rows `ld` apart. With `together`, all
 * heads' sums are added up, otherwise they follow one another. */
struct attention_values {
    const real *rows;
    int ld, stride, width;
    bool together;
};

/* Of the source's own values: the context vector. */
struct attention_values attention_context_values(const struct attention_source *at,
                                                 const struct attention *attention);
/* sums [rows][width or heads · width] = Σ_j α_j values_j; alpha [rows][heads][steps]. */
void attention_sum(real *sums, const real *alpha, const struct attention_values *values, const int *column,
                   const struct packing *source, int heads, int rows);
/* dalpha [rows][heads][steps] = dsums · values_j */
void attention_sum_backward(real *dalpha, const real *dsums, const struct attention_values *values,
                            const int *column, const struct packing *source, int heads, int rows);
/* dvalues, laid out as the values, += α_j dsums, for all steps of the target at once: sentence by sentence,
 * so that its values stay in the cache. alpha and dsums are packed rows of the target; column [target sents].
 */
void attention_values_backward(real *dvalues, const real *dsums, const real *alpha,
                               const struct attention_values *values, const int *column,
                               const struct packing *source, const struct packing *target, int heads);

#endif
