#include "attention_mechanism.h"
#include "vecmath.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

bool attention_has_score(const struct attention *attention)
{
    return attention->choice.score->forward != NULL;
}

static void declare_linear(struct linear *linear, struct layout *layout, const char *prefix, const char *name,
                           size_t inputs, size_t outputs, bool bias)
{
    char whole[PARAM_MAX_NAME];
    snprintf(whole, sizeof whole, "%s.%s", prefix, name);
    linear_declare(linear, layout, whole, inputs, outputs, bias);
}

static size_t declare_vector(struct layout *layout, const char *prefix, const char *name, size_t width)
{
    char whole[PARAM_MAX_NAME];
    snprintf(whole, sizeof whole, "%s.%s", prefix, name);
    return layout_declare(layout, whole, "weight", 1, width, INIT_GLOROT);
}

void attention_declare(struct attention *attention, struct layout *layout, const char *prefix,
                       size_t query_width, size_t annotation_width, const struct attention_choice *choice)
{
    const struct score *score = choice->score;
    *attention = (struct attention){.choice = *choice, .width = annotation_width};
    if (!attention_has_score(attention))
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
    if (attention_has_coverage(attention))
        attention->coverage = declare_vector(layout, prefix, "coverage", attention->units);
    if (choice->coverage == COVERAGE_FERTILITY)
        attention->fertility = declare_vector(layout, prefix, "fertility", annotation_width);
}

/* ---- the source, once ---- */

void attention_source_prepack(struct attention_source_weights *weights, const struct attention *attention,
                              const real *params, struct prepack_list *list)
{
    if (attention->choice.score->projects_key)
        linear_prepack(&weights->key, &attention->key, params, list);
    if (attention->choice.heads > 1)
        linear_prepack(&weights->value, &attention->value, params, list);
}

void attention_source_init(struct attention_source *at, const struct attention *attention,
                           const struct packed_seq *source, struct arena *arena)
{
    const size_t rows = source->rows;
    memset(at, 0, sizeof *at);
    at->seq = source;
    at->keys = ARENA_NEW(arena, rows * attention->units, real);
    if (attention->choice.heads > 1)
        at->own_values = ARENA_NEW(arena, rows * attention->width, real);
    if (attention_has_coverage(attention))
        at->inverse_fertility = ARENA_NEW(arena, rows, real);
}

void attention_source_forward(struct attention_source *at, const real *annotations,
                              const struct attention *attention,
                              const struct attention_source_weights *weights, const real *params)
{
    const size_t rows = at->seq->rows, width = attention->width;
    at->annotations = at->values = annotations;
    if (attention->choice.score->projects_key)
        linear_forward_prepacked(mat_of(at->keys, rows, attention->key.outputs),
                                 const_mat_ld(annotations, rows, attention->key.inputs, width),
                                 &attention->key, &weights->key, params);
    else
        memcpy(at->keys, annotations, rows * attention->units * sizeof(real));
    if (at->own_values) {
        linear_forward_prepacked(mat_of(at->own_values, rows, attention->value.outputs),
                                 const_mat_ld(annotations, rows, attention->value.inputs, width),
                                 &attention->value, &weights->value, params);
        at->values = at->own_values;
    }
    if (at->inverse_fertility)
        fertility_forward(at, attention, params);
}

void attention_source_backward(real *dannotations, struct grad_terms *terms,
                               const struct attention_acts *acts, const real *dvalues,
                               const struct attention_source *at, const struct attention *attention,
                               const real *params, struct arena *arena)
{
    const size_t rows = at->seq->rows, width = attention->width;
    if (at->own_values) /* values = W_v h */
        linear_backward(mat_ld(dannotations, rows, attention->value.inputs, width), terms,
                        const_mat_of(dvalues, rows, attention->value.outputs),
                        const_mat_ld(at->annotations, rows, attention->value.inputs, width),
                        &attention->value, params);
    if (attention->choice.score->projects_key) /* keys = U_a h + b */
        linear_backward(mat_ld(dannotations, rows, attention->key.inputs, width), terms,
                        const_mat_of(acts->dkeys, rows, attention->key.outputs),
                        const_mat_ld(at->annotations, rows, attention->key.inputs, width), &attention->key,
                        params);
    else
        vec_add(dannotations, acts->dkeys, rows * attention->units);
    if (at->inverse_fertility)
        fertility_backward(dannotations, terms, acts, at, attention, params, arena);
}

/* ---- room ---- */

void attention_prepack(struct attention_weights *weights, const struct attention *attention,
                       const real *params, struct prepack_list *list)
{
    if (attention->choice.score->projects_query)
        linear_prepack(&weights->query, &attention->query, params, list);
    if (attention_is_local_p(attention))
        linear_prepack(&weights->centre, &attention->centre, params, list);
}

void attention_acts_init(struct attention_acts *acts, const struct attention *attention, size_t rows,
                         const struct packed_seq *source, const struct hard_attention *hard,
                         struct arena *arena)
{
    const size_t steps = source->steps;
    memset(acts, 0, sizeof *acts);
    acts->hard = hard;
    acts->query = ARENA_NEW(arena, rows * attention->units, real);
    if (attention_is_hard(attention))
        acts->soft = ARENA_NEW(arena, rows * attention->choice.heads * steps, real);
    if (attention_is_local_p(attention)) {
        acts->hidden = ARENA_NEW(arena, rows * attention->centre.outputs, real);
        acts->centre = ARENA_NEW(arena, rows, real);
    }
    if (attention_has_coverage(attention)) {
        acts->coverage = ARENA_NEW(arena, rows * steps, real);
        acts->covered = ARENA_NEW(arena, attention->units, real);
    }
}

void attention_acts_init_backward(struct attention_acts *acts, const struct attention *attention, size_t rows,
                                  size_t most, const struct packed_seq *source, struct arena *arena)
{
    const size_t a = attention->units, steps = source->steps, m = most;
    acts->dalpha = ARENA_NEW(arena, m * attention->choice.heads * steps, real);
    acts->dquery = ARENA_NEW(arena, rows * a, real);
    acts->dkeys = ARENA_ZERO(arena, source->rows * a, real);
    acts->dvector = ARENA_ZERO(arena, a, real);
    if (attention_is_local_p(attention)) {
        const size_t units = attention->centre.outputs;
        acts->dhidden = ARENA_NEW(arena, rows * units, real);
        acts->dcentre_vector = ARENA_ZERO(arena, units, real);
        acts->dcentre = ARENA_NEW(arena, m, real);
        acts->plain = ARENA_NEW(arena, steps, real);
    }
    if (attention_has_coverage(attention)) {
        acts->dcovered = ARENA_ZERO(arena, a, real);
        acts->dcoverage = ARENA_ZERO(arena, m * steps, real);
        acts->dcoverage_vector = ARENA_ZERO(arena, a, real);
        acts->dinverse = ARENA_ZERO(arena, source->rows, real);
    }
}

double attention_acts_per_row(const struct attention *attention, double steps)
{
    return (double)(2 * attention->units) +
           (attention_is_hard(attention) ? 3 : 2) * (double)attention->choice.heads * steps +
           (attention_is_local_p(attention) ? (double)(2 * attention->centre.outputs + 2) : 0) +
           (attention_has_coverage(attention) ? 2 * steps : 0);
}

/* ---- from step to step ---- */

void coverage_reset(struct attention_acts *acts, const struct attention *attention, size_t row,
                    const struct packed_seq *source, size_t rows)
{
    const size_t steps = source->steps;
    if (attention_has_coverage(attention))
        memset(acts->coverage + row * steps, 0, rows * steps * sizeof(real));
}

void coverage_advance(struct attention_acts *acts, const struct attention *attention, size_t row, size_t then,
                      const size_t *source_rank, const struct attention_source *at, size_t rows)
{
    const size_t steps = at->seq->steps;
    for (size_t i = 0; attention_has_coverage(attention) && i < rows; i++)
        attention_cover(acts->coverage + (row + i) * steps, acts->coverage + (then + i) * steps,
                        acts->alpha + (then + i) * steps, source_rank[i], at);
}

/* ---- forward ---- */

void attention_forward(struct attention_acts *acts, size_t row, const real *states, size_t ld, size_t step,
                       const size_t *source_rank, const struct attention_source *at,
                       const struct attention *attention, const struct attention_weights *weights,
                       const real *params, size_t rows)
{
    const struct packed_seq *source = at->seq;
    const struct score *score = attention->choice.score;
    const size_t a = attention->units, heads = attention->choice.heads, part = a / heads,
                 steps = source->steps;
    const real *v = params + attention->vector;
    const real sharpness = (real)(1 / attention->choice.temperature);
    real *query = acts->query + row * a;
    if (!attention_has_score(attention)) {
        for (size_t i = 0; i < rows; i++)
            acts->alpha[row + i] = 1;
        return;
    }
    if (score->projects_query)
        linear_forward_prepacked(mat_of(query, rows, attention->query.outputs),
                                 const_mat_ld(states, rows, attention->query.inputs, ld), &attention->query,
                                 &weights->query, params);
    else
        vec_copy_rows(query, a, states, ld, rows, a);
    if (attention_is_local_p(attention))
        centres_forward(acts, row, states, ld, source_rank, source, attention, &weights->centre, params,
                        rows);
    for (size_t i = 0; i < rows; i++) {
        const size_t b = source_rank[i];
        const struct span span = span_of(acts, row + i, step, source->lengths[b], attention);
        for (size_t head = 0; head < heads; head++) {
            const size_t at_alpha = ((row + i) * heads + head) * steps;
            real *e = acts->alpha + at_alpha;
            memset(e, 0, steps * sizeof *e);
            for (size_t j = span.begin; j < span.end; j++) {
                const real *key = at->keys + (source->first[j] + b) * a + head * part;
                if (acts->coverage)
                    key = covered_key(acts, key, acts->coverage[(row + i) * steps + j], attention, params);
                e[j] = sharpness * score->forward(v + head * part, query + i * a + head * part, key, part);
            }
            attention->choice.normalizer->forward(e + span.begin, span.end - span.begin);
            if (attention_is_local_p(attention))
                gaussian_forward(e, &span, attention->choice.window);
            if (acts->soft && !contexts_are_expected(acts->hard, (uint32_t)b))
                choose_position(e, acts->soft + at_alpha, steps, acts->hard,
                                (uint32_t)((row + i) * heads + head));
        }
    }
}

/* ---- backward ---- */

void attention_backward(real *dstates, struct attention_acts *acts, size_t row, size_t step,
                        const size_t *source_rank, const struct attention_source *at,
                        const struct attention *attention, const struct attention_weights *weights,
                        const real *params, size_t rows)
{
    const struct packed_seq *source = at->seq;
    const struct score *score = attention->choice.score;
    const size_t a = attention->units, heads = attention->choice.heads, part = a / heads,
                 steps = source->steps;
    const real *v = params + attention->vector;
    const real sharpness = (real)(1 / attention->choice.temperature);
    if (!attention_has_score(attention))
        return;
    real *dquery = acts->dquery + row * a;
    memset(dquery, 0, rows * a * sizeof *dquery);
    for (size_t i = 0; i < rows; i++) {
        const size_t b = source_rank[i];
        const struct span span = span_of(acts, row + i, step, source->lengths[b], attention);
        if (acts->guide)
            guided_backward(acts->dalpha + i * heads * steps, acts->alpha + (row + i) * heads * steps,
                            acts->guide + (row + i) * steps, heads, steps, acts->guide_scale);
        real dcentre = 0;
        for (size_t head = 0; head < heads; head++) {
            const size_t at_alpha = ((row + i) * heads + head) * steps;
            const real *alpha = acts->alpha + at_alpha;
            real *de = acts->dalpha + (i * heads + head) * steps;
            if (acts->coverage)
                cover_backward(de, acts, alpha, acts->dcoverage + i * steps, b, at);
            if (acts->soft && !contexts_are_expected(acts->hard, (uint32_t)b)) {
                choice_backward(de, alpha, acts->soft + at_alpha, steps, acts->hard,
                                acts->advantage[row + i]);
                alpha = acts->soft + at_alpha;
            }
            if (attention_is_local_p(attention)) {
                dcentre += gaussian_backward(de, acts->plain, alpha, &span, attention->choice.window);
                alpha = acts->plain;
            }
            attention->choice.normalizer->backward(de + span.begin, alpha + span.begin,
                                                   span.end - span.begin);
            for (size_t j = span.begin; j < span.end; j++) {
                const size_t at_key = (source->first[j] + b) * a + head * part;
                const real *key = at->keys + at_key;
                real *dkey = acts->dkeys + at_key, coverage = 0;
                if (acts->coverage) {
                    coverage = acts->coverage[(row + i) * steps + j];
                    key = covered_key(acts, key, coverage, attention, params);
                    dkey = acts->dcovered;
                }
                score->backward(acts->dvector + head * part, dquery + i * a + head * part, dkey,
                                sharpness * de[j], v + head * part, acts->query + (row + i) * a + head * part,
                                key, part);
                if (acts->coverage)
                    acts->dcoverage[i * steps + j] +=
                        covered_key_backward(acts->dkeys + at_key, acts, coverage, attention, params);
            }
        }
        if (acts->dcentre)
            acts->dcentre[i] = dcentre;
    }
    if (score->projects_query) /* query = W_a s */
        prepacked_product(mat_ld(dstates, rows, weights->query.n, attention->query.inputs),
                          const_mat_ld(dquery, rows, weights->query.k, a), &weights->query, true);
    else
        vec_add(dstates, dquery, rows * a);
    if (attention_is_local_p(attention))
        centres_backward(dstates, acts, row, source_rank, source, attention, &weights->centre, params, rows);
}

void attention_defer_weight_grads(struct grad_terms *terms, const struct attention_acts *acts,
                                  const real *states, const struct attention *attention, size_t rows)
{
    const struct score *score = attention->choice.score;
    if (score->projects_query) /* query = W_a s */
        linear_defer_weight_grads(terms, const_mat_of(acts->dquery, rows, attention->query.outputs),
                                  const_mat_of(states, rows, attention->query.inputs), &attention->query);
    if (score->vector)
        grad_terms_sum(terms, attention->vector, const_mat_of(acts->dvector, 1, attention->units));
    if (attention_is_local_p(attention)) { /* hidden = tanh(W_p s) */
        linear_defer_weight_grads(terms, const_mat_of(acts->dhidden, rows, attention->centre.outputs),
                                  const_mat_of(states, rows, attention->centre.inputs), &attention->centre);
        grad_terms_sum(terms, attention->centre_vector,
                       const_mat_of(acts->dcentre_vector, 1, attention->centre.outputs));
    }
    if (attention_has_coverage(attention))
        grad_terms_sum(terms, attention->coverage, const_mat_of(acts->dcoverage_vector, 1, attention->units));
}
