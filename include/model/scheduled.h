/* scheduled: scheduled sampling (Bengio, Vinyals, Jaitly, Shazeer 2015, arXiv:1506.03099): in training, the
 * decoder sometimes reads its own prediction instead of the right word, so that it learns to recover from its
 * mistakes.
 *
 * The predictions come from a separate pass through the stepper, without dropout: the most probable word
 * after those read so far. No gradient flows through this choice. */
#ifndef NMT_SCHEDULED_H
#define NMT_SCHEDULED_H

#include "rng.h"
#include "seq2seq.h"

/* The decoder's inputs for the batch: its target sentences, in which each word after the begin mark is,
 * with probability 1 - teacher_forcing, replaced by the prediction. `weights` are prepacked for the
 * forward pass. */
const struct sentence *scheduled_inputs(const struct seq2seq *model, const struct pass_weights *weights,
                                        const struct batch *batch, double teacher_forcing, struct rng *rng,
                                        struct arena *arena);

/* Bytes that this takes; all but the returned sentences is freed at its end. */
double scheduled_bytes(const struct seq2seq *model, const struct batch *batch);

#endif
