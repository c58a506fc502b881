/* distill_begin: begins a distillation, or takes up one that was begun. */
#ifndef NMT_DISTILL_BEGIN_H
#define NMT_DISTILL_BEGIN_H

#include "distill_configs.h"
#include "distill_steps.h"

struct distill {
    const struct config *config;  /* the student's */
    const struct config *teacher; /* the teachers', but for what is each one's own */
    const char *version, *dir;
    const struct distill_watch *watch;
    struct distill_text text;
    struct distill_state state;
    struct distill_steps steps;
};

/* Sets options that are not given to their defaults. -1 if the config does not suit them. */
int distill_options_complete(struct distill_options *options, const struct config *config, struct err *err);

/* Both need the configs and dir, which is locked, and list the steps. To begin, `text` must have been read,
 * and options be complete; it is refused where the disk has too little room. */
int distill_begin(struct distill *d, const struct distill_options *options, struct err *err);
/* Loads the state, and refuses a config, options or text with which what is done would be other. */
int distill_resume(struct distill *d, const struct distill_options *given, struct err *err);

#endif
