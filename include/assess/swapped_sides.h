/* swapped_sides: are source and target of a corpus swapped, compared with train? Told by the words that occur
 * on one side of train alone. */
#ifndef NMT_SWAPPED_SIDES_H
#define NMT_SWAPPED_SIDES_H

#include "hashset.h"
#include "language_pair.h"

/* All zero: nothing learnt yet. */
struct swapped_sides {
    struct hashset known[SIDES]; /* words of train, up to a million a side */
    /* Words of the corpus that train has on the same side alone, and on the other side alone: */
    int64_t own, other;
};

void swapped_sides_release(struct swapped_sides *sides);
/* Adds the words of a line of train. */
void swapped_sides_learn(struct swapped_sides *sides, int side, const struct strbuf *words);
/* Begin a corpus, and count the words of one of its lines. */
void swapped_sides_begin(struct swapped_sides *sides);
void swapped_sides_count(struct swapped_sides *sides, int side, const struct strbuf *words);
bool swapped_sides_found(const struct swapped_sides *sides);

#endif
