/* valid_set: the validation corpus, as ids and as raw text. */
#ifndef NMT_VALID_SET_H
#define NMT_VALID_SET_H

#include "corpus.h"
#include "language_pair.h"
#include "lines.h"

/* All zero is an empty one. */
struct valid_set {
    struct corpus corpus;    /* without pairs that are too long to be scored */
    struct lines raw[SIDES]; /* of all pairs */
    int64_t *numbers;        /* [raw count]: line of each in its files, from 1 */
    size_t numbers_capacity;
};

/* Loads the pairs, without those with an empty side; it is an error if none is left. The set must be released
 * on failure, too. */
int valid_set_load(struct valid_set *set, const struct language_pair *pair, const struct config_pairs *files,
                   struct err *err);
void valid_set_release(struct valid_set *set);

#endif
