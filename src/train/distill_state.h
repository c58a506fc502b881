/* distill_state: what is done of a distillation, in a file of JSON that is replaced as a whole:
 *
 *     {"version": 3, "forward": 1, "right-to-left": 1, "backward": 1, "students": 1, "minutes": 150,
 *      "text": CHECKSUM, "chosen": 0, "finished": false,
 *      "done": [{"step": "forward-1", "seconds": 812.5, "minutes": 13.5}, …],
 *      "open": {"step": "translate-forward-1", "seconds": 20.1, "minutes": 0,
 *               "lines": 8192, "bytes": 412345}} */
#ifndef NMT_DISTILL_STATE_H
#define NMT_DISTILL_STATE_H

#include "distill.h"

#include <stdint.h>

#define STEP_NAME_BYTES 32

extern const char *const teacher_kinds[TEACHER_KINDS]; /* their names, in options, steps and paths, too */

struct distill_step_done {
    char name[STEP_NAME_BYTES];
    double seconds, minutes; /* taken; the limit of a training that was made without a stop, or 0 */
};

struct distill_state {
    char *path;
    struct distill_options options;
    uint64_t text; /* checksum of all that the trainings read (distill_configs.h) */
    int chosen;    /* the student that becomes the model; 0: not chosen yet */
    bool finished;
    struct distill_step_done *done; /* [count] */
    size_t count, capacity;
    struct distill_step_done open; /* the step that has begun, and its seconds so far; "": none */
    int64_t lines, bytes;          /* of an open translation: how much of its output is on the disk */
};

/* That of a directory of a distillation in which nothing is done. */
void distill_state_init(struct distill_state *state, const char *dir);
void distill_state_release(struct distill_state *state);
/* Initialises the state and loads it; on failure there is nothing to release. */
int distill_state_load(struct distill_state *state, const char *dir, struct err *err);
int distill_state_save(const struct distill_state *state, struct err *err);
/* The step, if it is done, or NULL. */
const struct distill_step_done *distill_state_find(const struct distill_state *state, const char *step);
/* Is the step open? */
bool distill_state_is_open(const struct distill_state *state, const char *step);
/* Opens a step with a limit of time, unless it is open already, and saves. */
int distill_state_begin(struct distill_state *state, const char *step, double minutes, struct err *err);
/* Enters the open step as done, and saves. */
int distill_state_end(struct distill_state *state, double seconds, struct err *err);

#endif
