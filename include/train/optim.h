/* optim: how gradients g become steps of the weights θ, over blocks of one layout.
 *
 *   adam      m = β₁ m + (1 - β₁) g      v = β₂ v + (1 - β₂) g²
 *             Δ = (m / (1 - β₁ᵗ)) / (√(v / (1 - β₂ᵗ)) + 10⁻⁸)        (Kingma and Ba 2015, arXiv:1412.6980)
 *   sgd       m = β₁ m + g                Δ = m                      (momentum: Polyak 1964)
 *   adadelta  v = β₂ v + (1 - β₂) g²      Δ = √(u + 10⁻⁶) / √(v + 10⁻⁶) g
 *             u = β₂ u + (1 - β₂) Δ²                                 (Zeiler 2012, arXiv:1212.5701)
 *
 * and then θ -= η (Δ + λ θ): learning rate η, decoupled weight decay λ (Loshchilov and Hutter 2019,
 * arXiv:1711.05101). */
#ifndef NMT_OPTIM_H
#define NMT_OPTIM_H

#include "config.h"
#include "real.h"

#include <stddef.h>

#define OPTIMIZER_MOST_MOMENTS 2

struct optimizer;

/* What all weights have in common in an update. */
struct optimizer_update {
    long number; /* from 1 */
    double learning_rate;
    real scale; /* factor on the gradients (clipping) */
};

/* One for each choice of training.optimizer. */
struct optimizer_method {
    int moments;
    const char *names[OPTIMIZER_MOST_MOMENTS]; /* names in a checkpoint */
    void (*step)(real *values, const real *grads, const struct optimizer *optimizer,
                 const struct optimizer_update *update, size_t begin, size_t end);
};

struct optimizer {
    const struct optimizer_method *kind;
    double beta1, beta2, weight_decay;
    real *moments[OPTIMIZER_MOST_MOMENTS]; /* [layout total] each */
};

/* Initialises the moments, of `total` values each, to zero. */
void optimizer_init(struct optimizer *optimizer, const struct config_training *config, size_t total);
void optimizer_release(struct optimizer *optimizer);
/* Updates values [begin, end). */
void optimizer_step(real *values, const real *grads, const struct optimizer *optimizer,
                    const struct optimizer_update *update, size_t begin, size_t end);

/* Moving average of the weights (Polyak and Juditsky 1992) in [begin, end): θ̄ += (1 - d)(θ - θ̄) with d =
 * min(memory, (1 + t) / (10 + t)) in update t, so that the random initial weights are soon forgotten. */
void average_step(real *average, const real *values, double memory, long update, size_t begin, size_t end);

/* The factor on gradients of that norm which limits it to clip_norm (Pascanu et al. 2013); 1 if clip_norm
 * is 0. */
double clip_scale(double norm, double clip_norm);

/* The learning rate of an update (from 1) by the config's schedule; `done`: how much of the training is
 * done, 0 to 1; `factor`: reductions by plateaus and rollbacks. */
double learning_rate(const struct config_training *config, long update, double done, double factor);

#endif
