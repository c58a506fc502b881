/* trainer_setup: what the files of the trainer have in common: trainer.c, the loop; trainer_setup.c, all that
 * stands before it; trainer_text.c, the sentence pairs that it is at. */
#ifndef NMT_TRAINER_SETUP_H
#define NMT_TRAINER_SETUP_H

#include "checkpoint.h"
#include "events.h"
#include "log.h"
#include "runlog.h"
#include "trainer.h"
#include "training_set.h"
#include "valid_set.h"

struct trainer {
    const struct config *config;
    const char *version;
    const struct trainer_watch *watch;
    const volatile sig_atomic_t *signal_number;
    const struct ranks *ranks;
    struct language_pair pair;
    struct training_set set;
    struct corpus corpus; /* the part that is trained on now */
    bool loaded;          /* has it been? */
    struct valid_set valid;
    struct seq2seq model;
    struct workers workers;
    struct batch_order order;
    struct train_state state;
    struct lock lock; /* of the model directory */
    struct runlog log;
    struct progress progress;
    struct strbuf changes; /* what the config of a resumed run has other than the one before it */
    double began;          /* clock at the start of the training, as if it had never stopped */
    long validated;        /* update of the last validation in this run, or where it started */
    double loss_sum;       /* since the last progress line */
    long tokens_sum;
    double tokens_clock;
};

/* ---- trainer_setup.c ---- */

/* All that stands before the first update. Every rank prepares for itself what the first one alone has no
 * need to tell. */
int trainer_prepare(struct trainer *t, enum train_start start, struct err *err);
/* What the first rank has loaded, for all. */
void trainer_share(struct trainer *t);

/* ---- trainer_text.c ---- */

/* The sentence pairs that the state names by epoch and part, and their order. */
int trainer_load_part(struct trainer *t, struct err *err);
/* The next part of the epoch, or the first one of the next. */
int trainer_begin_part(struct trainer *t, struct err *err);

#endif
