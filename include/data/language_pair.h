/* language_pair: converts the text of two languages to ids and back: tokenizers, subwords and vocabularies,
 * and their files in a directory:
 *
 *     joint.bpe | source.bpe target.bpe
 *     joint.subwords | source.subwords target.subwords   only with a vocabulary threshold
 *     source.vocab target.vocab
 *     source.sentences                                   about sentences of the source (splitter.h)
 *     source.truecase                                    the usual case of its words (truecaser.h)
 *     source.words                                       the words themselves, if others are protected
 *                                                        (seen_words.h)
 *     target.forms                                       how it writes what is not in NFC (usual_forms.h)
 *     source.ngrams target.ngrams                        by which the languages are recognised
 *                                                        (language_profile.h) */
#ifndef NMT_LANGUAGE_PAIR_H
#define NMT_LANGUAGE_PAIR_H

#include "config.h"
#include "language_profile.h"
#include "pair_reader.h"
#include "splitter.h"
#include "tokenizer.h"
#include "truecaser.h"

/* With joint BPE, both sides point to the first one. With a joint vocabulary (a single embedding table),
 * the source vocabulary has the words of both sides and starts with the target vocabulary, so that the
 * output layer is the first rows of the table. */
struct language_pair {
    struct bpe bpe[SIDES];
    struct vocab vocab[SIDES];
    bool joint_bpe, joint_vocab;
    struct strmap tags; /* the tags of the training corpora */
    struct tokenizer tokenizer[SIDES];
    enum casing casing[SIDES];  /* of the languages, where the config names them */
    struct splitter splitter;   /* of source text; it has learned nothing where a model has no file of it */
    struct truecaser truecaser; /* likewise */
    struct seen_words seen;     /* likewise; the source tokenizer points to it */
    struct usual_forms forms;   /* likewise, of the target, whose tokenizer points to them */
    struct language_profile profile[SIDES]; /* likewise */
};

/* Initialises the tokenizers from the config; the caller fills BPE and vocabularies. The pair must not move:
 * its tokenizers point into it. */
void language_pair_init(struct language_pair *pair, const struct config *config);
void language_pair_release(struct language_pair *pair);
/* Initialises the pair and loads its files; on failure there is nothing to release. */
int language_pair_load(struct language_pair *pair, const struct config *config,
                       const struct model_files *files, struct err *err);
int language_pair_save(const struct language_pair *pair, const char *dir, struct err *err);
/* Passes the text of every file to `take`; returns as that does. */
int language_pair_print(const struct language_pair *pair, text_taker *take, void *context, struct err *err);

/* The rate of BPE-dropout on a side during training; 0 without BPE. */
double language_pair_dropout(const struct config *config, int side);

/* -1 if no text with this tag was trained on, or if the corpora have tags and this is a word of the text:
 * else it may be a tag that stands in the text itself. NULL is none. */
int language_pair_check_tag(const struct language_pair *pair, const char *tag, struct err *err);
/* A tag of data.train that a vocabulary does not have; NULL if there is none. */
const char *language_pair_missing_tag(const struct config *config, const struct vocab *vocab);
/* -1 if there is one; the vocabulary is that of training.init_from, which must be given. */
int language_pair_check_inherited_tags(const struct config *config, const struct vocab *vocab,
                                       struct err *err);
/* Puts decoding.tag before all source text from now on; the config must outlive the pair. */
int language_pair_set_tag(struct language_pair *pair, const struct config *config, struct err *err);

/* Why text becomes other ids in the second, for a message that names this model: "it has another
 * 'text.lowercase'", or if all such keys are the same, "it sees text in other words". NULL if both have the
 * same words and subwords, with the same ids. What counts as unseen may differ, as it does between a model
 * and another that began with it. */
const char *language_pair_difference(const struct language_pair *a, const struct language_pair *b);
/* Do both convert all text to the same ids? */
bool language_pair_same(const struct language_pair *a, const struct language_pair *b);

/* The existing files of a language pair in a directory, ended by NULL. */
#define LANGUAGE_PAIR_MOST_FILES 14
void language_pair_files(const char *names[LANGUAGE_PAIR_MOST_FILES + 1], const char *dir);

/* Removes them. */
void language_pair_remove(const char *dir);

#endif
