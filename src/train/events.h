/* events: the events of a training as objects for its log (runlog.h). history.c reads them. */
#ifndef NMT_EVENTS_H
#define NMT_EVENTS_H

#include "checkpoint.h"
#include "corpus_file.h"
#include "json.h"
#include "validate.h"

/* A training starts or is resumed: program, machine, files, sizes. */
struct json *event_start(const struct train_state *state, bool resumed, const char *version,
                         const struct workers *workers, const struct corpus_file *text);
/* Adds to the start what has been chosen for keys that are auto: lines of a key, a blank and its value. */
void event_add_choices(struct json *event, const char *chosen);
/* `seconds`: the duration of the update. */
struct json *event_update(const struct train_state *state, const struct update_result *result, double rate,
                          double seconds);
struct json *event_validation(const struct train_state *state, const struct validation *validation,
                              const struct valid_set *set);
struct json *event_checkpoint(const struct train_state *state);
/* `state` is that of the checkpoint to which the training went back when update `failed` diverged. */
struct json *event_rollback(const struct train_state *state, long failed);
/* Files that the training depended on, whose names are to be appended to "files", are removed. */
struct json *event_removed(void);
struct json *event_stop(const struct train_state *state, const char *reason);

#endif
