/* prepare: from a config's raw corpora to ids: learns subwords and vocabularies, or uses those of a model. */
#ifndef NMT_PREPARE_H
#define NMT_PREPARE_H

#include "corpus_file.h"
#include "model_dir.h"

/* Raw lines kept for translating them. */
struct raw_pairs {
    char **source, **target;
    size_t *source_bytes;
    size_t count, room, target_room, bytes_room;
};

void raw_pairs_release(struct raw_pairs *raw);

/* Opens the training text as ids: made now, in a folder of the model directory, or by an earlier run, if no
 * file and no setting has changed since. With `learn`, subwords and vocabularies of the pair come from the
 * text as well. Memory does not grow with the text. */
int prepare_training(struct corpus_file *file, struct language_pair *pair, const struct config *config,
                     bool learn, struct err *err);
/* Says what was read, and what was left out. */
void prepare_report(const struct corpus_totals *totals, const struct config *config);
/* Reads a validation or test corpus: ids without a limit of length, and the raw lines. Pairs with an empty
 * side are left out of both. */
int prepare_evaluation(struct corpus *corpus, struct raw_pairs *raw, const struct language_pair *pair,
                       const struct config_pairs *files, struct err *err);
struct pair_files files_of(const struct config_pairs *pairs);

#endif
