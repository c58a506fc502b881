/* distill_choice: what logs say of trainings, and the best of several students, which becomes the model. */
#ifndef NMT_DISTILL_CHOICE_H
#define NMT_DISTILL_CHOICE_H

#include "config.h"
#include "err.h"
#include "train_state.h"

/* The validation of a model's weights, by the config's metric; -INFINITY if there was none. */
int distill_load_score(struct scored_update *score, const char *model_dir, const struct config *config,
                       struct err *err);

/* How long the training in a directory has taken by its log; 0 if it has none. */
int distill_logged_seconds(double *seconds, const char *model_dir, struct err *err);

/* Moves the model in `student`, whatever of it has not been moved yet, to config->model_dir. */
int distill_take_student(const struct config *config, const char *student, struct err *err);

#endif
