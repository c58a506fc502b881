/* tuning: the settings of beam search with which a model or an ensemble translates its validation set best. */
#ifndef NMT_TUNING_H
#define NMT_TUNING_H

#include "models.h"

#define TUNING_MAX_BEAM 12

struct tuning_settings {
    int max_beam, threads;
    bool keep; /* the model's config as it is */
};

/* By the rule of tuning_search.h, with one search for each beam: penalties only rank what it finds. The chosen
 * settings are left in the config of the first model and, but for `keep`, written into its config.json: not
 * those of an ensemble, as the model alone may want others. */
int tuning_run(struct models *models, const struct tuning_settings *settings, struct err *err);

#endif
