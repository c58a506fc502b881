/* swapped_sides: does a corpus have source and target the other way round than train? Told from its words
 * that are known from one side of train alone. */
#ifndef NMT_SWAPPED_SIDES_H
#define NMT_SWAPPED_SIDES_H

#include "hashset.h"
#include "language_pair.h"

/* All zero is one that knows nothing. */
struct swapped_sides {
    struct hashset known[SIDES]; /* words of train, up to a million a side */
    int64_t own, other;          /* words of the corpus from the same side of train, from the other one */
};

void swapped_sides_release(struct swapped_sides *sides);
/* The words of a line of train. */
void swapped_sides_learn(struct swapped_sides *sides, int side, const struct strbuf *words);
/* A corpus begins; then the words of its lines. */
void swapped_sides_begin(struct swapped_sides *sides);
void swapped_sides_count(struct swapped_sides *sides, int side, const struct strbuf *words);
bool swapped_sides_found(const struct swapped_sides *sides);

#endif
