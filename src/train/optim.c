/* The optimizers (a kernel and a row each), and the schedules: learning rate, moving average. The caller has
 * gradients and their norm. */
#include "optim.h"

#include "kernel.h"
#include "mem.h"

#include <math.h>

#define ADAM_EPSILON 1e-8
#define ADADELTA_EPSILON 1e-6
#define PI 3.14159265358979323846

/* The scalar factors of a step, as reals. */
struct step_factors {
    real scale;           /* of the gradients */
    real beta1, beta2;    /* of the moments */
    real rate;            /* of Δ */
    real root_correction; /* of √v: Adam's 1 / √(1 - β₂ᵗ) */
    real kept;            /* part of a weight that weight decay keeps */
};

static struct step_factors factors_of(const struct optimizer *optimizer,
                                      const struct optimizer_update *update)
{
    return (struct step_factors){.scale = update->scale,
                                 .beta1 = (real)optimizer->beta1,
                                 .beta2 = (real)optimizer->beta2,
                                 .rate = (real)update->learning_rate,
                                 .kept = (real)(1 - update->learning_rate * optimizer->weight_decay)};
}

static KERNEL(adam_elements, (real *restrict values, const real *restrict grads, real *restrict m,
               real *restrict v, size_t count, struct step_factors f),
              (values, grads, m, v, count, f))
{
    for (size_t i = 0; i < count; i++) {
        const real g = grads[i] * f.scale;
        m[i] = f.beta1 * m[i] + (1 - f.beta1) * g;
        v[i] = f.beta2 * v[i] + (1 - f.beta2) * g * g;
        values[i] =
            f.kept * values[i] - f.rate * m[i] / ((real)sqrtf(v[i]) * f.root_correction + (real)ADAM_EPSILON);
    }
}

static void adam_step(real *values, const real *grads, const struct optimizer *optimizer,
                      const struct optimizer_update *update, size_t begin, size_t end)
{
    const double correction1 = 1 - pow(optimizer->beta1, (double)update->number);
    const double correction2 = 1 - pow(optimizer->beta2, (double)update->number);
    struct step_factors factors = factors_of(optimizer, update);
    factors.rate = (real)(update->learning_rate / correction1);
    factors.root_correction = (real)(1 / sqrt(correction2));
    adam_elements(values + begin, grads + begin, optimizer->moments[0] + begin, optimizer->moments[1] + begin,
                  end - begin, factors);
}

static const struct optimizer_method optimizer_adam = {2, {"adam.m", "adam.v"}, adam_step};

static KERNEL(sgd_elements, (real *restrict values, const real *restrict grads, real *restrict m,
               size_t count, struct step_factors f),
              (values, grads, m, count, f))
{
    for (size_t i = 0; i < count; i++) {
        m[i] = f.beta1 * m[i] + grads[i] * f.scale;
        values[i] = f.kept * values[i] - f.rate * m[i];
    }
}

static void sgd_step(real *values, const real *grads, const struct optimizer *optimizer,
                     const struct optimizer_update *update, size_t begin, size_t end)
{
    sgd_elements(values + begin, grads + begin, optimizer->moments[0] + begin, end - begin,
                 factors_of(optimizer, update));
}

static const struct optimizer_method optimizer_sgd = {1, {"sgd.m"}, sgd_step};

static KERNEL(adadelta_elements, (real *restrict values, const real *restrict grads, real *restrict v,
               real *restrict u, size_t count, struct step_factors f),
              (values, grads, v, u, count, f))
{
    const real epsilon = (real)ADADELTA_EPSILON;
    for (size_t i = 0; i < count; i++) {
        const real g = grads[i] * f.scale;
        v[i] = f.beta2 * v[i] + (1 - f.beta2) * g * g;
        const real delta = (real)(sqrtf(u[i] + epsilon) / sqrtf(v[i] + epsilon)) * g;
        u[i] = f.beta2 * u[i] + (1 - f.beta2) * delta * delta;
        values[i] = f.kept * values[i] - f.rate * delta;
    }
}

static void adadelta_step(real *values, const real *grads, const struct optimizer *optimizer,
                          const struct optimizer_update *update, size_t begin, size_t end)
{
    adadelta_elements(values + begin, grads + begin, optimizer->moments[0] + begin,
                      optimizer->moments[1] + begin, end - begin, factors_of(optimizer, update));
}

static const struct optimizer_method optimizer_adadelta = {2, {"adadelta.v", "adadelta.u"}, adadelta_step};

#define ENTRY(constant, name) [constant] = &optimizer_##name,
static const struct optimizer_method *const optimizer_kinds[] = {OPTIMIZERS(ENTRY)};

void optimizer_init(struct optimizer *optimizer, const struct config_training *config, size_t total)
{
    *optimizer = (struct optimizer){.kind = optimizer_kinds[config->optimizer],
                                    .beta1 = config->beta1,
                                    .beta2 = config->beta2,
                                    .weight_decay = config->weight_decay};
    for (int i = 0; i < optimizer->kind->moments; i++)
        optimizer->moments[i] = xcalloc(total, sizeof(real));
}

void optimizer_release(struct optimizer *optimizer)
{
    for (int i = 0; i < OPTIMIZER_MOST_MOMENTS; i++)
        xfree(optimizer->moments[i]);
}

void optimizer_step(real *values, const real *grads, const struct optimizer *optimizer,
                    const struct optimizer_update *update, size_t begin, size_t end)
{
    optimizer->kind->step(values, grads, optimizer, update, begin, end);
}

static KERNEL(move, (real *restrict average, const real *restrict values, size_t count, real part),
              (average, values, count, part))
{
    for (size_t i = 0; i < count; i++)
        average[i] += part * (values[i] - average[i]);
}

void average_step(real *average, const real *values, double memory, long update, size_t begin, size_t end)
{
    const double startup = (1 + (double)update) / (10 + (double)update);
    move(average + begin, values + begin, end - begin, (real)(1 - (startup < memory ? startup : memory)));
}

double clip_scale(double norm, double clip_norm)
{
    return clip_norm > 0 && norm > clip_norm ? clip_norm / norm : 1;
}

double learning_rate(const struct config_training *config, long update, double done, double factor)
{
    double rate = config->learning_rate * factor;
    const double warmup = config->warmup > 0 ? config->warmup : 1;
    if (update < config->warmup)
        rate *= (double)update / warmup;
    else if (config->schedule == SCHEDULE_INVERSE_SQRT)
        rate *= sqrt(warmup / (double)update);
    else if (config->schedule == SCHEDULE_COSINE)
        rate *= 0.5 * (1 + cos(PI * fmin(done, 1)));
    if (config->cooldown > 0)
        rate *= fmin(fmax(1 - done, 0) / config->cooldown, 1);
    return rate;
}
