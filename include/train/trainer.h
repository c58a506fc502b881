/* trainer: all of `nmt train`: prepares the corpora; then updates, validates and saves, epoch after epoch. */
#ifndef NMT_TRAINER_H
#define NMT_TRAINER_H

#include "config.h"
#include "err.h"
#include "prepare.h"
#include "ranks.h"

#include <signal.h>

enum train_start {
    TRAIN_NEW,     /* the model directory has no model yet */
    TRAIN_RESUME,  /* continue from its newest checkpoint */
    TRAIN_RESTART, /* remove its model first */
};

/* Does the directory hold a model or a checkpoint? 1, 0, or -1 if that cannot be read. */
int trainer_has_model(const char *model_dir, struct err *err);

/* -1 if a directory without a model has another program's file in the place of a config or log, or has
 * neither of them but files in the place of subwords, vocabularies and the like. */
int trainer_check_directory(const char *dir, struct err *err);

/* -1 if `training.init_from` is the model in `model_dir`, of which nothing would be left on the disk between
 * its removal and the first checkpoint. */
int trainer_check_restart(const struct config *config, struct err *err);

/* -1 if this processor cannot train with `training.precision`. */
int trainer_check_processor(const struct config *config, struct err *err);

/* -1 if `training.init_from` is given and its model does not fit the network of the config. */
int trainer_check_init_from(const struct config *config, struct err *err);

/* Tells what of the training text the words of `training.init_from` cannot write (prepare_find_unknown), if
 * this training would have its words. */
int trainer_find_unknown(const struct config *config, const char *dir, unknown_taker *take, void *context,
                         struct err *err);

/* Removes a training's weights, log, checkpoints, subwords and vocabularies, so that another model can use
 * the directory. Its config, prepared text and report stay. */
int trainer_remove_model(const char *model_dir, struct err *err);

#define AVERAGED_FOLDER ".averaged" /* in the model directory, for an average until it is complete */
/* Removes that of an nmt average that was killed. */
void trainer_remove_averaged(const char *model_dir);

/* Callbacks during a training; each may be NULL. */
struct trainer_watch {
    void (*begins)(void); /* text and network are ready; before, a signal may end the program */
    void (*validated)(const struct config *config); /* log and checkpoint are written */
};

/* Trains until a limit of the config, patience, or until *signal_number is not 0. -1 and err on failure.
 * `version` is the program's, for the log and for checking that all ranks run the same. Called by all ranks.
 * Only rank 0 reads checkpoints and writes the training's files. All ranks read the prepared text in the
 * model directory (and make it where it is missing or outdated) and, to resume, its config, log and words. */
int trainer_run(const struct config *config, enum train_start start, const char *version,
                const struct trainer_watch *watch, const volatile sig_atomic_t *signal_number,
                const struct ranks *ranks, struct err *err);

#endif
