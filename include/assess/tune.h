/* tune: the settings of beam search with which a model or an ensemble translates the validation set best. */
#ifndef NMT_TUNE_H
#define NMT_TUNE_H

#include "models.h"

#define TUNE_MAX_BEAM 12

struct tune_settings {
    int max_beam, threads;
    bool keep; /* the model's config as it is */
};

/* By the rule of tuning.h, with one search for each beam: penalties only rank what it finds. The chosen
 * settings are left in the config of the first model and, but for `keep`, written into its config.json: not
 * those of an ensemble, as the model alone may want others. */
int tune(struct models *models, const struct tune_settings *settings, struct err *err);

#endif
