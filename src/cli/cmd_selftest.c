/* nmt selftest: checks the gradient of this binary on this machine.
 *
 * For each parameter of a small random network, and for random directions d of ±1, the slope of the loss
 * along d is measured by central differences and compared with the gradient's Σ g·d. In float these agree
 * to about 1e-3; the project's own tests check element by element in double. */
#include "arena.h"
#include "commands.h"
#include "config.h"
#include "mat.h"
#include "mem.h"
#include "output.h"
#include "params.h"
#include "parseopt.h"
#include "rng.h"
#include "seq2seq.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define SENTS 4
#define STEPS 7
#define VOCABULARY 23
#define DIRECTIONS 4
#define STEP 2e-3
#define TOLERANCE 2e-2

struct problem {
    struct config config;
    struct seq2seq model;
    int ids[2 * SENTS][STEPS];
    struct sentence source[SENTS], target[SENTS];
    struct batch batch;
    struct pass_options options;
    struct arena arena;
    real *values, *grads;
};

static void problem_init(struct problem *p, uint64_t seed)
{
    static const char *const settings[] = {"model.embedding=12", "model.encoder.units=10",
                                           "model.decoder.units=14", "model.attention.units=9",
                                           "model.dropout.state=0.2"};
    struct err err;
    struct rng rng;
    config_init(&p->config);
    for (size_t i = 0; i < sizeof settings / sizeof settings[0]; i++)
        if (config_set(&p->config, settings[i], &err))
            BUG("%s", err.text);
    seq2seq_init(&p->model, &p->config, VOCABULARY, VOCABULARY);
    rng_init(&rng, seed, RNG_TEST, 0, 0);
    for (int b = 0; b < SENTS; b++) {
        for (int t = 0; t < STEPS; t++) {
            p->ids[b][t] = (int)rng_below(&rng, VOCABULARY);
            p->ids[SENTS + b][t] = (int)rng_below(&rng, VOCABULARY);
        }
        p->source[b] = (struct sentence){p->ids[b], 1 + rng_below(&rng, STEPS)};
        p->target[b] = (struct sentence){p->ids[SENTS + b], 2 + rng_below(&rng, STEPS - 1)};
    }
    p->batch = (struct batch){.source = p->source, .target = p->target, .sents = SENTS};
    pass_options_init(&p->options, &p->config, 1, 0);
    arena_init(&p->arena);
    p->values = xmalloc(p->model.layout.total, sizeof(real));
    p->grads = xcalloc(p->model.layout.total, sizeof(real));
    params_randomize(p->values, &p->model.layout, seed);
    for (size_t i = 0; i < p->model.layout.total; i++)
        p->values[i] += (real)(0.3 * rng_normal(&rng));
}

static void problem_release(struct problem *p)
{
    xfree(p->values);
    xfree(p->grads);
    arena_release(&p->arena);
    config_release(&p->config);
}

static double loss_of(struct problem *p, real *grads)
{
    arena_reset(&p->arena);
    const struct loss loss = seq2seq_loss(grads, &p->model, p->values, &p->batch, &p->options, 1, &p->arena);
    return loss.sums.loss;
}

/* values += step · d for one parameter; d of ±1 comes from the direction's own random stream. */
static void move(struct problem *p, const struct param *param, uint64_t direction, double step)
{
    struct rng rng;
    rng_init(&rng, 5, RNG_TEST, direction, param->offset);
    for (size_t i = 0; i < param_size(param); i++)
        p->values[param->offset + i] += (real)(rng_next(&rng) & 1 ? step : -step);
}

static double predicted(const struct problem *p, const struct param *param, uint64_t direction)
{
    struct rng rng;
    double sum = 0;
    rng_init(&rng, 5, RNG_TEST, direction, param->offset);
    for (size_t i = 0; i < param_size(param); i++)
        sum += (rng_next(&rng) & 1 ? 1 : -1) * (double)p->grads[param->offset + i];
    return sum;
}

/* How much the loss rises along a direction, by a difference; `saved`: the parameter's values. */
static double slope_along(struct problem *p, const struct param *param, const real *saved, uint64_t direction,
                          double step)
{
    double slope = 0;
    for (int sign = 1; sign >= -1; sign -= 2) {
        move(p, param, direction, sign * step);
        slope += sign * loss_of(p, NULL) / (2 * step);
        for (size_t i = 0; i < param_size(param); i++)
            p->values[param->offset + i] = saved[i];
    }
    return slope;
}

/* The largest error over the directions, relative to the norm of the gradient. Where the loss is too curved
 * for the step, a smaller one decides: of a wrong gradient, it tells as well. */
static double check(struct problem *p, const struct param *param)
{
    double worst = 0, squares = 0;
    for (size_t i = 0; i < param_size(param); i++)
        squares += (double)p->grads[param->offset + i] * (double)p->grads[param->offset + i];
    if (!(squares > 0))
        return INFINITY;
    const double step = STEP / sqrt(sqrt((double)param_size(param)));
    real *saved = xmalloc(param_size(param), sizeof *saved);
    for (size_t i = 0; i < param_size(param); i++)
        saved[i] = p->values[param->offset + i];
    for (uint64_t direction = 0; direction < DIRECTIONS; direction++) {
        const double right = predicted(p, param, direction), norm = sqrt(squares);
        double error = fabs(slope_along(p, param, saved, direction, step) - right) / norm;
        if (error > TOLERANCE)
            error = fmin(error, fabs(slope_along(p, param, saved, direction, step / 4) - right) / norm);
        worst = fmax(worst, error);
    }
    xfree(saved);
    return worst;
}

int cmd_selftest(int argc, char **argv)
{
    int seed = 1;
    const struct option_spec options[] = {
        {"seed", 0, OPTION_INT, &seed, "N", "seed of the random network (default: 1)", 0, 1 << 30},
        {NULL, 0, OPTION_FLAG, NULL, NULL, NULL, 0, 0},
    };
    const struct command_help help = {
        "nmt selftest [--seed N]",
        "Compares the gradients of a small random network with finite differences of its loss."};
    PARSE_OR_RETURN(argc, argv, options, &help);
    struct problem p;
    int bad = 0;
    mat_begin(1);
    problem_init(&p, (uint64_t)seed);
    loss_of(&p, p.grads);
    output_addf("%-32s %8s %10s\n", "parameter", "numbers", "error");
    for (size_t i = 0; i < p.model.layout.count; i++) {
        const struct param *param = &p.model.layout.params[i];
        const double error = check(&p, param);
        const bool passed = error < TOLERANCE;
        output_addf("%-32s %8zu %10.1e%s\n", param->name, param_size(param), error, passed ? "" : "  WRONG");
        bad += !passed;
    }
    output_addf(bad ? "%d of %zu gradients are wrong\n" : "all gradients are right\n", bad,
                p.model.layout.count);
    problem_release(&p);
    return bad ? EXIT_FAILED : EXIT_DONE;
}
