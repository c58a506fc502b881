/* distill_pairs: makes training corpora of the translations of the training text. */
#ifndef NMT_DISTILL_PAIRS_H
#define NMT_DISTILL_PAIRS_H

#include "config.h"
#include "pair_reader.h"

/* Translations of one side of the training text, as distill_translate writes them. */
struct distill_set {
    enum side translated; /* TARGET: pairs (x, y') of a forward model; SOURCE: (x', y) of a backward model */
    char *path;           /* the file of translations */
    const char *title;    /* for messages */
    int64_t pairs, present, empty; /* new pairs, those that are there already, empty translations */
};

/* Writes the pairs of all sets [count], for each corpus c of data.train, into `dir`: synthetic-N.source and
 * synthetic-N.target with N = c + 1. A pair that is in the training text or among those before it, with the
 * same texts and the same tag, is left out, as is one with an empty translation; both are counted and
 * logged. */
int distill_pairs_make(const struct config *config, const char *dir, struct distill_set *sets, int count,
                       struct err *err);
/* The name of such a file of corpus c, which the caller frees. */
char *distill_pairs_path(const char *dir, int corpus, enum side side);

#endif
