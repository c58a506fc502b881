/* The attention of a step: queries, scores, normalised weights, and their gradients. Scores, normalizers
 * and mechanisms are rows of tables, each in a file of its own; attention_sum.c computes contexts from the
 * weights. */
#include "attention_mechanism.h"
#include "err.h"
#include "vecmath.h"

#include <stdio.h>
#include <string.h>

static const struct attention_mechanism *const mechanisms[] = {
    &mechanism_local_m,  &mechanism_local_p,   &mechanism_hard,
    &mechanism_coverage, &mechanism_fertility, &mechanism_guided,
};
_Static_assert(sizeof mechanisms / sizeof mechanisms[0] == ATTENTION_MECHANISMS, "ATTENTION_MECHANISMS");

/* Calls a hook of each chosen mechanism that has it. */
#define EACH_MECHANISM(attention, hook, ...)                                                                 \
    do {                                                                                                     \
        for (size_t m_ = 0; m_ < (attention)->mechanism_count; m_++)                                         \
            if ((attention)->mechanisms[m_]->hook)                                                           \
                (attention)->mechanisms[m_]->hook(__VA_ARGS__);                                              \
    } while (0)

bool attention_has_score(const struct attention *attention)
{
    return attention->choice.score->forward != NULL;
}

/* ---- parameters ---- */

void attention_declare_linear(struct linear *linear, struct layout *layout, const char *prefix,
                              const char *name, size_t inputs, size_t outputs, bool bias)
{
    char whole[PARAM_MAX_NAME];
    snprintf(whole, sizeof whole, "%s.%s", prefix, name);
    linear_declare(linear, layout, whole, inputs, outputs, bias);
}

size_t attention_declare_vector(struct layout *layout, const char *prefix, const char *name, size_t width)
{
    char whole[PARAM_MAX_NAME];
    snprintf(whole, sizeof whole, "%s.%s", prefix, name);
    return layout_declare(layout, whole, "weight", 1, width, INIT_GLOROT);
}

static void choose_mechanisms(struct attention *attention)
{
    for (size_t m = 0; m < ATTENTION_MECHANISMS; m++)
        if (mechanisms[m]->applies(&attention->choice))
            attention->mechanisms[attention->mechanism_count++] = mechanisms[m];
}

void attention_declare(struct attention *attention, struct layout *layout, const char *prefix,
                       size_t query_width, size_t annotation_width, const struct attention_choice *choice)
{
    const struct score *score = choice->score;
    *attention = (struct attention){.choice = *choice, .query_width = query_width, .width = annotation_width};
    if (!attention_has_score(attention))
        return;
    choose_mechanisms(attention);
    attention->units = score->projects_query ? choice->units : query_width;
    if (score->projects_query)
        attention_declare_linear(&attention->query, layout, prefix, "query", query_width, attention->units,
                                 false);
    if (score->projects_key)
        attention_declare_linear(&attention->key, layout, prefix, "key", annotation_width, attention->units,
                                 score->key_bias);
    if (score->vector)
        attention->vector = attention_declare_vector(layout, prefix, "score", attention->units);
    if (choice->heads > 1)
        attention_declare_linear(&attention->value, layout, prefix, "value", annotation_width,
                                 annotation_width, false);
    EACH_MECHANISM(attention, declare, attention, layout, prefix);
}

/* ---- the source, once ---- */

void attention_source_prepack(struct attention_source_weights *weights, const struct attention *attention,
                              const real *params, struct prepack_list *list)
{
    weights->attention = attention;
    weights->params = params;
    if (attention->choice.score->projects_key)
        prepack_input(&weights->key, linear_weight(&attention->key, params), list);
    if (attention->choice.heads > 1)
        prepack_input(&weights->value, linear_weight(&attention->value, params), list);
}

void attention_source_init(struct attention_source *source, const struct attention *attention,
                           const struct packed_seq *seq, struct arena *arena)
{
    *source = (struct attention_source){.seq = seq, .keys = mat_new(arena, seq->rows, attention->units)};
    if (attention->choice.heads > 1)
        source->own_values = mat_new(arena, seq->rows, attention->width);
    EACH_MECHANISM(attention, source_init, source, arena);
}

void attention_source_forward(struct attention_source *source, struct const_mat annotations,
                              const struct attention_source_weights *weights)
{
    const struct attention *attention = weights->attention;
    const real *params = weights->params;
    ASSERT(annotations.rows == source->seq->rows && annotations.cols == attention->width);
    ASSERT(annotations.ld == annotations.cols);
    source->annotations = source->values = annotations;
    if (attention->choice.score->projects_key) /* key_j = U_a h_j + b */
        linear_forward(source->keys, annotations, &attention->key, &weights->key, params, false);
    else if (attention_has_score(attention)) /* key_j = h_j */
        mat_copy(source->keys, annotations);
    if (source->own_values.data) { /* value_j = W_v h_j */
        linear_forward(source->own_values, annotations, &attention->value, &weights->value, params, false);
        source->values = mat_const(source->own_values);
    }
    EACH_MECHANISM(attention, source_forward, source, attention, params);
}

void attention_source_backward(struct mat dannotations, struct grad_terms *terms,
                               const struct attention_acts *acts, struct const_mat dvalues,
                               const struct attention_source *source,
                               const struct attention_source_weights *weights)
{
    const struct attention *attention = weights->attention;
    const real *params = weights->params;
    const size_t rows = source->seq->rows, a = attention->units;
    ASSERT(dannotations.rows == rows && dannotations.cols == attention->width);
    ASSERT(dannotations.ld == dannotations.cols && dvalues.rows == rows && dvalues.cols == attention->width);
    if (source->own_values.data) /* value_j = W_v h_j */
        linear_backward(dannotations, terms, dvalues, source->annotations, &attention->value,
                        &weights->value);
    if (attention->choice.score->projects_key) /* key_j = U_a h_j + b */
        linear_backward(dannotations, terms, const_mat_of(acts->dkeys, rows, a), source->annotations,
                        &attention->key, &weights->key);
    else /* key_j = h_j */
        vec_add(dannotations.data, acts->dkeys, rows * a);
    EACH_MECHANISM(attention, source_backward, dannotations, terms, acts, source, attention, params);
}

/* ---- the memory of a pass ---- */

void attention_prepack(struct attention_weights *weights, const struct attention *attention,
                       const real *params, struct prepack_list *list)
{
    weights->attention = attention;
    weights->params = params;
    if (attention->choice.score->projects_query)
        linear_prepack(&weights->query, &attention->query, params, list);
    EACH_MECHANISM(attention, prepack, weights, attention, params, list);
}

void attention_acts_init(struct attention_acts *acts, const struct attention *attention, size_t rows,
                         const struct packed_seq *source, const struct hard_attention *hard,
                         struct arena *arena)
{
    *acts = (struct attention_acts){.hard = hard};
    acts->query = ARENA_NEW(arena, rows * attention->units, real);
    EACH_MECHANISM(attention, acts_init, acts, attention, rows, source, arena);
}

void attention_acts_init_backward(struct attention_acts *acts, const struct attention *attention, size_t rows,
                                  size_t step_rows, const struct packed_seq *source, struct arena *arena)
{
    const size_t a = attention->units;
    acts->dalpha = ARENA_NEW(arena, step_rows * attention->choice.heads * source->steps, real);
    acts->dquery = ARENA_NEW(arena, rows * a, real);
    acts->dkeys = ARENA_ZERO(arena, source->rows * a, real);
    acts->dvector = ARENA_ZERO(arena, a, real);
    EACH_MECHANISM(attention, acts_init_backward, acts, attention, rows, step_rows, source, arena);
}

/* ---- one row ---- */

static struct attention_row row_of(struct attention_acts *acts, const struct attention_step *step,
                                   size_t index, const struct attention_weights *weights)
{
    const struct attention *attention = weights->attention;
    const size_t rank = step->source_rank[index];
    struct attention_row row = {.step = step,
                                .index = index,
                                .row = step->row + index,
                                .rank = rank,
                                .end = step->source->seq->lengths[rank],
                                .keys = step->source->keys.data,
                                .dkeys = acts->dkeys};
    EACH_MECHANISM(attention, row_forward, &row, acts, weights);
    return row;
}

size_t attention_row_offset(const struct attention_row *row, const struct attention *attention)
{
    return (row->row * attention->choice.heads + row->head) * row->step->source->seq->steps;
}

/* e [steps], e_ij = score(query_i, key_j) / τ; 0 outside the row's span. */
static void scores_forward(real *e, const struct attention_row *row, const struct attention_acts *acts,
                           const struct attention *attention, const real *params)
{
    const struct packed_seq *source = row->step->source->seq;
    const struct score *score = attention->choice.score;
    const size_t a = attention->units, part = a / attention->choice.heads, first = row->head * part;
    struct score_inputs inputs = {.v = params + attention->vector + first,
                                  .query = acts->query + row->row * a + first};
    const real sharpness = (real)(1 / attention->choice.temperature);
    memset(e, 0, source->steps * sizeof *e);
    for (size_t j = row->begin; j < row->end; j++) {
        inputs.key = row->keys + (source->first[j] + row->rank) * a + first;
        e[j] = sharpness * score->forward(&inputs, part);
    }
}

/* From de to the gradients of query, keys and v. */
static void scores_backward(struct attention_acts *acts, const real *de, const struct attention_row *row,
                            const struct attention *attention, const real *params)
{
    const struct packed_seq *source = row->step->source->seq;
    const struct score *score = attention->choice.score;
    const size_t a = attention->units, part = a / attention->choice.heads, first = row->head * part;
    struct score_inputs inputs = {.v = params + attention->vector + first,
                                  .query = acts->query + row->row * a + first};
    struct score_grads grads = {.v = acts->dvector + first, .query = acts->dquery + row->row * a + first};
    const real sharpness = (real)(1 / attention->choice.temperature);
    for (size_t j = row->begin; j < row->end; j++) { /* e_ij = score(query_i, key_j) / τ */
        const size_t key = (source->first[j] + row->rank) * a + first;
        inputs.key = row->keys + key;
        grads.key = row->dkeys + key;
        score->backward(&grads, sharpness * de[j], &inputs, part);
    }
}

/* ---- forward and backward of a step ---- */

/* query_i = W_a s, or the state s itself */
static void queries_forward(struct attention_acts *acts, struct const_mat states,
                            const struct attention_step *step, const struct attention_weights *weights)
{
    const struct attention *attention = weights->attention;
    const size_t a = attention->units;
    real *query = acts->query + step->row * a;
    if (attention->choice.score->projects_query)
        linear_forward(mat_of(query, step->rows, a), states, &attention->query, &weights->query,
                       weights->params, false);
    else
        mat_copy(mat_of(query, step->rows, a), states);
}

static void queries_backward(struct mat dstates, const struct attention_acts *acts,
                             const struct attention_step *step, const struct attention_weights *weights)
{
    const struct attention *attention = weights->attention;
    const size_t a = attention->units;
    const real *dquery = acts->dquery + step->row * a;
    if (attention->choice.score->projects_query)
        prepacked_product(dstates, const_mat_of(dquery, step->rows, a), &weights->query, true);
    else
        vec_add(dstates.data, dquery, step->rows * a);
}

/* Without a score, the only position gets all weight. */
static void constant_weights(real *alpha, size_t rows)
{
    for (size_t i = 0; i < rows; i++)
        alpha[i] = 1;
}

void attention_forward(struct attention_acts *acts, struct const_mat states,
                       const struct attention_step *step, const struct attention_weights *weights)
{
    const struct attention *attention = weights->attention;
    const struct normalizer *normalizer = attention->choice.normalizer;
    ASSERT(states.rows == step->rows && states.cols == attention->query_width && acts->alpha);
    if (!attention_has_score(attention)) {
        constant_weights(acts->alpha + step->row, step->rows);
        return;
    }
    queries_forward(acts, states, step, weights); /* query_i = W_a s */
    EACH_MECHANISM(attention, step_forward, acts, states, step, weights);
    for (size_t i = 0; i < step->rows; i++) {
        struct attention_row row = row_of(acts, step, i, weights);
        for (row.head = 0; row.head < attention->choice.heads; row.head++) {
            real *alpha = acts->alpha + attention_row_offset(&row, attention);
            scores_forward(alpha, &row, acts, attention, weights->params); /* e_ij */
            normalizer->forward(alpha + row.begin, row.end - row.begin);   /* α_ij */
            EACH_MECHANISM(attention, weights_forward, alpha, &row, acts, attention);
        }
    }
}

/* Runs the mechanisms backward, the last first: dalpha becomes the gradient of the normalizer's weights,
 * which are returned. */
static const real *weights_backward(real *dalpha, const struct attention_row *row,
                                    struct attention_acts *acts, const struct attention *attention)
{
    const real *alpha = acts->alpha + attention_row_offset(row, attention);
    for (size_t m = attention->mechanism_count; m-- > 0;)
        if (attention->mechanisms[m]->weights_backward)
            alpha = attention->mechanisms[m]->weights_backward(dalpha, alpha, row, acts, attention);
    return alpha;
}

void attention_backward(struct mat dstates, struct attention_acts *acts, const struct attention_step *step,
                        const struct attention_weights *weights)
{
    const struct attention *attention = weights->attention;
    const size_t heads = attention->choice.heads, steps = step->source->seq->steps, a = attention->units;
    const struct normalizer *normalizer = attention->choice.normalizer;
    if (!attention_has_score(attention))
        return;
    ASSERT(dstates.rows == step->rows && dstates.cols == attention->query_width);
    ASSERT(dstates.ld == dstates.cols && acts->dalpha);
    memset(acts->dquery + step->row * a, 0, step->rows * a * sizeof *acts->dquery);
    for (size_t i = 0; i < step->rows; i++) {
        struct attention_row row = row_of(acts, step, i, weights);
        for (row.head = 0; row.head < heads; row.head++) {
            real *de = acts->dalpha + (i * heads + row.head) * steps;
            const real *alpha = weights_backward(de, &row, acts, attention);
            normalizer->backward(de + row.begin, alpha + row.begin, row.end - row.begin); /* α_ij */
            scores_backward(acts, de, &row, attention, weights->params);                  /* e_ij */
        }
        EACH_MECHANISM(attention, row_backward, &row, acts, weights);
    }
    queries_backward(dstates, acts, step, weights); /* query_i = W_a s */
    EACH_MECHANISM(attention, step_backward, dstates, acts, step, weights);
}

void attention_defer_weight_grads(struct grad_terms *terms, const struct attention_acts *acts,
                                  struct const_mat states, const struct attention *attention)
{
    const struct score *score = attention->choice.score;
    const size_t a = attention->units;
    ASSERT(states.cols == attention->query_width);
    if (score->projects_query) /* query_i = W_a s */
        linear_defer_weight_grads(terms, const_mat_of(acts->dquery, states.rows, a), states,
                                  &attention->query);
    if (score->vector) /* e_ij = vᵀ … */
        grad_terms_sum(terms, attention->vector, const_mat_of(acts->dvector, 1, a));
    EACH_MECHANISM(attention, defer_weight_grads, terms, acts, states, attention);
}
