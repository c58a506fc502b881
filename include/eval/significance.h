/* significance: is the difference between two systems more than chance? Paired bootstrap resampling (Koehn
 * 2004) as in sacreBLEU 2, with the same samples of sentences (NumPy's generator, its seed), and so the same
 * figures. */
#ifndef NMT_SIGNIFICANCE_H
#define NMT_SIGNIFICANCE_H

#include "metrics.h"

#include <stddef.h>

#define BOOTSTRAP_SAMPLES 1000
#define BOOTSTRAP_SEED 12345

/* Scores of samples drawn with replacement from a test set's sentences, the same sentences for all
 * systems. */
struct bootstrap {
    double scores[PLACE_COUNT][BOOTSTRAP_SAMPLES];
};

/* Scores the samples of a system, given each sentence's counts; count is 1 to 2^32 - 1; `empty` comes from
 * metrics_init. */
void bootstrap_draw(struct bootstrap *bootstrap, const struct metrics *sentences, size_t count,
                    const struct metrics *empty);

struct interval {
    double mean, half_width; /* mean of the samples' scores, and half of their 95 % interval */
};

void interval_set_json(struct json *metric, const struct interval *interval); /* "mean", "half_width" */

/* The interval of one system's scores [BOOTSTRAP_SAMPLES] in one metric. */
struct interval bootstrap_interval(const double *scores);
/* The probability of a difference as large as that of the whole test set if the systems were equally good:
 * 1 where nothing differs, of which sacreBLEU, which counts larger differences alone, says 0.001. */
double bootstrap_p_value(const double *scores, const double *baseline_scores, double difference);
/* The standard error of the difference: its standard deviation over the samples. */
double bootstrap_standard_error(const double *scores, const double *baseline_scores);

#endif
