/* tune: the settings of beam search that translate a model's validation set best. */
#ifndef NMT_TUNE_H
#define NMT_TUNE_H

#include "translate.h"

#define TUNE_MAX_BEAM 12

struct tune_settings {
    int max_beam, threads;
    bool keep; /* the model's config as it is */
};

/* Tries one setting after the other and says what each gives; the best ones are left in loaded->config and,
 * but for `keep`, written into the model's config.json. */
int tune(struct loaded_model *loaded, const struct tune_settings *settings, struct err *err);

#endif
