/* trainer: the whole of `nmt train`: prepares the corpora, then epoch after epoch updates, validates, saves.
 */
#ifndef NMT_TRAINER_H
#define NMT_TRAINER_H

#include "config.h"
#include "err.h"
#include "ranks.h"

#include <signal.h>

enum train_start {
    TRAIN_NEW,     /* the model directory holds no model */
    TRAIN_RESUME,  /* go on from its newest checkpoint */
    TRAIN_RESTART, /* throw away what it holds */
};

/* True where the directory holds a model or a checkpoint. */
bool trainer_has_model(const char *model_dir);

/* Removes what a training has made of text, weights and log, so that another model can take the directory. */
int trainer_remove_model(const char *model_dir, struct err *err);

/* Who wants to know how a training goes; each may be NULL. */
struct trainer_watch {
    void (*begins)(void); /* text and network are ready; until then a signal has nothing to lose */
    void (*validated)(const struct config *config); /* log and checkpoint are written */
};

/* Trains until the config's limits, patience, or until *signal_number is not 0. -1 and err on failure.
 * `version` is the program's, for the log and the metrics' signatures. All ranks call it alike; what a
 * training makes is read and written by the first one alone; the training text that is prepared in the model
 * directory is read by all. */
int trainer_run(const struct config *config, enum train_start start, const char *version,
                const struct trainer_watch *watch, const volatile sig_atomic_t *signal_number,
                const struct ranks *ranks, struct err *err);

#endif
