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

/* What is the same for all weights in an update. */
struct optimizer_update {
    long number; /* from 1 */
    double learning_rate;
    real scale; /* that multiplies the gradients first (clipping) */
};

/* One for each choice of training.optimizer. */
struct optimizer_method {
    int moments;
    const char *names[OPTIMIZER_MOST_MOMENTS]; /* in a checkpoint */
    void (*step)(real *values, const real *grads, const struct optimizer *optimizer,
                 const struct optimizer_update *update, size_t begin, size_t end);
};

struct optimizer {
    const struct optimizer_method *kind;
    double beta1, beta2, weight_decay;
    real *moments[OPTIMIZER_MOST_MOMENTS]; /* [layout total] each */
};

/* Moments of `total` zeros. */
void optimizer_init(struct optimizer *optimizer, const struct config_training *config, size_t total);
void optimizer_release(struct optimizer *optimizer);
/* Updates values [begin, end). */
void optimizer_step(real *values, const real *grads, const struct optimizer *optimizer,
                    const struct optimizer_update *update, size_t begin, size_t end);

/* Moving average of the weights (Polyak and Juditsky 1992), begin to end: θ̄ += (1 - d)(θ - θ̄) with
 * d = min(memory, (1 + t) / (10 + t)) in update t, so that the random weights of the start are soon
 * forgotten. */
void average_step(real *average, const real *values, double memory, long update, size_t begin, size_t end);

/* What gradients of that norm are multiplied with, so that it is at most clip_norm (Pascanu et al. 2013);
 * 0: 1. */
double clip_scale(double norm, double clip_norm);

/* The learning rate of an update (from 1) by the config's schedule; `done` is the part of the training that
 * lies behind, 0 to 1; `factor` is what plateaus and rollbacks have left of the rate. */
double learning_rate(const struct config_training *config, long update, double done, double factor);
/* Probability that the decoder reads the right word in an update: 1 without scheduled sampling; with scale k
 * and i = update, 1 - i / k, exp(-i / k) or k / (k + exp(i / k)), but not less than the config says. */
double teacher_forcing(const struct config_training *config, long update);

#endif
