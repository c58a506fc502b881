/* checkpoint: everything needed to resume a training exactly, one safetensors file each in
 * model_dir/checkpoints; and which of them to keep. */
#ifndef NMT_CHECKPOINT_H
#define NMT_CHECKPOINT_H

#include "workers.h"

#define CHECKPOINT_FOLDER "checkpoints"
#define CHECKPOINT_MAX_BEST 1000

/* A validated update, its score (higher is better) and its perplexity. */
struct best_entry {
    long update;
    double score, perplexity;
};

#define TRAIN_UNSCORED 1 /* a run without validation text has replaced the model */

/* The progress of a training. */
struct train_state {
    long update; /* number of updates done */
    long epoch;  /* from 0 */
    long part;   /* of the training text, from 0 */
    long batch;  /* the next one in the part */
    double rate_factor;
    int rollbacks;
    int bad_validations;      /* in a row, neither the best by its score nor of clearly lower perplexity */
    double lowest_perplexity; /* that bad_validations compares with; 0: none yet */
    int since_halving;        /* since the last halving, without a better one */
    long last_update;         /* when the training ends for lack of better validations; 0: not yet known */
    double baseline;          /* see workers */
    double seconds;           /* of training, over all runs */
    long target_tokens;
    long validated; /* the last update that was validated; -1: not known */
    /* TRAIN_UNSCORED, or a checksum of what scores of validations depend on; 0: not known */
    double scored_with;
    struct best_entry best[CHECKPOINT_MAX_BEST]; /* best first */
    int best_count;
};

void train_state_init(struct train_state *state);
/* The epoch that the last update was part of, from 1, or the next one where a part of that drew no pair; 0
 * before the first. */
long train_state_epoch(const struct train_state *state);
/* Enters a validation; keeps the `keep` best by score. True if it is the best so far. */
bool train_state_enter(struct train_state *state, double score, double perplexity, int keep);
/* Is a score a BLEU of chance, as that of short phrases, or of few sentences in the first epochs? Perplexity
 * decides between two of these. */
bool train_state_tells_nothing(double score);
/* Patience is as if there had been no validations; the best of them stay. */
void train_state_restart_patience(struct train_state *state);
/* Later validations are not compared with those that were entered. */
void train_state_forget(struct train_state *state);
/* Halves the rate, at a plateau, down to the least factor that a checkpoint can have. */
void train_state_halve_rate(struct train_state *state);
/* Rollbacks and plateaus have not reduced the rate. */
void train_state_restart_rate(struct train_state *state);

/* Writes checkpoints/update-N.safetensors for state->update, and removes old ones. */
int checkpoint_save(const char *model_dir, const struct workers *workers, const struct train_state *state,
                    struct err *err);
/* Removes all checkpoints but the newest `keep_last` (at least two unless the training has ended) and the
 * best `keep_best` (if more than one: the single best is the model). */
void checkpoint_remove_old(const char *model_dir, const struct train_state *state,
                           const struct config_training *training, bool ended);
/* 1 if there is one, 0 if not; -1 if that cannot be read. */
int checkpoint_exists(const char *model_dir, struct err *err);
/* Loads the newest intact checkpoint; warns of damaged ones. */
int checkpoint_load_newest(const char *model_dir, struct workers *workers, struct train_state *state,
                           struct err *err);
/* Removes the checkpoint of `update` if there is an older one to fall back on. */
int checkpoint_discard(const char *model_dir, long update, struct err *err);
/* 0 if there are at least `count` checkpoints to average; `count` 0 means two. That of before the first
 * update is one of them only if its weights are those of another model (training.init_from), not random. */
int checkpoint_check_average(const char *model_dir, const struct config *config, int count, struct err *err);
/* values = mean of the weights of the newest `count` of them (0: all); returns how many, or -1. */
int checkpoint_average(real *values, const char *model_dir, const struct config *config,
                       const struct layout *layout, int count, struct err *err);
/* Removes all of them. */
int checkpoint_remove_all(const char *model_dir, struct err *err);

#endif
