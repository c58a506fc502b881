/* Local attention: weights only within a window around a centre: the step's number (local_m), or predicted
 * from the state (local_p), with a Gaussian around it. */
#include "attention_mechanism.h"
#include "elementary.h"
#include "vecmath.h"

#include <math.h>
#include <string.h>

static bool local_m_applies(const struct attention_choice *choice)
{
    return choice->scope == SCOPE_LOCAL_M;
}

static bool local_p_applies(const struct attention_choice *choice)
{
    return choice->scope == SCOPE_LOCAL_P;
}

/* ---- parameters and memory of local_p ---- */

static void declare(struct attention *attention, struct layout *layout, const char *prefix)
{
    const size_t units = attention->choice.units;
    attention_declare_linear(&attention->centre, layout, prefix, "centre", attention->query_width, units,
                             false);
    attention->centre_vector = attention_declare_vector(layout, prefix, "centre_score", units);
}

static void prepack_centre(struct attention_weights *weights, const struct attention *attention,
                           const real *params, struct prepack_list *list)
{
    linear_prepack(&weights->centre, &attention->centre, params, list);
}

static void acts_init(struct attention_acts *acts, const struct attention *attention, size_t rows,
                      const struct packed_seq *source, struct arena *arena)
{
    (void)source;
    acts->hidden = ARENA_NEW(arena, rows * attention->centre.outputs, real);
    acts->centre = ARENA_NEW(arena, rows, real);
}

static void acts_init_backward(struct attention_acts *acts, const struct attention *attention, size_t rows,
                               size_t step_rows, const struct packed_seq *source, struct arena *arena)
{
    const size_t units = attention->centre.outputs;
    acts->dhidden = ARENA_NEW(arena, rows * units, real);
    acts->dcentre_vector = ARENA_ZERO(arena, units, real);
    acts->dcentre = ARENA_ZERO(arena, step_rows, real);
    acts->plain = ARENA_NEW(arena, source->steps, real);
}

static void defer_weight_grads(struct grad_terms *terms, const struct attention_acts *acts,
                               struct const_mat states, const struct attention *attention)
{
    const size_t units = attention->centre.outputs;
    /* hidden = tanh(W_p s) */
    linear_defer_weight_grads(terms, const_mat_of(acts->dhidden, states.rows, units), states,
                              &attention->centre);
    grad_terms_sum(terms, attention->centre_vector, const_mat_of(acts->dcentre_vector, 1, units));
}

/* ---- the centres of local_p: p_i = S σ(v_pᵀ tanh(W_p s_i)) ---- */

static void centres_forward(struct attention_acts *acts, struct const_mat states,
                            const struct attention_step *step, const struct attention_weights *weights)
{
    const struct attention *attention = weights->attention;
    const size_t units = attention->centre.outputs, *lengths = step->source->seq->lengths;
    const real *vector = weights->params + attention->centre_vector;
    real *hidden = acts->hidden + step->row * units;
    linear_forward(mat_of(hidden, step->rows, units), states, &attention->centre, &weights->centre,
                   weights->params, false);
    vec_tanh(hidden, hidden, step->rows * units);
    for (size_t i = 0; i < step->rows; i++)
        acts->centre[step->row + i] =
            (real)lengths[step->source_rank[i]] * real_sigmoid(vec_dot(vector, hidden + i * units, units));
}

static void centres_backward(struct mat dstates, struct attention_acts *acts,
                             const struct attention_step *step, const struct attention_weights *weights)
{
    const struct attention *attention = weights->attention;
    const size_t units = attention->centre.outputs, *lengths = step->source->seq->lengths;
    const real *vector = weights->params + attention->centre_vector;
    real *dhidden = acts->dhidden + step->row * units;
    memset(dhidden, 0, step->rows * units * sizeof *dhidden);
    for (size_t i = 0; i < step->rows; i++) {
        const real length = (real)lengths[step->source_rank[i]], part = acts->centre[step->row + i] / length;
        const real dscore = acts->dcentre[i] * length * part * (1 - part); /* p = S σ(score) */
        const real *hidden = acts->hidden + (step->row + i) * units;
        vec_axpy(acts->dcentre_vector, dscore, hidden, units); /* score = v_pᵀ hidden */
        vec_axpy(dhidden + i * units, dscore, vector, units);
        vec_tanh_backward(dhidden + i * units, dhidden + i * units, hidden, units);
        acts->dcentre[i] = 0;
    }
    /* hidden = tanh(W_p s) */
    prepacked_product(dstates, const_mat_of(dhidden, step->rows, units), &weights->centre, true);
}

/* ---- the span of a row ---- */

static void set_span(struct attention_row *row, double centre, const struct attention *attention)
{
    const double window = (double)attention->choice.window, last = (double)row->end - 1;
    row->centre = centre;
    row->begin = (size_t)fmax(0, ceil(centre - window));
    row->end = (size_t)fmin(last, floor(centre + window)) + 1;
}

static void monotonic_span(struct attention_row *row, struct attention_acts *acts,
                           const struct attention_weights *weights)
{
    (void)acts;
    set_span(row, fmin((double)row->step->step, (double)row->end - 1), weights->attention);
}

static void predicted_span(struct attention_row *row, struct attention_acts *acts,
                           const struct attention_weights *weights)
{
    set_span(row, (double)acts->centre[row->row], weights->attention);
}

/* ---- the Gaussian of local_p ---- */

/* The factor on a position's weight; *slope = (j - p) / σ², for the gradient of p. */
static double gaussian(double *slope, size_t j, const struct attention_row *row, size_t window)
{
    const double deviation = (double)window / 2, distance = (double)j - row->centre;
    *slope = distance / (deviation * deviation);
    return exp(-distance * distance / (2 * deviation * deviation));
}

static void gaussian_forward(real *alpha, const struct attention_row *row, struct attention_acts *acts,
                             const struct attention *attention)
{
    (void)acts;
    for (size_t j = row->begin; j < row->end; j++) {
        double slope;
        alpha[j] *= (real)gaussian(&slope, j, row, attention->choice.window);
    }
}

/* Adds this head's contribution to the row's dcentre. */
static const real *gaussian_backward(real *dalpha, const real *alpha, const struct attention_row *row,
                                     struct attention_acts *acts, const struct attention *attention)
{
    double dcentre = 0;
    for (size_t j = row->begin; j < row->end; j++) { /* alpha = plain g */
        double slope;
        const double g = gaussian(&slope, j, row, attention->choice.window);
        dcentre += (double)dalpha[j] * (double)alpha[j] * slope;
        dalpha[j] *= (real)g;
        acts->plain[j] = alpha[j] / (real)g; /* g is at least exp(-2) */
    }
    acts->dcentre[row->index] += (real)dcentre;
    return acts->plain;
}

const struct attention_mechanism mechanism_local_m = {.applies = local_m_applies,
                                                      .row_forward = monotonic_span};

const struct attention_mechanism mechanism_local_p = {.applies = local_p_applies,
                                                      .declare = declare,
                                                      .prepack = prepack_centre,
                                                      .acts_init = acts_init,
                                                      .acts_init_backward = acts_init_backward,
                                                      .step_forward = centres_forward,
                                                      .step_backward = centres_backward,
                                                      .row_forward = predicted_span,
                                                      .weights_forward = gaussian_forward,
                                                      .weights_backward = gaussian_backward,
                                                      .defer_weight_grads = defer_weight_grads};
