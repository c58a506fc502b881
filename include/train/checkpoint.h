/* checkpoint: everything that a training needs to go on as if it had never stopped, one safetensors file each
 * in model_dir/checkpoints; and which of them are kept. */
#ifndef NMT_CHECKPOINT_H
#define NMT_CHECKPOINT_H

#include "workers.h"

#define CHECKPOINT_FOLDER "checkpoints"
#define CHECKPOINT_MAX_BEST 1000

/* A validated update and its score (higher is better). */
struct best_entry {
    long update;
    double score;
};

/* Where a training stands. */
struct train_state {
    long update; /* done so far */
    long epoch;  /* from 0 */
    long part;   /* of the training text, from 0 */
    long batch;  /* next one of the part */
    double rate_factor;
    int rollbacks;
    int bad_validations; /* since the best one */
    int since_halving;   /* validations without a better one since the last halving */
    long last_update;    /* where the training ends for want of better validations; 0: not yet known */
    double baseline;     /* as of workers */
    double seconds;      /* of training, over all runs */
    long target_tokens;
    struct best_entry best[CHECKPOINT_MAX_BEST]; /* best first */
    int best_count;
};

void train_state_init(struct train_state *state);
/* Enters a validation; keeps the `keep` best. True where it is the best so far. */
bool train_state_enter(struct train_state *state, double score, int keep);

/* Writes checkpoints/update-N.safetensors for state->update and removes those no longer to be kept. */
int checkpoint_save(const char *model_dir, const struct workers *workers, const struct train_state *state,
                    struct err *err);
/* Removes all but the newest `keep_last`, two at least while a training has not ended, and the best
 * `keep_best` where there are several: the best one alone is the model. */
void checkpoint_remove_old(const char *model_dir, const struct train_state *state,
                           const struct config_training *training, bool ended);
bool checkpoint_exists(const char *model_dir);
/* Loads the newest checkpoint that is whole; warns of one that is not. */
int checkpoint_load_newest(const char *model_dir, struct workers *workers, struct train_state *state,
                           struct err *err);
/* Removes the checkpoint of `update`, where there is an older one to fall back on. */
int checkpoint_discard(const char *model_dir, long update, struct err *err);
/* 0 where there are as many as `count`; 0: two at least. */
int checkpoint_check_average(const char *model_dir, int count, struct err *err);
/* values = mean of the weights of the newest `count` checkpoints (0: of all); returns how many, or -1. */
int checkpoint_average(real *values, const char *model_dir, const struct layout *layout, int count,
                       struct err *err);
/* Removes all of them, for a new start. */
int checkpoint_remove_all(const char *model_dir, struct err *err);

#endif
