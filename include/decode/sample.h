/* sample: draws the next word at random, for exploring a model, or for teachers that are to vary. */
#ifndef NMT_SAMPLE_H
#define NMT_SAMPLE_H

#include "real.h"

struct sample_options {
    double temperature; /* probabilities are raised to 1 / this */
    int top_k;          /* only this many of the most probable words (Fan et al. 2018); 0: all */
    double nucleus; /* only the most probable words that reach this total (Holtzman et al. 2020); 1: all */
};

/* A word and its weight. */
struct weighted_word {
    real weight;
    int id;
};

/* The word at `u` in [0, 1) of the truncated distribution; -1 if no weight is positive (NaN is not), or their
 * sum is not finite. weights [vocabulary]: of any sum, before temperature. words [vocabulary]: scratch. */
int sample_word(struct weighted_word *words, const real *weights, int vocabulary,
                const struct sample_options *options, double u);

#endif
