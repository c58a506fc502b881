/* trainer_setup: the state of a training, and its setup. The loop is in trainer.c. */
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
    struct config own;           /* the caller's, with what is auto chosen; shares its texts */
    const struct config *config; /* the same */
    const char *version;
    const struct trainer_watch *watch;
    const volatile sig_atomic_t *signal_number;
    const struct ranks *ranks;
    struct language_pair pair;
    bool longer_lines; /* has a resumed run longer lines than before, which the pair is to know? */
    struct training_set set;
    struct corpus corpus; /* the part that is being trained on */
    bool loaded;          /* is a part loaded? */
    struct valid_set valid;
    struct seq2seq model;
    struct workers workers;
    struct batch_order order;
    struct train_state state;
    struct lock lock; /* of the model directory */
    struct runlog log;
    struct progress progress;
    char *init_from;       /* of a resumed run, as it was when the training began; or NULL */
    struct strbuf changes; /* config keys that a resumed run has changed */
    bool other_patience;   /* is training.patience one of them? */
    bool other_limits;     /* is one of training.max_epochs, max_updates and max_minutes? */
    bool unvalidated;      /* had its config no validation text when it was last saved? */
    bool other_rate;       /* is training.learning_rate or training.schedule? */
    struct strbuf chosen;  /* what keys that are auto have become, a line for each (config_auto_settle) */
    double began;          /* clock at the start of the training, as if it had never been interrupted */
    double loss_sum;       /* negative log-likelihood, in nats, since the last progress line */
    long tokens_sum;       /* target tokens since then */
    double tokens_clock;
};

/* Does everything before the first update: text, network, workers, weights, model directory; with
 * TRAIN_RESUME, the state of the newest checkpoint. Called by all ranks; only rank 0 locks the model
 * directory and loads the checkpoint, and the others get its state by trainer_broadcast. */
int trainer_setup(struct trainer *t, enum train_start start, struct err *err);
/* Rank 0: loads the newest checkpoint. Validations that were scored otherwise are forgotten: with another
 * text, metric, tokenizer or search; and all where that checkpoint is the last one of a run without
 * validation text, which has replaced the model. */
int trainer_load_newest(struct trainer *t, struct err *err);
/* Sends weights, moments and state of rank 0 to all. */
void trainer_broadcast(struct trainer *t);

#endif
