/* Int8 weights in each kind of network: nothing reads numbers of which it has other copies, and scores are
 * near those of float32. */
#include "networks.h"

#include "mem.h"
#include "weights.h"

#include <math.h>

#define BEAM 4

/* The network with other weights. */
struct other {
    real *params;
    struct quantised_params quantised;
    struct step_weights weights;
    struct ensemble one;
};

static void other_init(struct other *other, struct network *f)
{
    const struct weights weights = {.values = f->params};
    other->params = xmalloc(f->model.layout.total, sizeof *other->params);
    memcpy(other->params, f->params, f->model.layout.total * sizeof *other->params);
    weights_quantise(&other->quantised, &weights, &f->model.layout, &f->shared);
    other->quantised.params = other->params;
    other->one = (struct ensemble){.members = &other->weights, .count = 1};
}

static void spoil(struct other *other, const struct param *param)
{
    for (size_t i = 0; i < param_size(param); i++)
        other->params[param->offset + i] = NAN;
}

static void spoil_quantised(struct other *other, const struct param *param)
{
    const struct quantised *tensor = quantised_find(&other->quantised, other->params + param->offset);
    void *values; /* those of other_init */
    if (!tensor)
        return;
    memcpy(&values, &tensor->values, sizeof values);
    memset(values, 99, param_size(param));
}

static void search(struct hypothesis *best, int *found, struct network *f, const struct ensemble *ensemble)
{
    f->options.beam = f->options.n_best = BEAM;
    f->options.alignment = f->options.coverage = true;
    assert_int_equal(beam_search(best, found, ensemble, f->sentences, SENTS, &f->options, &f->arena), 0);
}

static void expect_equal(struct network *f, const struct ensemble *a, const struct ensemble *b)
{
    struct hypothesis best[2][SENTS * BEAM];
    int found[2][SENTS];
    search(best[0], found[0], f, a);
    search(best[1], found[1], f, b);
    for (int s = 0; s < SENTS; s++) {
        assert_int_equal(found[0][s], found[1][s]);
        for (int k = s * BEAM; k < s * BEAM + found[0][s]; k++) {
            const struct hypothesis *x = &best[0][k], *y = &best[1][k];
            expect_same(x, y);
            assert_int_not_equal(x->end, END_OVERFLOW);
            assert_true(x->score == y->score && x->terms.coverage == y->terms.coverage);
            assert_memory_equal(x->token_log_probabilities, y->token_log_probabilities,
                                (size_t)x->length * sizeof(float));
        }
    }
}

/* As in an int8 file, which has no such numbers, and after ensemble_drop_weights. */
static void floats_of_int8_matrices_are_not_read(void **state)
{
    struct network *f = *state;
    const struct layout *layout = &f->model.layout;
    struct other whole, spoilt;
    other_init(&whole, f);
    other_init(&spoilt, f);
    for (size_t i = 0; i < layout->count; i++)
        if (param_is_matrix(&layout->params[i]))
            spoil(&spoilt, &layout->params[i]);
    step_weights_init(&whole.weights, &f->model, whole.params, &whole.quantised, &f->shared);
    step_weights_init(&spoilt.weights, &f->model, spoilt.params, &spoilt.quantised, &f->shared);
    for (size_t i = 0; i < layout->count; i++)
        if (spoilt.weights.unread[i])
            spoil_quantised(&spoilt, &layout->params[i]);
    expect_equal(f, &whole.one, &spoilt.one);
    xfree(whole.params);
    xfree(spoilt.params);
}

static void prepacked_floats_are_not_read(void **state)
{
    struct network *f = *state;
    struct other spoilt;
    other_init(&spoilt, f);
    step_weights_init(&spoilt.weights, &f->model, spoilt.params, NULL, &f->shared);
    for (size_t i = 0; i < f->model.layout.count; i++)
        if (spoilt.weights.unread[i])
            spoil(&spoilt, &f->model.layout.params[i]);
    expect_equal(f, &f->one, &spoilt.one);
    xfree(spoilt.params);
}

/* The log-probabilities of the words of some translations. */
static void score(struct hypothesis *given, struct network *f, const struct ensemble *ensemble)
{
    int found[SENTS];
    f->options.scored = f->options.unknown = true;
    f->options.prefixes = f->sentences;
    assert_int_equal(beam_search(given, found, ensemble, f->sentences, SENTS, &f->options, &f->arena), 0);
}

/* With weights that eight bits hold, so that only activations are rounded. */
static void scores_are_near_those_of_float32(void **state)
{
    struct network *f = *state;
    struct other int8, float32;
    struct hypothesis given[2][SENTS];
    other_init(&int8, f);
    other_init(&float32, f);
    for (size_t i = 0; i < int8.quantised.count; i++) {
        const struct quantised *tensor = &int8.quantised.tensors[i];
        for (size_t row = 0; row < tensor->rows; row++)
            dequantise_row(float32.params + int8.quantised.offsets[i] + row * tensor->cols, tensor, row);
    }
    step_weights_init(&int8.weights, &f->model, int8.params, &int8.quantised, &f->shared);
    step_weights_init(&float32.weights, &f->model, float32.params, NULL, &f->shared);
    score(given[0], f, &int8.one);
    score(given[1], f, &float32.one);
    double sum = 0;
    int count = 0;
    for (int b = 0; b < SENTS; b++)
        for (int t = 0; t <= given[0][b].length; t++, count++)
            sum += fabs((double)given[0][b].token_log_probabilities[t] -
                        (double)given[1][b].token_log_probabilities[t]);
    assert_true(sum / count < 0.1); /* 0.066 in the worst network */
    xfree(int8.params);
    xfree(float32.params);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        NETWORK_TEST(floats_of_int8_matrices_are_not_read),
        NETWORK_TEST(prepacked_floats_are_not_read),
        NETWORK_TEST(scores_are_near_those_of_float32),
    };
    int failed = 0;
    for (const char *name; (name = networks_next());)
        failed += cmocka_run_group_tests_name(name, tests, network_set_up, network_tear_down);
    for (const char *name; (name = networks_next_choice());)
        failed += cmocka_run_group_tests_name(name, tests, network_set_up, network_tear_down);
    return failed;
}
