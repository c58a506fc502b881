/* scoring: loss, scores and attention of given sentence pairs, without dropout. */
#ifndef NMT_SCORING_H
#define NMT_SCORING_H

#include "corpus.h"
#include "ranks.h"
#include "seq2seq.h"

/* Loss over a whole corpus. Each rank computes a part; all get the sum, which is bitwise the same for any
 * number of ranks. */
struct loss corpus_loss(const struct seq2seq *model, const real *values, const struct corpus *corpus,
                        int threads, const struct ranks *ranks);
/* About the bytes that it needs: each thread may have one of the largest batches. Its arenas take up to twice
 * as much, where they grow block by block. */
double corpus_loss_bytes(const struct seq2seq *model, const struct corpus *corpus, int threads);
/* Perplexity of the targets: exp of their negative log-likelihood, end marks included, divided by their
 * number of tokens or of characters (corpus.characters). That per character compares models with different
 * subwords: the text that they predict has the same characters. Both are NAN if there are no pairs. */
struct perplexity {
    double per_token, per_character;
};
struct perplexity perplexity_of(const struct loss *loss, const struct corpus *corpus);
/* log p, in nats, of each target word of a corpus, end mark included, given the source and the words
 * before it. Those of pair i start at begin[i]; begin [pairs + 1]. */
void corpus_scores(real *scores, const size_t *begin, const struct seq2seq *model, const real *values,
                   const struct corpus *corpus, int threads);
/* The attention of each target word, end mark included: for pair i [1 + heads][target words][source
 * length], as in seq2seq_attention, from begin[i] on; begin [pairs + 1]. */
void corpus_attention(real *weights, const size_t *begin, int heads, const struct seq2seq *model,
                      const real *values, const struct corpus *corpus, int threads);
/* -1 if a number that the model in `model_dir` computed for a line is not finite: huge weights overflow. */
int scores_check(const real *numbers, size_t count, const char *model_dir, int64_t line, struct err *err);

#endif
