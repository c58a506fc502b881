/* report: pages about models: what they were trained on, how they learned, what they can do, what they look
 * at. Each page is one file that needs nothing else. */
#ifndef NMT_REPORT_H
#define NMT_REPORT_H

#include "models.h"
#include "parseopt.h"

#define REPORT_FILE "report.html"
#define REPORT_MOST_MODELS 8

/* Of a model directory, what its log tells: the page while it is in training. */
int report_training(const struct config *config, struct err *err);

struct report_settings {
    const char *output;    /* NULL: REPORT_FILE in the model directory */
    const char *source;    /* NULL: the test set of the first model's config */
    const char *alignment; /* right links of the test set, or NULL */
    struct string_list references;
    int threads;
};

/* Of one model everything; of several what sets them apart. Returns the path written, which the caller frees;
 * NULL on failure. */
char *report_models(const struct models *models, const struct report_settings *settings, struct err *err);

#endif
