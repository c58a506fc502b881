/* attention: weights over source positions, and the context vectors that they give.
 *
 *   e_ij = score(query_i, key_j) / τ       α_i = normalizer_j(e_ij)       c_i = Σ_j α_ij value_j
 *
 * query_i is computed from a decoder state, called s_i here (decoder.h says which one it is), key_j from the
 * annotation h_j, K wide. value_j is h_j.
 *
 * Several heads (Vaswani et al. 2017, arXiv:1706.03762): each has its own part of queries, keys and values,
 * with value_j = W_v h_j, and its own weights; c_i is the concatenation of their sums.
 *
 * Scope (Luong, Pham, Manning 2015, arXiv:1508.04025): local attention has weights only within a window of
 * `window` positions on each side of a centre p_i; S is the number of positions:
 *   local_m   p_i = i                                 (at most S)
 *   local_p   p_i = S σ(v_pᵀ tanh(W_p s_i)),  and α_ij is multiplied by exp(-(j - p_i)² / 2σ²),
 *             σ = window / 2
 *
 * Coverage (Tu et al. 2016, arXiv:1601.04811, the linguistic one): the score also sees the attention that a
 * position has received so far, C_ij = Σ_{k<i} α_kj / Φ_j, through a key of key_j + C_ij u. Φ_j is 1, or the
 * position's fertility, N σ(U_f h_j) with N = 2.
 *
 * Hard attention (Xu et al. 2015, arXiv:1502.03044) attends to one position: in training sampled from α_i,
 * otherwise the likeliest. Its gradient is REINFORCE's, where l_k is the loss of word k, b a moving average
 * of such losses and H the entropy:
 *   A_i ∇ log α_{i,sampled} - λ ∇ H(α_i),      A_i = Σ_{k>=i} γ^{k-i} (l_k - b)
 * A_i excludes the losses before step i, which a choice at step i does not affect. Two options lower the
 * variance and add a bias: γ below 1, since a choice matters most to its own word; and, as in the paper,
 * expected contexts Σ_j α_ij value_j for some of the sentences, with the gradients of soft attention.
 *
 * Guided alignment (Chen, Matusov, Khadivi, Peter 2016, arXiv:1607.01628): where the alignment of a word is
 * known, as weights G_ij that sum to 1, the loss has an additional term -γ Σ_j G_ij log α_ij, with α the mean
 * of all heads.
 *
 * Local, hard, coverage and guided attention are mechanisms: tables of hooks, listed in
 * src/layers/attention.c.
 *
 * Annotations, keys and values are packed rows of the source (packed_seq.h). A row of queries belongs to
 * the source sentence of rank `source_rank[row]`; a sentence may have several rows (beam search) or none.
 * A row of weights is alpha [heads][steps], 0 outside its span. */
#ifndef NMT_ATTENTION_H
#define NMT_ATTENTION_H

#include "choices.h"
#include "layout.h"
#include "linear.h"
#include "mat.h"
#include "normalizer.h"
#include "packed_seq.h"
#include "real.h"
#include "score.h"

#include <stdbool.h>
#include <stdint.h>

/* The options of an attention. */
struct attention_choice {
    const struct score *score; /* without functions: each source has one position, which gets all weight */
    const struct normalizer *normalizer;
    enum attention_scope scope;
    enum attention_coverage coverage; /* needs one head, and a score with a hidden layer */
    bool hard;
    bool guided; /* trained towards known alignments */
    size_t units, heads, window;
    double temperature; /* τ */
};

struct attention_mechanism;
#define ATTENTION_MECHANISMS 6 /* rows of the table */

struct attention {
    struct attention_choice choice;
    const struct attention_mechanism *mechanisms[ATTENTION_MECHANISMS]; /* those that were chosen */
    size_t mechanism_count;
    size_t units;         /* A: width of queries and keys */
    size_t query_width;   /* D: width of the decoder states */
    size_t width;         /* K */
    struct linear query;  /* W_a, if the score has it */
    struct linear key;    /* U_a and b, if the score has them */
    struct linear value;  /* W_v, with several heads */
    size_t vector;        /* v [A], if the score has it */
    struct linear centre; /* W_p of local_p, choice.units wide */
    size_t centre_vector; /* v_p */
    size_t coverage;      /* u [A], with coverage */
    size_t fertility;     /* U_f [K], with fertility */
};

/* How hard attention chooses; NULL, or not sampled: the likeliest position. */
struct hard_attention {
    bool sampled;
    const int *forced; /* [rows][heads]: positions to choose instead, for tests; or NULL */
    uint32_t key;
    double entropy;  /* λ */
    double baseline; /* b */
    double discount; /* γ */
    double expected; /* probability that a sentence gets expected contexts; 0 if forced */
    real scale;      /* of the loss */
};

void attention_declare(struct attention *attention, struct layout *layout, const char *prefix,
                       size_t query_width, size_t annotation_width, const struct attention_choice *choice);
bool attention_has_score(const struct attention *attention); /* false: there is only one position */
bool attention_has_coverage(const struct attention *attention);
bool attention_is_hard(const struct attention *attention);

/* ---- the source, once ---- */

/* The attention with its parameters; those of keys and values are prepacked for one pass, forward or
 * backward. */
struct attention_source_weights {
    const struct attention *attention;
    const real *params;
    struct prepacked key, value;
};

struct attention_source {
    const struct packed_seq *seq;
    struct const_mat annotations; /* [N][K]; owned by the caller */
    struct mat keys;              /* [N][A] */
    struct mat own_values;        /* [N][K], with several heads */
    real *inverse_fertility;      /* [N]: 1 / Φ, with coverage */
    struct const_mat values;      /* [N][K]: own_values or the annotations */
};

void attention_source_prepack(struct attention_source_weights *weights, const struct attention *attention,
                              const real *params, struct prepack_list *list);
/* Allocates keys and values; seq must outlive them. */
void attention_source_init(struct attention_source *source, const struct attention *attention,
                           const struct packed_seq *seq, struct arena *arena);
/* Computes them from the annotations, which must be contiguous and outlive them: they may be the values. */
void attention_source_forward(struct attention_source *source, struct const_mat annotations,
                              const struct attention_source_weights *weights);

/* ---- the steps ---- */

/* The attention with its parameters; those of queries are prepacked for one pass, forward or backward. */
struct attention_weights {
    const struct attention *attention;
    const real *params;
    struct prepacked query, centre;
};

/* A step of a pass: rows `row` … `row` + rows - 1 of the acts. */
struct attention_step {
    size_t step; /* i - 1 */
    size_t row, rows;
    const size_t *source_rank; /* [rows]: the source sentence of each */
    const struct attention_source *source;
};

struct attention_acts {
    real *query;    /* [rows][A] */
    real *alpha;    /* [rows][heads][steps]; owned by the caller */
    real *soft;     /* hard: [rows][heads][steps], the distributions that positions were chosen from */
    real *hidden;   /* local_p: [rows][choice.units], tanh(W_p s) */
    real *centre;   /* local_p: [rows], p */
    real *coverage; /* [rows][steps]: C before the step */
    real *covered;  /* coverage: [source rows][A], the keys of the current row */
    const struct hard_attention *hard;
    /* For backward: gradients of query and W_p s, for all rows; of keys; of v, v_p, u and 1 / Φ. */
    real *dquery, *dhidden, *dkeys, *dvector, *dcentre_vector, *dcoverage_vector, *dinverse;
    real *dfertility;      /* fertility: [K] */
    real *dalpha;          /* [step_rows][heads][steps] */
    real *dcentre;         /* local_p: [step_rows], 0 between steps */
    real *plain;           /* local_p: [steps], weights without the Gaussian */
    real *dcovered;        /* coverage: [source rows][A], 0 between rows */
    real *dcoverage;       /* [step_rows][steps]: passed from step to step */
    const real *guide;     /* [rows][steps]: G, 0 where unknown; owned by the caller, or NULL */
    real guide_scale;      /* γ times the scale of the loss */
    const real *advantage; /* hard: [rows], A times the scale of the loss; owned by the caller */
};

void attention_prepack(struct attention_weights *weights, const struct attention *attention,
                       const real *params, struct prepack_list *list);
/* Allocates the acts for `rows` rows in all; alpha stays NULL. source and hard must outlive them. */
void attention_acts_init(struct attention_acts *acts, const struct attention *attention, size_t rows,
                         const struct packed_seq *source, const struct hard_attention *hard,
                         struct arena *arena);
/* Allocates what backward needs, for `rows` rows in all and at most `step_rows` in a step. */
void attention_acts_init_backward(struct attention_acts *acts, const struct attention *attention, size_t rows,
                                  size_t step_rows, const struct packed_seq *source, struct arena *arena);

/* Set the coverage of the step's rows: to 0 in the first step, later to that after the previous step,
 * whose rows begin at `previous`; rows of the same rank correspond. */
void coverage_reset(struct attention_acts *acts, const struct attention *attention,
                    const struct attention_step *step);
void coverage_advance(struct attention_acts *acts, const struct attention *attention,
                      const struct attention_step *step, size_t previous);
/* after [steps] = the coverage after a step with these weights, for a sentence of that rank. */
void attention_cover(real *after, const real *before, const real *alpha, size_t rank,
                     const struct attention_source *source);
/* Computes acts->alpha of the step's rows from their decoder states [rows][D]. */
void attention_forward(struct attention_acts *acts, struct const_mat states,
                       const struct attention_step *step, const struct attention_weights *weights);
/* From acts->dalpha of the step to the gradients in acts; adds to dstates [rows][D]. */
void attention_backward(struct mat dstates, struct attention_acts *acts, const struct attention_step *step,
                        const struct attention_weights *weights);
/* After the last step: defers the gradients of all weights applied to queries; states [rows][D] are those
 * of all rows. */
void attention_defer_weight_grads(struct grad_terms *terms, const struct attention_acts *acts,
                                  struct const_mat states, const struct attention *attention);
/* After that: adds to dannotations [N][K] through keys and values. dvalues [N][K] is dannotations itself
 * if values are the annotations. */
void attention_source_backward(struct mat dannotations, struct grad_terms *terms,
                               const struct attention_acts *acts, struct const_mat dvalues,
                               const struct attention_source *source,
                               const struct attention_source_weights *weights);

/* Σ_ij -G_ij log α_ij over the first `rows` rows. */
double attention_guided_loss(const struct attention_acts *acts, const struct attention *attention,
                             const struct packed_seq *source, size_t rows);

/* ---- sums ---- */

/* The vectors to sum: for each head, `width` columns of the rows, starting `stride` after those of the
 * head before. With `together`, the sums of all heads are added; otherwise they are concatenated. */
struct attention_values {
    struct const_mat rows; /* [N][] */
    size_t heads, stride, width;
    bool together;
};

/* The source's values, whose sum is the context vector. */
struct attention_values attention_context_values(const struct attention_source *source,
                                                 const struct attention *attention);
/* sums [rows][width or heads · width] = Σ_j α_j values_j; sums and alpha [rows][heads][steps] start at the
 * step's first row. */
void attention_sum(struct mat sums, const real *alpha, const struct attention_values *values,
                   const struct attention_step *step);
/* dalpha [rows][heads][steps] = dsums · values_j */
void attention_sum_backward(real *dalpha, struct const_mat dsums, const struct attention_values *values,
                            const struct attention_step *step);
/* dvalues += α_j dsums, for all target steps at once, sentence by sentence, so that a sentence's values
 * stay in the cache. alpha and dsums are packed rows of the target; source_rank [target sents]. */
void attention_values_backward(struct mat dvalues, struct const_mat dsums, const real *alpha,
                               const struct attention_values *values, const size_t *source_rank,
                               const struct packed_seq *source, const struct packed_seq *target);

#endif
