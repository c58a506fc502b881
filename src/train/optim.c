#include "optim.h"

#include "vecmath.h"

#include <math.h>

#define EPSILON 1e-8
#define PI 3.14159265358979323846

VEC_CLONES static void step(real *restrict values, const real *restrict grads, real *restrict m,
                            real *restrict v, size_t count, real scale, real beta1, real beta2, real rate,
                            real root_correction, real kept)
{
    for (size_t i = 0; i < count; i++) {
        const real g = grads[i] * scale;
        m[i] = beta1 * m[i] + (1 - beta1) * g;
        v[i] = beta2 * v[i] + (1 - beta2) * g * g;
        values[i] = kept * values[i] - rate * m[i] / ((real)sqrtf(v[i]) * root_correction + (real)EPSILON);
    }
}

void adam_step(real *values, const real *grads, const struct adam *adam, double learning_rate, long update,
               real scale, size_t begin, size_t end)
{
    const double correction1 = 1 - pow(adam->beta1, (double)update);
    const double correction2 = 1 - pow(adam->beta2, (double)update);
    step(values + begin, grads + begin, adam->m + begin, adam->v + begin, end - begin, scale,
         (real)adam->beta1, (real)adam->beta2, (real)(learning_rate / correction1),
         (real)(1 / sqrt(correction2)), (real)(1 - learning_rate * adam->weight_decay));
}

VEC_CLONES static void move(real *restrict average, const real *restrict values, size_t count, real part)
{
    for (size_t i = 0; i < count; i++)
        average[i] += part * (values[i] - average[i]);
}

void average_step(real *average, const real *values, double memory, long update, size_t begin, size_t end)
{
    const double early = (1 + (double)update) / (10 + (double)update);
    move(average + begin, values + begin, end - begin, (real)(1 - (early < memory ? early : memory)));
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
        return rate * (double)update / warmup;
    if (config->schedule == SCHEDULE_INVERSE_SQRT)
        rate *= sqrt(warmup / (double)update);
    if (config->schedule == SCHEDULE_COSINE)
        rate *= 0.5 * (1 + cos(PI * (done < 1 ? done : 1)));
    return rate;
}
