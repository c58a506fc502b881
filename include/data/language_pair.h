/* language_pair: how a model turns the text of two languages into ids and back: tokenizers, subwords and
 * vocabularies, and the files that they have in a directory:
 *
 *   joint.bpe | source.bpe target.bpe
 *   joint.subwords | source.subwords target.subwords   only with a vocabulary threshold
 *   source.vocab target.vocab */
#ifndef NMT_LANGUAGE_PAIR_H
#define NMT_LANGUAGE_PAIR_H

#include "config.h"
#include "pair_reader.h"
#include "tokenizer.h"

/* With joint BPE both sides point to the first one. With a joint vocabulary (one
 * table of embeddings) the source side's has the words of both sides and begins with the target side's, so
 * that the output layer is the first rows of the table. */
struct language_pair {
    struct bpe bpe[SIDES];
    struct vocab vocab[SIDES];
    bool joint_bpe, joint_vocab;
    struct strmap tags; /* of the training corpora */
    struct tokenizer tokenizer[SIDES];
};

/* Empty, tokenizers set up as the config says; BPE and vocabularies are filled by the caller. */
void language_pair_init(struct language_pair *pair, const struct config *config);
void language_pair_release(struct language_pair *pair);
int language_pair_load(struct language_pair *pair, const struct config *config, const char *dir,
                       struct err *err);
int language_pair_save(const struct language_pair *pair, const char *dir, struct err *err);

/* The rate of BPE-dropout on a side in training; 0 where words are not split by BPE. */
double language_pair_dropout(const struct config *config, int side);

/* Puts decoding.tag before all source text from now on; the config must live as long. */
int language_pair_set_tag(struct language_pair *pair, const struct config *config, struct err *err);

/* Do both turn text into the same ids? */
bool language_pair_same(const struct language_pair *a, const struct language_pair *b);

/* The names of the files of subwords and vocabularies in a directory, those that are there, and NULL. */
#define LANGUAGE_PAIR_MOST_FILES 8
void language_pair_files(const char *names[LANGUAGE_PAIR_MOST_FILES + 1], const char *dir);

/* Removes them. */
void language_pair_remove(const char *dir);

#endif
