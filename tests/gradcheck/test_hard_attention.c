/* Gradients of hard attention, which samples positions. The estimator is compared with the gradient of the
 * expected loss, Σ π(path) loss(path) over all paths (3 positions in each of 2 steps); expected contexts
 * and the entropy term with central differences; and the discount of later losses is checked. */
#include "mat.h"
#include "mem.h"
#include "problem.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#define PATHS 9
#define SAMPLES 200000

/* The loss for the positions of a path, and the probability of sampling that path. */
static double path_loss(struct problem *p, int path, double *probability)
{
    const int forced[2] = {path / 3, path % 3};
    struct pass_weights weights;
    struct loss loss = {0};
    arena_reset(&p->arena);
    p->options.decoder.attention.forced = forced;
    pass_weights_init(&weights, &p->model, p->params, FORWARD, PRODUCTS_FLOAT32, &p->arena);
    prepack_list_fill(&weights.list, 0, 1);
    struct pass *pass = seq2seq_forward(&p->model, &weights, &p->batch, &p->options, &p->arena);
    seq2seq_begin_output(&loss, pass, 1, false);
    for (size_t chunk = 0; chunk < seq2seq_chunks(pass); chunk++)
        seq2seq_output(&loss, NULL, pass, chunk);
    *probability = exp(seq2seq_choice_log_probability(pass));
    p->options.decoder.attention.forced = NULL;
    return loss.sums.loss;
}

static double expected_loss(struct problem *p)
{
    double sum = 0, total = 0;
    for (int path = 0; path < PATHS; path++) {
        double probability;
        const double loss = path_loss(p, path, &probability);
        sum += probability * loss;
        total += probability;
    }
    assert_true(fabs(total - 1) < 1e-9);
    return sum;
}

/* The mean of the gradients over many samples. */
static real *mean_of_estimates(struct problem *p)
{
    real *mean = xcalloc(p->model.layout.total, sizeof *mean);
    for (int i = 0; i < SAMPLES; i++) {
        p->options.decoder.attention.key = (uint32_t)i;
        arena_reset(&p->arena);
        seq2seq_loss(mean, &p->model, p->params, &p->batch, &p->options, (real)1 / SAMPLES, &p->arena);
    }
    return mean;
}

/* Is a parameter's gradient large enough to compare? If so, fails the test if the mean of the estimates
 * differs by more than the sampling error. */
static bool compare_estimate(struct problem *p, const struct param *param, const real *mean)
{
    double difference = 0, size = 0;
    for (size_t j = 0; j < param_size(param); j += param_size(param) / 8 + 1) {
        const double exact = central_difference(p, param->offset + j, DIFFERENCE, expected_loss);
        difference += pow(exact - mean[param->offset + j], 2);
        size += exact * exact;
    }
    if (!(size > 1e-6))
        return false;
    if (!(sqrt(difference / size) < 0.04))
        fail_msg("%s: relative error %.3f", param->name, sqrt(difference / size));
    return true;
}

static void hard_attention_is_unbiased(void **state)
{
    (void)state;
    struct problem p;
    problem_init(&p, SETTINGS("model.attention.kind=hard", "training.attention_entropy=0",
                              "training.attention_discount=1", "training.attention_expected=0",
                              "training.label_smoothing=0.1", "model.attention.feed=conditional",
                              "model.embedding=3", "model.encoder.units=3", "model.decoder.units=4",
                              "model.attention.units=3"));
    p.source[0].length = p.target[0].length = 3;
    p.batch.sents = 1;
    p.options.decoder.attention.baseline =
        expected_loss(&p) / 2; /* any baseline is unbiased; this one has low variance */
    real *mean = mean_of_estimates(&p);
    int compared = 0;
    for (size_t i = 0; i < p.model.layout.count; i++)
        compared += compare_estimate(&p, &p.model.layout.params[i], mean);
    assert_true(compared > 15);
    free(mean);
    problem_release(&p);
}

static void expected_contexts_have_the_gradients_of_soft_attention(void **state)
{
    (void)state;
    check_gradients(SETTINGS("model.attention.kind=hard", "training.attention_expected=1",
                             "model.attention.heads=2", "model.attention.units=8",
                             "model.attention.feed=conditional"));
    check_gradients(SETTINGS("model.attention.kind=hard", "training.attention_expected=1",
                             "model.attention.coverage=sum"));
}

/* Gradients of one sentence of `steps` words with given positions. The caller frees them. */
static real *forced_gradients(int steps, const char *setting)
{
    static const int forced[2] = {2, 1};
    struct problem p;
    problem_init(&p, SETTINGS("model.attention.kind=hard", setting));
    p.source[0].length = 3;
    p.target[0].length = (size_t)steps + 1;
    p.batch.sents = 1;
    p.options.decoder.attention.forced = forced;
    real *grads = xcalloc(p.model.layout.total, sizeof *grads);
    seq2seq_loss(grads, &p.model, p.params, &p.batch, &p.options, 1, &p.arena);
    problem_release(&p);
    return grads;
}

/* A_1 = (l_1 - b) + γ (l_2 - b), and gradients are linear in it; a single word has no later ones. */
static void losses_of_later_words_are_discounted(void **state)
{
    (void)state;
    for (int steps = 1; steps <= 2; steps++) {
        real *none = forced_gradients(steps, "training.attention_discount=0"),
             *half = forced_gradients(steps, "training.attention_discount=0.5"),
             *all = forced_gradients(steps, "training.attention_discount=1");
        struct problem p;
        problem_init(&p, SETTINGS("model.attention.kind=hard"));
        double apart = 0, between = 0;
        for (size_t i = 0; i < p.model.layout.total; i++) {
            apart += fabs(all[i] - none[i]);
            between += fabs(half[i] - (none[i] + all[i]) / 2);
        }
        assert_true(steps == 1 ? apart == 0 : apart > 0.01);
        assert_true(between < 1e-10);
        problem_release(&p);
        free(none);
        free(half);
        free(all);
    }
}

/* Σ α log α of a problem with one step. */
static double negative_entropy(struct problem *p)
{
    double sum = 0;
    for (int position = 0; position < 3; position++) {
        double probability;
        path_loss(p, 3 * position, &probability);
        sum += probability * log(probability);
    }
    return sum;
}

static void a_spread_choice_is_rewarded(void **state)
{
    (void)state;
    real *without = forced_gradients(1, "training.attention_entropy=0"),
         *with = forced_gradients(1, "training.attention_entropy=0.5");
    struct problem p;
    double largest = 0;
    problem_init(&p, SETTINGS("model.attention.kind=hard"));
    p.source[0].length = 3;
    p.target[0].length = 2;
    p.batch.sents = 1;
    for (size_t i = 0; i < p.model.layout.total; i += 7) {
        const double exact = 0.5 * central_difference(&p, i, DIFFERENCE, negative_entropy);
        assert_true(fabs(with[i] - without[i] - exact) < 1e-7);
        largest = fmax(largest, fabs(exact));
    }
    assert_true(largest > 1e-3);
    problem_release(&p);
    free(without);
    free(with);
}

int main(void)
{
    mat_begin(1);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hard_attention_is_unbiased),
        cmocka_unit_test(expected_contexts_have_the_gradients_of_soft_attention),
        cmocka_unit_test(losses_of_later_words_are_discounted),
        cmocka_unit_test(a_spread_choice_is_rewarded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
