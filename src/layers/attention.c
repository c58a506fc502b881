#include "attention.h"

#include "elementary.h"
#include "vecmath.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

bool attention_is_local_p(const struct attention *attention)
{
    return attention->is.scope == SCOPE_LOCAL_P;
}

static bool has_score(const struct attention *attention)
{
    return attention->is.score->forward != NULL;
}

static void declare_linear(struct linear *linear, struct layout *layout, const char *prefix, const char *name,
                           int inputs, int outputs, bool bias)
{
    char whole[PARAM_MAX_NAME];
    snprintf(whole, sizeof whole, "%s.%s", prefix, name);
    linear_declare(linear, layout, whole, inputs, outputs, bias);
}

static size_t declare_vector(struct layout *layout, const char *prefix, const char *name, int width)
{
    char whole[PARAM_MAX_NAME];
    snprintf(whole, sizeof whole, "%s.%s", prefix, name);
    return layout_declare(layout, whole, "weight", 1, width, INIT_GLOROT);
}

void attention_declare(struct attention *attention, struct layout *layout, const char *prefix,
                       int query_width, int annotation_width, const struct attention_choice *choice)
{
    const struct score *score = choice->score;
    *attention = (struct attention){.is = *choice, .width = annotation_width};
    if (!has_score(attention))
        return;
    attention->units = score->projects_query ? choice->units : query_width;
    if (score->projects_query)
        declare_linear(&attention->query, layout, prefix, "query", query_width, attention->units, false);
    if (score->projects_key)
        declare_linear(&attention->key, layout, prefix, "key", annotation_width, attention->units,
                       score->key_bias);
    if (score->vector)
        attention->vector = declare_vector(layout, prefix, "score", attention->units);
    if (choice->heads > 1)
        declare_linear(&attention->value, layout, prefix, "value", annotation_width, annotation_width, false);
    if (attention_is_local_p(attention)) {
        declare_linear(&attention->centre, layout, prefix, "centre", query_width, choice->units, false);
        attention->centre_vector = declare_vector(layout, prefix, "centre_score", choice->units);
    }
}

/* ---- the source, once ---- */

void attention_source_pack(struct attention_source_weights *weights, const struct attention *attention,
                           const real *params, struct packs *packs)
{
    if (attention->is.score->projects_key)
        linear_pack(&weights->key, &attention->key, params, packs);
    if (attention->is.heads > 1)
        linear_pack(&weights->value, &attention->value, params, packs);
}

void attention_source_init(struct attention_source *at, const struct attention *attention,
                           const struct packing *source, struct arena *arena)
{
    const size_t rows = (size_t)source->rows;
    memset(at, 0, sizeof *at);
    at->packing = source;
    at->keys = ARENA_NEW(arena, rows * (size_t)attention->units, real);
    if (attention->is.heads > 1)
        at->own_values = ARENA_NEW(arena, rows * (size_t)attention->width, real);
}

void attention_source_forward(struct attention_source *at, const real *annotations,
                              const struct attention *attention,
                              const struct attention_source_weights *weights, const real *params)
{
    const int rows = at->packing->rows, width = attention->width;
    at->annotations = at->values = annotations;
    if (attention->is.score->projects_key)
        linear_forward_packed(at->keys, annotations, width, &attention->key, &weights->key, params, rows);
    else
        memcpy(at->keys, annotations, (size_t)rows * (size_t)attention->units * sizeof(real));
    if (at->own_values) {
        linear_forward_packed(at->own_values, annotations, width, &attention->value, &weights->value, params,
                              rows);
        at->values = at->own_values;
    }
}

void attention_source_backward(real *dannotations, struct gradients *gradients, const real *dkeys,
                               const real *dvalues, const struct attention_source *at,
                               const struct attention *attention, const real *params)
{
    const int rows = at->packing->rows, width = attention->width;
    if (at->own_values) /* values = W_v h */
        linear_backward(dannotations, width, gradients, dvalues, at->annotations, width, &attention->value,
                        params, rows);
    if (attention->is.score->projects_key) /* keys = U_a h + b */
        linear_backward(dannotations, width, gradients, dkeys, at->annotations, width, &attention->key,
                        params, rows);
    else
        vec_add(dannotations, dkeys, (size_t)rows * (size_t)attention->units);
}

/* ---- room ---- */

void attention_pack(struct attention_weights *weights, const struct attention *attention, const real *params,
                    struct packs *packs)
{
    if (attention->is.score->projects_query)
        linear_pack(&weights->query, &attention->query, params, packs);
    if (attention_is_local_p(attention))
        linear_pack(&weights->centre, &attention->centre, params, packs);
}

void attention_pack_backward(struct attention_weights *weights, const struct attention *attention,
                             const real *params, struct packs *packs)
{
    if (attention->is.score->projects_query)
        linear_pack_backward(&weights->query, &attention->query, params, packs);
    if (attention_is_local_p(attention))
        linear_pack_backward(&weights->centre, &attention->centre, params, packs);
}

void attention_acts_init(struct attention_acts *acts, const struct attention *attention, size_t rows,
                         struct arena *arena)
{
    memset(acts, 0, sizeof *acts);
    acts->query = ARENA_NEW(arena, rows * (size_t)attention->units, real);
    if (attention_is_local_p(attention)) {
        acts->hidden = ARENA_NEW(arena, rows * (size_t)attention->centre.outputs, real);
        acts->centre = ARENA_NEW(arena, rows, real);
    }
}

void attention_acts_init_backward(struct attention_acts *acts, const struct attention *attention, size_t rows,
                                  int most, const struct packing *source, struct arena *arena)
{
    const size_t a = (size_t)attention->units;
    acts->dalpha = ARENA_NEW(arena, (size_t)(most * attention->is.heads * source->steps), real);
    acts->dquery = ARENA_NEW(arena, rows * a, real);
    acts->dkeys = ARENA_ZERO(arena, (size_t)source->rows * a, real);
    acts->dvector = ARENA_ZERO(arena, a, real);
    if (attention_is_local_p(attention)) {
        const size_t units = (size_t)attention->centre.outputs;
        acts->dhidden = ARENA_NEW(arena, rows * units, real);
        acts->dcentre_vector = ARENA_ZERO(arena, units, real);
        acts->dcentre = ARENA_NEW(arena, most, real);
        acts->plain = ARENA_NEW(arena, source->steps, real);
    }
}

double attention_acts_per_row(const struct attention *attention, double steps)
{
    return 2 * attention->units + 2 * attention->is.heads * steps +
           (attention_is_local_p(attention) ? 2 * attention->centre.outputs + 1 : 0);
}

/* ---- scope ---- */

/* The positions from `begin` to before `end` that a row sees, around `centre`. */
struct span {
    size_t begin, end;
    double centre;
};

static struct span span_of(const struct attention_acts *acts, size_t row, int step, size_t length,
                           const struct attention *attention)
{
    const double window = attention->is.window, last = (double)length - 1;
    struct span span = {0, length, 0};
    if (attention->is.scope == SCOPE_GLOBAL)
        return span;
    span.centre = attention_is_local_p(attention) ? (double)acts->centre[row] : fmin(step, last);
    span.begin = (size_t)fmax(0, ceil(span.centre - window));
    span.end = (size_t)fmin(last, floor(span.centre + window)) + 1;
    return span;
}

/* p = S σ(v_pᵀ tanh(W_p s)) */
static void centres_forward(struct attention_acts *acts, size_t row, const real *states, int ld,
                            const int *column, const struct packing *source,
                            const struct attention *attention, const struct packed *weight,
                            const real *params, int rows)
{
    const size_t units = (size_t)attention->centre.outputs;
    real *hidden = acts->hidden + row * units;
    linear_forward_packed(hidden, states, ld, &attention->centre, weight, params, rows);
    vec_tanh(hidden, hidden, (size_t)rows * units);
    for (size_t i = 0; i < (size_t)rows; i++)
        acts->centre[row + i] =
            (real)source->lengths[column[i]] *
            real_sigmoid(vec_dot(params + attention->centre_vector, hidden + i * units, units));
}

/* From acts->dcentre [rows], the gradients of p. */
static void centres_backward(real *dstates, struct attention_acts *acts, size_t row, const int *column,
                             const struct packing *source, const struct attention *attention,
                             const struct packed *weight, const real *params, int rows)
{
    const size_t units = (size_t)attention->centre.outputs;
    real *dhidden = acts->dhidden + row * units;
    for (size_t i = 0; i < (size_t)rows; i++) {
        const real length = (real)source->lengths[column[i]], part = acts->centre[row + i] / length;
        const real dscore = acts->dcentre[i] * length * part * (1 - part); /* p = S σ(score) */
        const real *hidden = acts->hidden + (row + i) * units;
        vec_axpy(acts->dcentre_vector, dscore, hidden, units);
        memset(dhidden + i * units, 0, units * sizeof *dhidden);
        vec_axpy(dhidden + i * units, dscore, params + attention->centre_vector, units);
        vec_tanh_backward(dhidden + i * units, dhidden + i * units, hidden, units);
    }
    packed_product(dstates, attention->centre.inputs, dhidden, (int)units, weight, rows, true);
}

/* What a position's weight is multiplied with, and, for d p, (j - p) / σ². */
static double gaussian(double *slope, size_t j, const struct span *span, int window)
{
    const double deviation = window / 2.0, distance = (double)j - span->centre;
    *slope = distance / (deviation * deviation);
    return exp(-distance * distance / (2 * deviation * deviation));
}

/* ---- forward ---- */

void attention_forward(struct attention_acts *acts, size_t row, const real *states, int ld, int step,
                       const int *column, const struct attention_source *at,
                       const struct attention *attention, const struct attention_weights *weights,
                       const real *params, int rows)
{
    const struct packing *source = at->packing;
    const struct score *score = attention->is.score;
    const size_t a = (size_t)attention->units, heads = (size_t)attention->is.heads, part = a / heads,
                 steps = (size_t)source->steps;
    const real *v = params + attention->vector;
    const real sharpness = (real)(1 / attention->is.temperature);
    real *query = acts->query + row * a;
    if (!has_score(attention)) {
        for (size_t i = 0; i < (size_t)rows; i++)
            acts->alpha[row + i] = 1;
        return;
    }
    if (score->projects_query)
        linear_forward_packed(query, states, ld, &attention->query, &weights->query, params, rows);
    else
        vec_copy_rows(query, (int)a, states, ld, rows, (int)a);
    if (attention_is_local_p(attention))
        centres_forward(acts, row, states, ld, column, source, attention, &weights->centre, params, rows);
    for (size_t i = 0; i < (size_t)rows; i++) {
        const size_t b = (size_t)column[i];
        const struct span span = span_of(acts, row + i, step, (size_t)source->lengths[b], attention);
        for (size_t head = 0; head < heads; head++) {
            real *e = acts->alpha + ((row + i) * heads + head) * steps;
            memset(e, 0, steps * sizeof *e);
            for (size_t j = span.begin; j < span.end; j++)
                e[j] = sharpness * score->forward(v + head * part, query + i * a + head * part,
                                                  at->keys + ((size_t)source->first[j] + b) * a + head * part,
                                                  part);
            attention->is.normalizer->forward(e + span.begin, span.end - span.begin);
            for (size_t j = span.begin; attention_is_local_p(attention) && j < span.end; j++) {
                double slope;
                e[j] *= (real)gaussian(&slope, j, &span, attention->is.window);
            }
        }
    }
}

/* ---- backward ---- */

/* α = a g, g the Gaussian: dalpha becomes da; plain = a; returns dp. */
static real gaussian_backward(real *dalpha, real *plain, const real *alpha, const struct span *span,
                              int window)
{
    double dcentre = 0;
    for (size_t j = span->begin; j < span->end; j++) {
        double slope;
        const double g = gaussian(&slope, j, span, window);
        dcentre += (double)dalpha[j] * (double)alpha[j] * slope;
        dalpha[j] *= (real)g;
        plain[j] = alpha[j] / (real)g; /* g is at least exp(-2) */
    }
    return (real)dcentre;
}

void attention_backward(real *dstates, struct attention_acts *acts, size_t row, int step, const int *column,
                        const struct attention_source *at, const struct attention *attention,
                        const struct attention_weights *weights, const real *params, int rows)
{
    const struct packing *source = at->packing;
    const struct score *score = attention->is.score;
    const size_t a = (size_t)attention->units, heads = (size_t)attention->is.heads, part = a / heads,
                 steps = (size_t)source->steps;
    const real *v = params + attention->vector;
    const real sharpness = (real)(1 / attention->is.temperature);
    if (!has_score(attention))
        return;
    real *dquery = acts->dquery + row * a;
    memset(dquery, 0, (size_t)rows * a * sizeof *dquery);
    for (size_t i = 0; i < (size_t)rows; i++) {
        const size_t b = (size_t)column[i];
        const struct span span = span_of(acts, row + i, step, (size_t)source->lengths[b], attention);
        real dcentre = 0;
        for (size_t head = 0; head < heads; head++) {
            const real *alpha = acts->alpha + ((row + i) * heads + head) * steps;
            real *de = acts->dalpha + (i * heads + head) * steps;
            if (attention_is_local_p(attention)) {
                dcentre += gaussian_backward(de, acts->plain, alpha, &span, attention->is.window);
                alpha = acts->plain;
            }
            attention->is.normalizer->backward(de + span.begin, alpha + span.begin, span.end - span.begin);
            for (size_t j = span.begin; j < span.end; j++) {
                const size_t key = ((size_t)source->first[j] + b) * a + head * part;
                score->backward(acts->dvector + head * part, dquery + i * a + head * part, acts->dkeys + key,
                                sharpness * de[j], v + head * part, acts->query + (row + i) * a + head * part,
                                at->keys + key, part);
            }
        }
        if (acts->dcentre)
            acts->dcentre[i] = dcentre;
    }
    if (score->projects_query) /* query = W_a s */
        packed_product(dstates, attention->query.inputs, dquery, (int)a, &weights->query, rows, true);
    else
        vec_add(dstates, dquery, (size_t)rows * a);
    if (attention_is_local_p(attention))
        centres_backward(dstates, acts, row, column, source, attention, &weights->centre, params, rows);
}

void attention_note_weights(struct gradients *gradients, const struct attention_acts *acts,
                            const real *states, const struct attention *attention, int rows)
{
    const struct score *score = attention->is.score;
    if (score->projects_query) /* query = W_a s */
        linear_note_weights(gradients, acts->dquery, states, attention->query.inputs, &attention->query,
                            rows);
    if (score->vector)
        gradients_sum(gradients, attention->vector, acts->dvector, attention->units, 1);
    if (attention_is_local_p(attention)) { /* hidden = tanh(W_p s) */
        linear_note_weights(gradients, acts->dhidden, states, attention->centre.inputs, &attention->centre,
                            rows);
        gradients_sum(gradients, attention->centre_vector, acts->dcentre_vector, attention->centre.outputs,
                      1);
    }
}

/* ---- sums ---- */

struct attention_values attention_context_values(const struct attention_source *at,
                                                 const struct attention *attention)
{
    const int width = attention->width / attention->is.heads;
    return (struct attention_values){at->values, attention->width, width, width, false};
}

/* The value of head `head` at position j of the sentence of rank b. */
static size_t value_at(const struct attention_values *values, const struct packing *source, size_t j,
                       size_t b, size_t head)
{
    return ((size_t)source->first[j] + b) * (size_t)values->ld + head * (size_t)values->stride;
}

void attention_sum(real *sums, const real *alpha, const struct attention_values *values, const int *column,
                   const struct packing *source, int heads, int rows)
{
    const size_t w = (size_t)values->width, h = (size_t)heads, steps = (size_t)source->steps,
                 out = values->together ? w : h * w;
    memset(sums, 0, (size_t)rows * out * sizeof *sums);
    for (size_t i = 0; i < (size_t)rows; i++) {
        const size_t b = (size_t)column[i], length = (size_t)source->lengths[b];
        for (size_t head = 0; head < h; head++) {
            real *sum = sums + i * out + (values->together ? 0 : head * w);
            const real *weights = alpha + (i * h + head) * steps;
            for (size_t j = 0; j < length; j++)
                if (weights[j] != 0)
                    vec_axpy(sum, weights[j], values->rows + value_at(values, source, j, b, head), w);
        }
    }
}

void attention_sum_backward(real *dalpha, const real *dsums, const struct attention_values *values,
                            const int *column, const struct packing *source, int heads, int rows)
{
    const size_t w = (size_t)values->width, h = (size_t)heads, steps = (size_t)source->steps;
    for (size_t i = 0; i < (size_t)rows; i++) {
        const size_t b = (size_t)column[i], length = (size_t)source->lengths[b];
        for (size_t head = 0; head < h; head++) {
            const real *dsum = dsums + (i * h + head) * w;
            for (size_t j = 0; j < length; j++) /* sum = … + α_j values_j */
                dalpha[(i * h + head) * steps + j] =
                    vec_dot(dsum, values->rows + value_at(values, source, j, b, head), w);
        }
    }
}

void attention_values_backward(real *dvalues, const real *dsums, const real *alpha,
                               const struct attention_values *values, const int *column,
                               const struct packing *source, const struct packing *target, int heads)
{
    const size_t w = (size_t)values->width, h = (size_t)heads, steps = (size_t)source->steps;
    for (int r = 0; r < target->sents; r++) {
        const size_t b = (size_t)column[r], length = (size_t)source->lengths[b];
        for (int t = 0; t < target->lengths[r]; t++) {
            const size_t row = (size_t)(target->first[t] + r);
            for (size_t head = 0; head < h; head++) {
                const real *dsum = dsums + (row * h + head) * w, *weights = alpha + (row * h + head) * steps;
                for (size_t j = 0; j < length; j++) /* sum = … + α_j values_j */
                    if (weights[j] != 0)
                        vec_axpy(dvalues + value_at(values, source, j, b, head), weights[j], dsum, w);
            }
        }
    }
}
