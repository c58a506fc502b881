/* Coverage: adds C_ij u to each key, where C is the attention that a position has received so far; with
 * fertility, additions to C are divided by Φ (equations in attention.h). The caller says which rows of the
 * previous step continue. */
#include "attention_mechanism.h"
#include "elementary.h"
#include "vecmath.h"

#include <string.h>

#define MOST_FERTILITY 2 /* N: most target words per source word, as in Tu et al. 2016 */

bool attention_has_coverage(const struct attention *attention)
{
    return attention->choice.coverage != COVERAGE_NONE;
}

static bool applies(const struct attention_choice *choice)
{
    return choice->coverage != COVERAGE_NONE;
}

static void declare(struct attention *attention, struct layout *layout, const char *prefix)
{
    attention->coverage = attention_declare_vector(layout, prefix, "coverage", attention->units);
}

static void acts_init(struct attention_acts *acts, const struct attention *attention, size_t rows,
                      const struct packed_seq *source, struct arena *arena)
{
    acts->coverage = ARENA_NEW(arena, rows * source->steps, real);
    acts->covered = ARENA_NEW(arena, source->rows * attention->units, real);
}

static void acts_init_backward(struct attention_acts *acts, const struct attention *attention, size_t rows,
                               size_t step_rows, const struct packed_seq *source, struct arena *arena)
{
    (void)rows;
    acts->dcovered = ARENA_ZERO(arena, source->rows * attention->units, real);
    acts->dcoverage = ARENA_ZERO(arena, step_rows * source->steps, real);
    acts->dcoverage_vector = ARENA_ZERO(arena, attention->units, real);
    acts->dinverse = ARENA_ZERO(arena, source->rows, real);
}

static void defer_weight_grads(struct grad_terms *terms, const struct attention_acts *acts,
                               struct const_mat states, const struct attention *attention)
{
    (void)states;
    grad_terms_sum(terms, attention->coverage, const_mat_of(acts->dcoverage_vector, 1, attention->units));
}

/* ---- from step to step ---- */

void coverage_reset(struct attention_acts *acts, const struct attention *attention,
                    const struct attention_step *step)
{
    const size_t steps = step->source->seq->steps;
    if (attention_has_coverage(attention))
        memset(acts->coverage + step->row * steps, 0, step->rows * steps * sizeof *acts->coverage);
}

void coverage_advance(struct attention_acts *acts, const struct attention *attention,
                      const struct attention_step *step, size_t previous)
{
    const size_t steps = step->source->seq->steps;
    for (size_t i = 0; attention_has_coverage(attention) && i < step->rows; i++)
        attention_cover(acts->coverage + (step->row + i) * steps, acts->coverage + (previous + i) * steps,
                        acts->alpha + (previous + i) * steps, step->source_rank[i], step->source);
}

/* C_{i+1,j} = C_ij + α_ij / Φ_j */
void attention_cover(real *after, const real *before, const real *alpha, size_t rank,
                     const struct attention_source *source)
{
    const struct packed_seq *seq = source->seq;
    for (size_t j = 0; j < seq->steps; j++) {
        const bool inside = j < seq->lengths[rank];
        const real inverse = inside ? source->inverse_fertility[seq->first[j] + rank] : 0;
        after[j] = before[j] + alpha[j] * inverse;
    }
}

static const real *cover_backward(real *dalpha, const real *alpha, const struct attention_row *row,
                                  struct attention_acts *acts, const struct attention *attention)
{
    const struct attention_source *source = row->step->source;
    const struct packed_seq *seq = source->seq;
    const real *dcoverage = acts->dcoverage + row->index * seq->steps; /* of C_{i+1} */
    (void)attention;
    for (size_t j = 0; j < seq->lengths[row->rank]; j++) { /* C_{i+1,j} = C_ij + α_ij / Φ_j */
        const size_t position = seq->first[j] + row->rank;
        dalpha[j] += dcoverage[j] * source->inverse_fertility[position];
        acts->dinverse[position] += dcoverage[j] * alpha[j];
    }
    return alpha;
}

/* ---- the keys of a row: key_j + C_ij u ---- */

static void keys_forward(struct attention_row *row, struct attention_acts *acts,
                         const struct attention_weights *weights)
{
    const struct packed_seq *seq = row->step->source->seq;
    const size_t a = weights->attention->units;
    const real *u = weights->params + weights->attention->coverage;
    const real *coverage = acts->coverage + row->row * seq->steps;
    for (size_t j = row->begin; j < row->end; j++) {
        const size_t key = (seq->first[j] + row->rank) * a;
        memcpy(acts->covered + key, row->keys + key, a * sizeof *acts->covered);
        vec_axpy(acts->covered + key, coverage[j], u, a);
    }
    row->keys = acts->covered;
    row->dkeys = acts->dcovered;
}

/* dcoverage, the gradient of C_{i+1}, becomes that of C_i: the key's part is added. */
static void keys_backward(const struct attention_row *row, struct attention_acts *acts,
                          const struct attention_weights *weights)
{
    const struct packed_seq *seq = row->step->source->seq;
    const size_t a = weights->attention->units;
    const real *u = weights->params + weights->attention->coverage;
    const real *coverage = acts->coverage + row->row * seq->steps;
    for (size_t j = row->begin; j < row->end; j++) { /* covered = key_j + C_ij u */
        const size_t key = (seq->first[j] + row->rank) * a;
        real *dcovered = acts->dcovered + key;
        acts->dcoverage[row->index * seq->steps + j] += vec_dot(dcovered, u, a);
        vec_add(acts->dkeys + key, dcovered, a);
        vec_axpy(acts->dcoverage_vector, coverage[j], dcovered, a);
        memset(dcovered, 0, a * sizeof *dcovered);
    }
}

/* ---- 1 / Φ of all positions: 1, or with fertility 1 / (N σ(U_f h)) ---- */

static void inverse_init(struct attention_source *source, struct arena *arena)
{
    source->inverse_fertility = ARENA_NEW(arena, source->seq->rows, real);
}

static void no_fertility(struct attention_source *source, const struct attention *attention,
                         const real *params)
{
    (void)attention, (void)params;
    for (size_t i = 0; i < source->seq->rows; i++)
        source->inverse_fertility[i] = 1;
}

static bool fertility_applies(const struct attention_choice *choice)
{
    return choice->coverage == COVERAGE_FERTILITY;
}

static void fertility_declare(struct attention *attention, struct layout *layout, const char *prefix)
{
    attention->fertility = attention_declare_vector(layout, prefix, "fertility", attention->width);
}

static void fertility_init_backward(struct attention_acts *acts, const struct attention *attention,
                                    size_t rows, size_t step_rows, const struct packed_seq *source,
                                    struct arena *arena)
{
    (void)rows, (void)step_rows, (void)source;
    acts->dfertility = ARENA_ZERO(arena, attention->width, real);
}

static void fertility_forward(struct attention_source *source, const struct attention *attention,
                              const real *params)
{
    const size_t k = attention->width;
    for (size_t i = 0; i < source->seq->rows; i++)
        source->inverse_fertility[i] =
            1 / (MOST_FERTILITY * real_sigmoid(vec_dot(params + attention->fertility,
                                                       const_mat_row(source->annotations, i), k)));
}

static void fertility_backward(struct mat dannotations, struct grad_terms *terms,
                               const struct attention_acts *acts, const struct attention_source *source,
                               const struct attention *attention, const real *params)
{
    const size_t k = attention->width;
    for (size_t i = 0; i < source->seq->rows; i++) {
        /* 1/Φ = (1 + exp(-x)) / N with x = U_f h, so its derivative is 1/N - 1/Φ. */
        const real dx = acts->dinverse[i] * ((real)1 / MOST_FERTILITY - source->inverse_fertility[i]);
        vec_axpy(acts->dfertility, dx, const_mat_row(source->annotations, i), k);
        vec_axpy(mat_row(dannotations, i), dx, params + attention->fertility, k);
    }
    grad_terms_sum(terms, attention->fertility, const_mat_of(acts->dfertility, 1, k));
}

const struct attention_mechanism mechanism_coverage = {.applies = applies,
                                                       .declare = declare,
                                                       .acts_init = acts_init,
                                                       .acts_init_backward = acts_init_backward,
                                                       .source_init = inverse_init,
                                                       .source_forward = no_fertility,
                                                       .row_forward = keys_forward,
                                                       .row_backward = keys_backward,
                                                       .weights_backward = cover_backward,
                                                       .defer_weight_grads = defer_weight_grads};

const struct attention_mechanism mechanism_fertility = {.applies = fertility_applies,
                                                        .declare = fertility_declare,
                                                        .acts_init_backward = fertility_init_backward,
                                                        .source_forward = fertility_forward,
                                                        .source_backward = fertility_backward};
