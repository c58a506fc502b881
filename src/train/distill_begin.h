/* distill_begin: begins a distillation, or takes up one that was begun. */
#ifndef NMT_DISTILL_BEGIN_H
#define NMT_DISTILL_BEGIN_H

#include "distill_configs.h"
#include "distill_steps.h"

struct distill {
    struct config *config;  /* the student's */
    struct config *teacher; /* the teachers', but for what is each one's own */
    const char *version, *dir;
    const struct distill_watch *watch;
    struct distill_text text;
    struct distill_state state;
    struct distill_steps steps;
};

/* Takes the options, or their defaults where they are not given, reads the text and lists the steps, before
 * anything is made or removed. -1 if one of them is of no use, or the disk has too little room. `removes`:
 * what is in the model directory will be removed before the first step. */
int distill_prepare(struct distill *d, const struct distill_options *options, bool removes, struct err *err);
/* Begins what is prepared. Like distill_resume, it needs dir to be locked. */
int distill_begin(struct distill *d, struct err *err);
/* Lists the steps. Loads the state, and refuses a config, options or text with which what is done would be
 * other. */
int distill_resume(struct distill *d, const struct distill_options *given, struct err *err);
/* Reads the text anew; -1 if it is not that which the distillation was begun with. */
int distill_check_text(struct distill *d, struct err *err);

#endif
