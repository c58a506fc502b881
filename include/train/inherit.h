/* inherit: initialises a model with the weights of a trained one (fine-tuning, transfer learning).
 *
 * Tensors are copied by name. Tables with a row per word (embeddings, output layer) are copied row by row
 * for the words that are in both vocabularies; the other rows keep their values. */
#ifndef NMT_INHERIT_H
#define NMT_INHERIT_H

#include "language_pair.h"
#include "seq2seq.h"

/* Overwrites `values`, of `model` with the vocabularies of `pair`, with the matching weights of the model
 * in `dir`, and reports on stderr how many. A tensor of another size is an error. */
int inherit_weights(real *values, const struct config *config, const struct seq2seq *model,
                    const struct language_pair *pair, const char *dir, struct err *err);

/* Would a network of the config, in which nothing is auto, fit the model in `dir`? Of the words, only tags
 * matter, if it has the words of that model. */
int inherit_check(const struct config *config, bool has_its_words, const char *dir, struct err *err);

#endif
