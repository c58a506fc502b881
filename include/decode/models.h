/* models: the models of a command: one, or an ensemble if several directories are given. */
#ifndef NMT_MODELS_H
#define NMT_MODELS_H

#include "backward.h"
#include "ensemble.h"
#include "parseopt.h"

struct models {
    struct loaded_model *loaded; /* [count], at most MOST_MEMBERS */
    int count;
    struct backward *backward; /* ranks their translations, too; or NULL */
};

/* Opens the directories, or without any, the one of loaded_model_choose. `settings` override keys of
 * `decoding` in the first one's config. On failure there is nothing to close. */
int models_open(struct models *models, const struct string_list *given, const struct string_list *settings,
                struct err *err);
/* Opens the model of --backward-model, if there is one (backward_open). On failure the models stay open. */
int models_open_backward(struct models *models, const char *path, int threads, struct err *err);
void models_close(struct models *models);
/* Overrides keys of `decoding` in a model's config; -1 if one is not, or its value is not allowed. */
int loaded_model_set(struct loaded_model *loaded, const struct string_list *settings, struct err *err);

#endif
