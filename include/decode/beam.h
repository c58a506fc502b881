/* beam: beam search over the network for a batch of sentences.
 *
 * A sentence keeps as many open hypotheses as the beam is wide, less one for each that has ended (as in
 * Bahdanau's and Nematus' decoders); it leaves the batch with its last open one. Beam 1 is greedy search.
 *
 * The probabilities of an ensemble are the mean of its members' at each step. */
#ifndef NMT_BEAM_H
#define NMT_BEAM_H

#include "sample.h"
#include "stepper.h"

#include <stdbool.h>

#define MOST_MEMBERS 16

/* Networks with the same vocabularies that translate together; mostly one. */
struct ensemble {
    struct step_weights *members; /* [count], at most MOST_MEMBERS */
    int count;
};

struct beam_options {
    int beam;
    int n_best;              /* hypotheses to return for each sentence, at most the beam */
    double length_penalty;   /* score = log p / length^this, length with the end mark … */
    bool wu;                 /* … or ((5 + length) / 6)^this (Wu et al. 2016, arXiv:1609.08144) */
    int min_length;          /* the end mark may not come earlier */
    int block_ngrams;        /* no sequence of so many words comes twice; 0: it may */
    double coverage_penalty; /* β of Wu et al. 2016: + β Σ_j log min(Σ_i α_ij, 1) */
    double max_length_ratio; /* most target tokens: this times the source's … */
    int extra_length;        /* … plus these, the end mark included */
    bool sampled;            /* draw words at random, `beam` translations */
    struct sample_options sample;
    int seed;       /* of the draws, which depend on it and the sentence alone */
    bool alignment; /* return attention weights */
    bool each_head; /* with alignment: also those of each head, where one network has several */
    bool coverage;  /* return coverage, also where its penalty is 0 */
    bool unknown;   /* the unknown word may be produced */
    const struct sentence
        *prefixes; /* [sents] what each translation must begin with, without marks; or NULL */
};

/* What hypotheses are ranked by. The search itself goes by log-probability alone. */
struct score_terms {
    double log_probability; /* of all words and the end mark */
    int length;             /* with the end mark, unless it was cut off; at least 1 */
    double coverage;        /* Σ_j log min(Σ_i α_ij, 1); 0 unless asked for */
};

double beam_score(const struct score_terms *terms, const struct beam_options *options);

struct hypothesis {
    int *ids; /* without marks */
    int length;
    bool overflowed; /* it ends where the network's numbers are no longer finite */
    struct score_terms terms;
    double score;
    int heads;          /* whose weights follow the mean ones in alpha; 0 unless asked for */
    const real **alpha; /* [length + 1], each [1 + heads][source length, end mark included]; NULL unless asked
                         * for; the last one is NULL where the hypothesis was cut off */
};

/* found [sents]: number of hypotheses; best [sents][n_best]: by falling score, at least one for every
 * sentence; those that overflowed come last. Sentences are ids closed by the end mark. All memory from the
 * arena. */
void beam_search(struct hypothesis *best, int *found, const struct ensemble *ensemble,
                 const struct sentence *sentences, size_t sents, const struct beam_options *options,
                 struct arena *arena);
/* Bytes that a search takes at most for so many sentences and source tokens. */
double beam_search_bytes(const struct seq2seq *model, size_t sents, size_t source_tokens, size_t beam);

#endif
