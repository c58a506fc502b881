/* models: the models of a command: one, or an ensemble if several directories are given. */
#ifndef NMT_MODELS_H
#define NMT_MODELS_H

#include "ensemble.h"
#include "judge.h"
#include "parseopt.h"

struct models {
    struct loaded_model *loaded; /* [count], at most MOST_MEMBERS */
    int count;
    struct judges judges; /* other models, which judge their translations */
};

/* Opens the directories, or without any, the one of loaded_model_choose. `settings` override keys of
 * `decoding` in the first one's config. On failure there is nothing to close. */
int models_open(struct models *models, const struct string_list *given, const struct string_list *settings,
                struct err *err);
/* The same, and opens the models that judge, too (judges_open). */
int models_open_judged(struct models *models, const struct string_list *given,
                       const struct string_list *settings, const char *const judges[JUDGE_KINDS], int threads,
                       struct err *err);
void models_close(struct models *models);
/* Overrides keys of `decoding` in a model's config; -1 if one is not, or its value is not allowed. */
int loaded_model_set(struct loaded_model *loaded, const struct string_list *settings, struct err *err);

#endif
