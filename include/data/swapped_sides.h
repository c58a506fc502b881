/* swapped_sides: detects that source and target of a corpus are swapped relative to train, by the words
 * that occur on only one side of train. */
#ifndef NMT_SWAPPED_SIDES_H
#define NMT_SWAPPED_SIDES_H

#include "hashset.h"
#include "language_pair.h"

/* All zero: nothing learned yet. */
struct swapped_sides {
    struct hashset known[SIDES]; /* words of train, up to a million a side */
    /* Words of the corpus that train has only on the same side, and only on the other side: */
    int64_t own, other;
};

void swapped_sides_release(struct swapped_sides *sides);
/* Adds the words of a line of train. */
void swapped_sides_learn(struct swapped_sides *sides, int side, const struct strbuf *words);
/* Begin a corpus; count the words of one of its lines. */
void swapped_sides_begin(struct swapped_sides *sides);
void swapped_sides_count(struct swapped_sides *sides, int side, const struct strbuf *words);
bool swapped_sides_found(const struct swapped_sides *sides);

#endif
