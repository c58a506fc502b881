/* pair_block: pairs that are there, read block by block, as ids and as subwords: for commands that say
 * something of each. */
#ifndef NMT_PAIR_BLOCK_H
#define NMT_PAIR_BLOCK_H

#include "corpus.h"
#include "model_dir.h"
#include "text_file.h"

struct pair_block {
    struct corpus corpus;
    struct text_file subwords[SIDES];
};

/* The next pairs. 1: there may be more; 0: the files ended; -1: error, such as a line that is not valid text.
 */
int pair_block_read(struct pair_block *block, struct pair_reader *reader, const struct language_pair *pair,
                    struct err *err);
void pair_block_release(struct pair_block *block);

#endif
