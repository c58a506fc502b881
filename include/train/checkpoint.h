/* checkpoint: everything needed to resume a training exactly, one safetensors file each in
 * model_dir/checkpoints; and which of them to keep. */
#ifndef NMT_CHECKPOINT_H
#define NMT_CHECKPOINT_H

#include "train_state.h"
#include "workers.h"

#define CHECKPOINT_FOLDER "checkpoints"

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
