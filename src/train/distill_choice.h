/* distill_choice: what logs say of trainings, and the best of several students, which becomes the model. */
#ifndef NMT_DISTILL_CHOICE_H
#define NMT_DISTILL_CHOICE_H

#include "config.h"
#include "err.h"

#include <stdbool.h>

/* The validation of a model's weights. */
struct distill_score {
    double score; /* by the config's metric, higher is better; -INFINITY if there was none */
    double perplexity;
};

int distill_load_score(struct distill_score *score, const char *model_dir, const struct config *config,
                       struct err *err);
/* Perplexity decides between scores that tell nothing (train_state_tells_nothing). */
bool distill_is_better(const struct distill_score *a, const struct distill_score *b);

/* How long the training in a directory has taken by its log; 0 if it has none. */
int distill_logged_seconds(double *seconds, const char *model_dir, struct err *err);

/* Moves the model in `student`, whatever of it has not been moved yet, to config->model_dir. */
int distill_take_student(const struct config *config, const char *student, struct err *err);

#endif
