/* tuning: chooses the beam search settings with which a model or an ensemble translates its validation set
 * best. */
#ifndef NMT_TUNING_H
#define NMT_TUNING_H

#include "models.h"

#define TUNING_MAX_BEAM 12

struct tuning_settings {
    int max_beam, threads;
    bool keep; /* leave config.json unchanged */
};

/* Tunes by the rule of tuning_search.h, with a search each time the beam changes: penalties only rerank
 * hypotheses. The chosen settings are left in the config of the first model and, for a single model
 * without `keep`, written to its config.json: those of an ensemble may not suit its members. 1, with a
 * warning, if the validation set is too small to choose by. */
int tuning_run(struct models *models, const struct tuning_settings *settings, struct err *err);

#endif
