/* train_command: what the commands that train have in common: checks, signals, and what follows. */
#ifndef NMT_TRAIN_COMMAND_H
#define NMT_TRAIN_COMMAND_H

#include "config.h"
#include "err.h"
#include "trainer.h"

#include <signal.h>

/* EXIT_DONE if a training with this config, from the file `path`, would not use a stream twice, not write
 * over its text, not train in the directory that a model was copied from, not write into a packed model, and,
 * unless it is resumed, could read its test set at the end; else the exit status, after a message on standard
 * error. */
int train_check_files(const struct config *config, const char *path, enum train_start start);

/* EXIT_DONE unless a model in a directory that has none would overwrite the config `path`, in the place of
 * its own one, which has all keys, or a file of another program; else the exit status, after a message. */
int train_check_overwritten(const struct config *config, const char *path);

/* The last SIGINT, SIGTERM or SIGHUP after train_catch_signals, or 0. The same one again has its default
 * action, which ends the program. */
extern volatile sig_atomic_t train_signal;

void train_catch_signals(void);
/* From here on, a signal ends the program. */
void train_let_signals(void);

/* Writes the report of a training that goes on; warns if that fails. */
void train_report_progress(const struct config *config);
/* Tunes the model in the config's directory, if the config says so, and writes its final report. It is opened
 * as nmt translate does. The training is already saved, so that a signal may end the program at once. */
int train_tune_and_report(const struct config *config, struct err *err);

#endif
