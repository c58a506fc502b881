/* tuning: the settings of beam search with which a model or an ensemble translates its validation set best. */
#ifndef NMT_TUNING_H
#define NMT_TUNING_H

#include "models.h"

#define TUNING_MAX_BEAM 12

struct tuning_settings {
    int max_beam, threads;
    bool keep; /* leave config.json as it is */
};

/* Tunes by the rule of tuning_search.h, with one search per beam size, since penalties only rank the
 * hypotheses found. The chosen settings are left in the config of the first model and, without `keep`,
 * written into its config.json; not those of an ensemble, since the model alone may want others. */
int tuning_run(struct models *models, const struct tuning_settings *settings, struct err *err);

#endif
