/* distill_pairs: makes training corpora of translations. */
#ifndef NMT_DISTILL_PAIRS_H
#define NMT_DISTILL_PAIRS_H

#include "config.h"
#include "distill.h"
#include "pair_reader.h"

/* Translations, as distill_translate writes them. */
struct distill_set {
    bool monolingual; /* of monolingual text of the other side; else of the training text */
    enum side made;   /* TARGET: pairs (x, y') of forward models; SOURCE: (x', y) of backward models */
    char *paths[DISTILL_MOST_MODELS]; /* the file of each part: line i of the text is in part i % parts */
    int parts;
    const char *title;             /* for messages */
    int64_t pairs, present, empty; /* new pairs, those that are there already, empty translations */
};

/* Writes the pairs of all sets [count] into `dir`: those of training corpus c in files of the name
 * distill_pairs_name(c), those of monolingual text in distill_monolingual_name of its side. A pair that is
 * in the training text or among those before it, with the same texts and the same tag, is left out, as is
 * one with an empty translation; both are counted and logged. */
int distill_pairs_make(const struct config *config, const char *dir, struct distill_set *sets, int count,
                       struct err *err);
/* "synthetic-N" with N = corpus + 1, "forward-translated" or "back-translated", which the caller frees. */
char *distill_pairs_name(int corpus);
char *distill_monolingual_name(enum side side);
/* The path of a file of such a name: "DIR/NAME.source" or "DIR/NAME.target". The caller frees. */
char *distill_pairs_path(const char *dir, const char *name, enum side side);
/* Is it one, in the folder of a distillation, which may have been moved since? */
bool distill_pairs_is_path(const char *path);

#endif
