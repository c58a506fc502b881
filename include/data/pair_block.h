/* pair_block: existing translations, read block by block as text, subwords and ids, for commands that
 * score or align each pair. */
#ifndef NMT_PAIR_BLOCK_H
#define NMT_PAIR_BLOCK_H

#include "corpus.h"
#include "language_pair.h"
#include "lines.h"

struct pair_block {
    int64_t first_line; /* line number of the first pair */
    struct corpus corpus;
    struct lines text[SIDES], subwords[SIDES];
};

/* Passes each non-empty block to `take`, until it fails. -1 also for a line that is not valid text. */
int each_pair_block(const struct pair_files *files, const struct language_pair *pair,
                    int (*take)(void *context, const struct pair_block *block, struct err *err),
                    void *context, struct err *err);

#endif
