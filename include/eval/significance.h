/* significance: is the difference between two systems more than chance? Paired bootstrap resampling (Koehn
 * 2004) as sacreBLEU 2 does it, with the same samples of sentences (NumPy's generator, seed 12345), so that
 * the figures are the same. */
#ifndef NMT_SIGNIFICANCE_H
#define NMT_SIGNIFICANCE_H

#include <stddef.h>

#define BOOTSTRAP_SAMPLES 1000

/* indices [BOOTSTRAP_SAMPLES][sentences], each below `sentences` (at most 2^32 - 1). */
void bootstrap_indices(int *indices, size_t sentences);

struct interval {
    double mean, half_width; /* of the samples' scores, 95 % of them */
};

struct interval bootstrap_interval(const double *scores); /* [BOOTSTRAP_SAMPLES] */
/* Chance of a difference as large as that of the whole test set, if the systems were equally good; scores of
 * the same samples [BOOTSTRAP_SAMPLES] each. */
double bootstrap_p_value(const double *scores, const double *baseline_scores, double difference);

#endif
