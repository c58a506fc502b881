/* trainer_setup: a training, and how it is set up. trainer.c has the loop. */
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

/* Everything before the first update: text, network, workers, weights, and the model directory, whose state is that
 * of the newest checkpoint where a training is resumed. All ranks call it; what is in the model directory is the
 * first one's, and not known to the others before trainer_share. */
int trainer_setup(struct trainer *t, enum train_start start, struct err *err);
/* Sends weights, moments and state of the first rank to all. */
void trainer_share(struct trainer *t);

#endif
