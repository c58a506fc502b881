/* training_set: the training text as a training goes through it, epoch by epoch.
 *
 * What fits into memory is one part, the same in every epoch unless corpora are sampled or subwords dropped
 * out. A larger one comes in parts: each epoch shuffles its blocks (see corpus_file.h) and takes as many at a
 * time as memory is to hold. Parts are a function of (seed, epoch, part). */
#ifndef NMT_TRAINING_SET_H
#define NMT_TRAINING_SET_H

#include "corpus_file.h"
#include "language_pair.h"

struct training_set {
    const struct config *config;
    const struct language_pair *pair;
    struct corpus_file file;
    int *blocks;  /* in the order of this epoch */
    size_t *part; /* [parts + 1]: where each begins in `blocks` */
    size_t parts, parts_capacity;
    bool *goes_on[SIDES]; /* [vocabulary]: is this token a piece of a word that goes on in the next one? */
};

/* All zero is a closed one. Subwords and vocabularies as for prepare_training; config and pair must live as
 * long. */
int training_set_open(struct training_set *set, struct language_pair *pair, const struct config *config,
                      bool learn, struct err *err);
void training_set_close(struct training_set *set);
/* Most tokens that a side of a pair can have, with marks. */
int training_set_longest(const struct training_set *set, int side);
/* Most tokens that are in memory at a time. */
size_t training_set_tokens(const struct training_set *set);
/* Chooses the parts of an epoch (from 0). */
void training_set_begin(struct training_set *set, long epoch);
/* Is it the same part in every epoch, the only one? */
bool training_set_is_one(const struct training_set *set);
/* Fills the corpus with a part of the epoch, in place of what it held. */
int training_set_load(const struct training_set *set, struct corpus *corpus, long epoch, long part,
                      struct err *err);

#endif
