/* prepare: from a config's raw corpora to ids: learns subwords and vocabularies, or uses those of a model. */
#ifndef NMT_PREPARE_H
#define NMT_PREPARE_H

#include "corpus.h"
#include "model_dir.h"

/* Raw lines kept for translating them. */
struct raw_pairs {
    char **source, **target;
    size_t *source_bytes;
    size_t count, room, target_room, bytes_room;
};

void raw_pairs_release(struct raw_pairs *raw);

/* Reads the training corpus. With `learn`, fills the pair's subwords and vocabularies from it first. */
int prepare_training(struct corpus *corpus, struct pair_counts *counts, struct language_pair *pair,
                     const struct config *config, bool learn, struct err *err);
/* Reads a validation or test corpus: ids without a limit of length, and the raw lines. Pairs with an empty
 * side are left out of both. */
int prepare_evaluation(struct corpus *corpus, struct raw_pairs *raw, const struct language_pair *pair,
                       const struct config_pairs *files, struct err *err);
struct pair_files files_of(const struct config_pairs *pairs);

#endif
