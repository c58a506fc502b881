/* report: HTML pages about models: training data, learning curves, test scores, attention. Each page is
 * one self-contained file. */
#ifndef NMT_REPORT_H
#define NMT_REPORT_H

#include "chart.h"
#include "models.h"
#include "parseopt.h"

#define REPORT_FILE "report.html"
#define REPORT_MOST_MODELS CHART_COLORS /* each has a curve */

/* -1 if a directory has another program's page where a report would be written. */
int report_check_directory(const char *dir, struct err *err);
/* Writes the page of a model directory during training, from its log. */
int report_training(const struct config *config, struct err *err);

struct report_settings {
    const char *output; /* NULL: REPORT_FILE in the model directory */
    const char *source; /* NULL: the test set of the first model's config */
    const char *links;  /* reference links of the test set's words, or NULL */
    struct string_list references;
    int threads;
};

/* Writes all sections for one model, or for several models, at most REPORT_MOST_MODELS, those that compare
 * them. Returns the path, which the caller frees; NULL on failure. */
char *report_models(const struct models *models, const struct report_settings *settings, struct err *err);

/* Writes the learning curves of models as CSV: a row for each update and validation in their logs. -1 if a
 * model has no log. */
int report_curves(const struct models *models, const char *path, struct err *err);

#endif
