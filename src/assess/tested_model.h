/* tested_model: a model, its training, and its results on a test set. */
#ifndef NMT_TESTED_MODEL_H
#define NMT_TESTED_MODEL_H

#include "history.h"
#include "metrics.h"
#include "model_dir.h"
#include "report.h"
#include "test_set.h"

/* All zero is an empty one. */
struct tested_model {
    const struct loaded_model *loaded;
    char *name; /* on pages; owned */
    const struct history *history;
    struct translated translated;
    struct metrics metrics;
    struct perplexity perplexity;
    double error_rate; /* of the alignment; NAN if unknown */
};

/* Of one that is empty but for its name: scores a model with the metrics that all models of a report have. */
int tested_model_init(struct tested_model *tested, const struct loaded_model *loaded,
                      const struct history *history, const struct test_set *set,
                      const struct metric_options *scoring, const struct report_settings *settings,
                      struct err *err);
void tested_model_release(struct tested_model *tested);

#endif
