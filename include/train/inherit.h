/* inherit: the weights of a trained model as the start of another one (fine-tuning, transfer learning).
 *
 * Tensors go over by name. Tables with a row for each word (embeddings, output layer) go over row by row: the
 * words that both vocabularies have take theirs along, the others stay as they are. */
#ifndef NMT_INHERIT_H
#define NMT_INHERIT_H

#include "language_pair.h"
#include "seq2seq.h"

/* Overwrites `values`, of `model` with the vocabularies of `pair`, with what the model in `dir` has of it,
 * and says on stderr how much that was. A tensor of another size is an error. */
int inherit_weights(real *values, const struct seq2seq *model, const struct language_pair *pair,
                    const char *dir, struct err *err);

#endif
