/* time_budget: the largest network that a training of limited time can train well.
 *
 * A training makes training_operations for each epoch (operations.h). How many it makes in a second follows
 * from the rate at which this machine multiplies matrices. */
#ifndef NMT_TIME_BUDGET_H
#define NMT_TIME_BUDGET_H

#include "config.h"
#include "mat.h"
#include "ranks.h"

#include <stddef.h>

/* The text of an epoch. */
struct epoch_text {
    double pairs, tokens;             /* of both sides, marks included */
    size_t vocabulary[2];             /* source, target */
    double valid_pairs, valid_tokens; /* of the validation text; 0: there is none */
};

/* Floating-point operations per second of products of that kind, forward and of both gradients, on all
 * threads of all ranks at once: the most of some moments. All ranks get the same number. Call mat_begin
 * before. */
double time_budget_rate(int threads, enum product_kind products, const struct ranks *ranks);
/* Operations per second of a training whose products have that rate, on a machine with that rate of products
 * in float32. */
double time_budget_training_rate(double float32, double products);
/* Sets training.precision, if it is auto: bfloat16 if its rate of products is higher by a quarter or more.
 * Returns the rate of the training. */
double time_budget_take_faster(struct config *config, double float32, double bf16);
/* The same with rates that it measures. Call mat_begin before. All ranks get the same. */
double time_budget_choose_products(struct config *config, int threads, const struct ranks *ranks);
/* The epochs that training.max_minutes has time for at that rate of the training, with their validations. */
double time_budget_epochs(const struct config *config, const struct epoch_text *text, double rate);
/* Is there a limit of time, and a key that is auto and depends on it? */
bool time_budget_matters(const struct config *config);
/* Sets dropout and warm-up, as far as auto, by these epochs and the limits of epochs and updates. */
void time_budget_fit(struct config *config, const struct epoch_text *text, double epochs);
/* Sets sizes, dropout and warm-up, as far as auto, by training.max_minutes, which must be above 0; returns
 * the epochs that it has time for then. */
double time_budget_choose(struct config *config, const struct epoch_text *text, double rate);

#endif
