/* prepare: from a config's raw corpora to ids: learns subwords and vocabularies, or uses those of a model. */
#ifndef NMT_PREPARE_H
#define NMT_PREPARE_H

#include "corpus.h"
#include "guides.h"
#include "model_dir.h"

/* Raw lines kept for translating them. */
struct raw_pairs {
    char **source, **target;
    size_t *source_bytes;
    size_t count, room, target_room, bytes_room;
};

void raw_pairs_release(struct raw_pairs *raw);

/* Where a corpus begins in a training_text, and how often an epoch has its pairs. */
struct corpus_part {
    size_t begin;
    double weight;
};

/* Lines of both sides in turn, in one block. */
struct training_text {
    struct strbuf text;
    size_t *begin;
    size_t count, room;
    struct corpus_part *corpora;
    size_t corpus_count, corpora_room;
    struct guides guides; /* of each pair */
};

void training_text_init(struct training_text *lines);
void training_text_release(struct training_text *lines);

/* Reads the words of the training corpus. With `learn`, fills the pair's subwords and vocabularies from it.
 */
int prepare_training(struct training_text *words, struct pair_counts *counts, struct language_pair *pair,
                     const struct config *config, bool learn, struct err *err);
/* Is every epoch another one, by BPE-dropout or parts of corpora? */
bool prepare_is_sampled(const struct config *config);
/* The corpus of an epoch (from 0), in place of what it held: the same function of seed, epoch and words every
 * time. */
void prepare_epoch(struct corpus *corpus, const struct training_text *words, const struct language_pair *pair,
                   const struct config *config, long epoch);
/* Says what was read, and what was left out. */
void prepare_report(const struct corpus *corpus, const struct pair_counts *counts,
                    const struct config *config);
/* Reads a validation or test corpus: ids without a limit of length, and the raw lines. Pairs with an empty
 * side are left out of both. */
int prepare_evaluation(struct corpus *corpus, struct raw_pairs *raw, const struct language_pair *pair,
                       const struct config_pairs *files, struct err *err);
struct pair_files files_of(const struct config_pairs *pairs);

#endif
