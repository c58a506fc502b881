/* scheduled: scheduled sampling (Bengio, Vinyals, Jaitly, Shazeer 2015, arXiv:1506.03099): in training, the
 * decoder now and then reads the word that it would have said itself instead of the right one, so that it
 * learns to go on from its own mistakes.
 *
 * The words are found by a pass of their own through the stepper, without dropout: the likeliest word after
 * what was read so far. No gradient goes through that choice. */
#ifndef NMT_SCHEDULED_H
#define NMT_SCHEDULED_H

#include "rng.h"
#include "seq2seq.h"

/* What the decoder is to read for the batch: its target sentences, in which each word behind the begin mark
 * is, with probability 1 - teacher_forcing, the network's own. `weights` are prepacked for the forward pass. */
const struct sentence *scheduled_inputs(const struct seq2seq *model, const struct pass_weights *weights,
                                        const struct batch *batch, double teacher_forcing, struct rng *rng,
                                        struct arena *arena);

/* Bytes that this takes; everything but the sentences returned is given back. */
double scheduled_bytes(const struct seq2seq *model, const struct batch *batch);

#endif
