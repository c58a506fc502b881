/* scoring: loss, scores and attention of given sentence pairs, without dropout. */
#ifndef NMT_SCORING_H
#define NMT_SCORING_H

#include "corpus.h"
#include "ranks.h"
#include "seq2seq.h"

/* Loss of a whole corpus: each rank computes a part, and all get the sum, which is the same to the last bit
 * whatever their number. */
struct loss corpus_loss(const struct seq2seq *model, const real *values, const struct corpus *corpus,
                        int threads, const struct ranks *ranks);
/* log p, in nats, of each target word of a corpus given the source and the words before it, the end mark
 * included: those of pair i from begin[i] on, begin [pairs + 1]. */
void corpus_scores(real *scores, const size_t *begin, const struct seq2seq *model, const real *values,
                   const struct corpus *corpus, int threads);
/* What each target word of pair i, the end mark included, looked at: [1 + heads][target words][source
 * length], as seq2seq_attention has it, from begin[i] on, begin [pairs + 1]. */
void corpus_attention(real *weights, const size_t *begin, int heads, const struct seq2seq *model,
                      const real *values, const struct corpus *corpus, int threads);
/* Bytes that each takes, as long as no sentence has more than 1,024 tokens. */
double corpus_loss_bytes(const struct seq2seq *model, int threads);
/* -1 unless all numbers that the model in that directory gave for a line are finite: with huge weights they
 * overflow. */
int scores_check(const real *numbers, size_t count, const char *model_dir, int64_t line, struct err *err);

#endif
