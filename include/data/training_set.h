/* training_set: the training text, epoch by epoch.
 *
 * Text that fits in memory is a single part, the same in every epoch unless corpora are sampled or
 * BPE-dropout is used. Larger text is trained in parts: each epoch shuffles the blocks (corpus_file.h) and
 * takes as many at a time as may be in memory. Parts are a function of (seed, epoch, part). */
#ifndef NMT_TRAINING_SET_H
#define NMT_TRAINING_SET_H

#include "prepare.h"

struct training_set {
    const struct config *config;
    const struct language_pair *pair;
    struct corpus_file file;
    int *blocks;  /* in this epoch's order */
    size_t *part; /* [parts + 1]: start of each in `blocks` */
    size_t parts, parts_capacity;
    bool *is_continued[SIDES]; /* [vocabulary]: does the token's word continue in the next token? */
};

/* All zero is a closed set. For subwords, vocabularies and keys that are auto, see prepare_training; config
 * and pair must outlive it. Must be closed on failure, too. */
int training_set_open(struct training_set *set, struct language_pair *pair, struct config *config,
                      enum pair_origin origin, struct err *err);
void training_set_close(struct training_set *set);
/* The longest side in tokens, marks included. */
int training_set_longest(const struct training_set *set, int side);
/* The most memory that its text takes at a time, with the order of the batches, without what BPE-dropout
 * adds. */
double training_set_bytes(const struct training_set *set);
/* The tokens of an epoch, without those that BPE-dropout adds. */
double training_set_tokens(const struct training_set *set);
/* Divides an epoch (from 0) into parts. */
void training_set_begin(struct training_set *set, long epoch);
/* Is there only one part, the same in every epoch? */
bool training_set_is_one(const struct training_set *set);
/* Fills the corpus with a part of the epoch, replacing its content. */
int training_set_load(const struct training_set *set, struct corpus *corpus, long epoch, long part,
                      struct err *err);

#endif
