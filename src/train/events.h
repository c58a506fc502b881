/* events: what happens in a training, as objects for its log (runlog.h). What reads them is history.c. */
#ifndef NMT_EVENTS_H
#define NMT_EVENTS_H

#include "checkpoint.h"
#include "corpus_file.h"
#include "json.h"
#include "validate.h"

/* A training begins or goes on: with which program, machine, files and sizes. */
struct json *event_start(const struct train_state *state, bool resumed, const char *version,
                         const struct workers *workers, const struct corpus_file *text);
/* `seconds`: that the update took. */
struct json *event_update(const struct train_state *state, const struct update_result *result, double rate,
                          double seconds);
struct json *event_validation(const struct train_state *state, const struct validation *validation,
                              const struct valid_set *set);
struct json *event_checkpoint(const struct train_state *state);
/* The state is that from before update `failed`. */
struct json *event_rollback(const struct train_state *state, long failed);
struct json *event_stop(const struct train_state *state, const char *reason);

#endif
