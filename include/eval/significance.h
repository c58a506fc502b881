/* significance: is the difference between two systems more than chance? Paired bootstrap resampling (Koehn
 * 2004) as sacreBLEU 2 does it, with the same samples of sentences (NumPy's generator, seed 12345), so that
 * the figures are the same. */
#ifndef NMT_SIGNIFICANCE_H
#define NMT_SIGNIFICANCE_H

#include "metrics.h"

#include <stddef.h>

#define BOOTSTRAP_SAMPLES 1000

/* Scores of test sets that are drawn, with replacement, from the sentences of one: of any two systems the
 * same sentences. */
struct bootstrap {
    double scores[METRIC_COUNT][BOOTSTRAP_SAMPLES];
};

/* What each of 1 to 2^32 - 1 sentences counts; `empty` is of metrics_init. */
void bootstrap_draw(struct bootstrap *bootstrap, const struct metrics *sentences, size_t count,
                    const struct metrics *empty);

struct interval {
    double mean, half_width; /* of the samples' scores, 95 % of them */
};

/* Of two systems' scores in one metric, [BOOTSTRAP_SAMPLES] each. */
struct interval bootstrap_interval(const double *scores);
/* Chance of a difference as large as that of the whole test set, if the systems were equally good. */
double bootstrap_p_value(const double *scores, const double *baseline_scores, double difference);
/* How far the difference is off, for the choice of sentences: its standard deviation over the samples. */
double bootstrap_standard_error(const double *scores, const double *baseline_scores);

#endif
