/* evaluation: a validation or test corpus, as ids and as it was written. */
#ifndef NMT_EVALUATION_H
#define NMT_EVALUATION_H

#include "corpus.h"
#include "language_pair.h"

/* No longer side is scored: what a pass remembers of its attention grows with the product of both lengths. */
#define SCORED_MOST_TOKENS 4000

/* Warns of pairs of a text that the corpus has no room for, and its perplexity therefore leaves out. */
void corpus_warn_unscored(const struct corpus *corpus, const char *path);

/* Raw lines kept for translating them. */
struct raw_pairs {
    char **source, **target;
    size_t *source_bytes;
    size_t count, room, target_room, bytes_room;
};

void raw_pairs_release(struct raw_pairs *raw);

/* Reads a validation or test corpus: ids, but of pairs too long to be scored, and the raw lines. Pairs with
 * an empty side are left out of both. */
int evaluation_read(struct corpus *corpus, struct raw_pairs *raw, const struct language_pair *pair,
                    const struct config_pairs *files, struct err *err);
struct pair_files files_of(const struct config_pairs *pairs);

#endif
