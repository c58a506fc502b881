/* valid_set: the held-out sentence pairs that a training is validated on, as ids and as they were written. */
#ifndef NMT_VALID_SET_H
#define NMT_VALID_SET_H

#include "corpus.h"
#include "language_pair.h"
#include "lines.h"

/* All zero is an empty one. */
struct valid_set {
    struct corpus corpus;    /* without the pairs that are too long to be scored */
    struct lines raw[SIDES]; /* of all pairs */
};

/* Pairs with an empty side are left out; without any other it is an error. */
int valid_set_load(struct valid_set *set, const struct language_pair *pair, const struct config_pairs *files,
                   struct err *err);
void valid_set_release(struct valid_set *set);

#endif
