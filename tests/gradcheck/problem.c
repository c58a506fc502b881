/* A small network with ragged lengths, and the comparison of its gradients with central differences. The
 * networks are listed in test_gradients.c and test_hard_attention.c. */
#include "problem.h"

#include "mem.h"
#include "params.h"
#include "rng.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#define TOLERANCE 1e-6
#define MAX_PROBES 60 /* per parameter; smaller parameters are checked completely */

static const size_t source_lengths[SENTS] = {5, 2, 4};
static const size_t target_lengths[SENTS] = {3, 5, 2}; /* marks included: 2, 4, 1 predictions */
static const struct link links[][3] = {{{0, 0, 1}, {4, 1, 1}, {2, 1, 1}}, {{1, 3, 1}}, {{0, 0, 1}}};
/* Reference alignments, used only with training.guided_alignment. */
static const struct guide guides[SENTS] = {{links[0], 3}, {links[1], 1}, {links[2], 0}};

void problem_init(struct problem *p, const char *const *settings)
{
    struct err err;
    config_init(&p->config);
    const char *sizes[] = {"model.embedding=7",         "model.encoder.units=11",
                           "model.decoder.units=9",     "model.attention.units=13",
                           "model.dropout.embedding=0", "model.dropout.annotation=0",
                           "model.dropout.readout=0",   "model.attention.feed=input",
                           "model.layer_norm=false",    "model.dropout.state=0"};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
        assert_int_equal(config_set(&p->config, sizes[i], &err), 0);
    for (; *settings; settings++)
        assert_int_equal(config_set(&p->config, *settings, &err), 0);
    /* With a shared table, the target side is its first rows. */
    const bool shared = p->config.model.tie == TIE_ALL;
    const size_t source_vocabulary = shared ? 17 : 15, target_vocabulary = shared ? 15 : 17;
    seq2seq_init(&p->model, &p->config, source_vocabulary, target_vocabulary);
    struct rng rng;
    rng_init(&rng, 7, RNG_TEST, 0, 0);
    for (int b = 0; b < SENTS; b++) {
        for (int t = 0; t < MAX_STEPS; t++) {
            p->ids[b][t] = (int)rng_below(&rng, source_vocabulary);
            p->ids[SENTS + b][t] = (int)rng_below(&rng, target_vocabulary);
        }
        p->source[b] = (struct sentence){p->ids[b], source_lengths[b]};
        p->target[b] = (struct sentence){p->ids[SENTS + b], target_lengths[b]};
    }
    p->batch = (struct batch){p->source, p->target, SENTS, guides};
    pass_options_init(&p->options, &p->config, 1, 0);
    arena_init(&p->arena);
    p->params = xmalloc(p->model.layout.total, sizeof(real));
    params_randomize(p->params, &p->model.layout, 3);
    /* Moves away from zero biases and flat attention, which could hide a wrong gradient. */
    for (size_t i = 0; i < p->model.layout.total; i++)
        p->params[i] += 0.4 * rng_normal(&rng);
}

void problem_release(struct problem *p)
{
    free(p->params);
    arena_release(&p->arena);
    config_release(&p->config);
}

static double loss_of(struct problem *p)
{
    arena_reset(&p->arena);
    const struct loss loss = seq2seq_loss(NULL, &p->model, p->params, &p->batch, &p->options, 0, &p->arena);
    return loss.sums.loss;
}

double central_difference(struct problem *p, size_t param, double step, double (*f)(struct problem *))
{
    const real saved = p->params[param];
    p->params[param] = saved + step;
    const double above = f(p);
    p->params[param] = saved - step;
    const double below = f(p);
    p->params[param] = saved;
    return (above - below) / (2 * step);
}

/* The error of a derivative, relative to its size and that of the largest. Where it is too large, a longer
 * step is taken as well, and the better one counts: of a small derivative, the difference is smaller than
 * what rounding makes of it (losses of some 20, so 2e-10 with the shorter step). A wrong derivative is wrong
 * in both. */
static double error_of(struct problem *p, size_t param, double exact, double largest)
{
    double best = INFINITY;
    for (double step = DIFFERENCE; step < 5 * DIFFERENCE && !(best < TOLERANCE); step *= 4) {
        const double numeric = central_difference(p, param, step, loss_of);
        best = fmin(best, fabs(numeric - exact) / (0.1 * largest + fabs(numeric) + fabs(exact)));
    }
    return best;
}

/* The largest error in one parameter's gradient, relative to its size; fails the test on NaN or all zero. */
static double worst_error(struct problem *p, const struct param *param, const real *grads)
{
    const size_t size = param_size(param), stride = size / MAX_PROBES + 1;
    double worst = 0, largest = 0;
    for (size_t i = 0; i < size; i++) {
        assert_true(isfinite(grads[param->offset + i]));
        largest = fmax(largest, fabs(grads[param->offset + i]));
    }
    if (!(largest > 0)) {
        print_error("%s: the gradient is zero throughout\n", param->name);
        return INFINITY;
    }
    for (size_t i = 0; i < size; i += stride)
        worst = fmax(worst, error_of(p, param->offset + i, grads[param->offset + i], largest));
    return worst;
}

void check_gradients(const char *const *settings)
{
    struct problem p;
    problem_init(&p, settings);
    real *grads = xcalloc(p.model.layout.total, sizeof *grads);
    const struct loss loss = seq2seq_loss(grads, &p.model, p.params, &p.batch, &p.options, 1, &p.arena);
    assert_int_equal(loss.target_tokens, 7);
    assert_int_equal(loss.source_tokens, 11);
    int bad = 0;
    for (size_t i = 0; i < p.model.layout.count; i++) {
        const double error = worst_error(&p, &p.model.layout.params[i], grads);
        if (!(error < TOLERANCE)) {
            print_error("%s: relative error %.2e\n", p.model.layout.params[i].name, error);
            bad++;
        }
    }
    assert_int_equal(bad, 0);
    free(grads);
    problem_release(&p);
}
