/* beam: beam search over the network for a batch of sentences.
 *
 * A sentence has as many open hypotheses as the beam is wide, minus those that have ended (as in Bahdanau's
 * and Nematus' decoders); when none is open, it leaves the batch. Beam 1 is greedy search.
 *
 * At each step, an ensemble's probabilities are the mean of its members'.
 *
 * A placeholder of the source (placeholder.h) comes once in each translation: others, and a second one, are
 * forbidden, and one that another must come before, as an end tag behind its start tag, until that has come.
 * Where the end mark would be the best word, or only so many words may follow, the missing ones come. Only
 * the length of a given translation, and values that are not finite, are stronger.
 *
 * With phrases that a translation must hold, the beam has one place more for each of them, and its places are
 * shared out by the number of phrases that are complete or begun: dynamic beam allocation (Post and Vilar
 * 2018, arXiv:1804.06609, who count tokens). A phrase begins where the network attends to its source (as
 * Hasler et al. 2018, arXiv:1805.03750). A hypothesis whose end mark is the best word, but which lacks
 * phrases, is given up, or goes on with them if it is the last; and where only so many words may follow, they
 * are those of phrases. */
#ifndef NMT_BEAM_H
#define NMT_BEAM_H

#include "ensemble.h"
#include "sample.h"

#include <stdbool.h>

struct constraints;

/* Other models that judge translations (judge.h). */
enum judge_kind {
    JUDGE_BACKWARD,      /* one of the other direction */
    JUDGE_RIGHT_TO_LEFT, /* one that makes translations from right to left */
    JUDGE_KINDS,
};

struct beam_options {
    int beam;
    int n_best;              /* hypotheses to return for each sentence, at most the beam */
    double length_penalty;   /* score = log p / length^this, end mark included … */
    bool wu;                 /* … or ((5 + length) / 6)^this (Wu et al. 2016, arXiv:1609.08144) */
    int min_length;          /* the end mark is forbidden before this length */
    int block_ngrams;        /* no n-gram of this length occurs twice; 0: allowed */
    int max_repetitions;     /* an n-gram occurs at most so many times in a row, or as often as one of the
                              * source does; 0: any number of times */
    double coverage_penalty; /* β of Wu et al. 2016: + β Σ_j log min(Σ_i α_ij, 1) */
    double judge_weights[JUDGE_KINDS]; /* λ and μ of judge.h */
    double max_length_ratio;           /* limit on target tokens: this times the source's … */
    int extra_length;                  /* … plus this, plus the prefix's and the phrases', end mark
                                        * included */
    bool sampled;                      /* sample `beam` translations instead of searching */
    struct sample_options sample;
    int seed;          /* of the samples, which depend on it and the sentence alone */
    bool alignment;    /* return attention weights */
    bool each_head;    /* with alignment: return each head's too, for a single network with several heads */
    bool coverage;     /* return coverage even if its penalty is 0 */
    bool unknown;      /* allow the unknown word */
    bool placeholders; /* both vocabularies have them: a translation has each one of its source once */
    const int *const *first_placeholders; /* [sents][PLACEHOLDERS] for each number, that of the one that must
                                           * come before it; 0: none; or NULL */
    const struct sentence *prefixes; /* [sents] forced start of each translation, without marks; or NULL */
    bool branched; /* translations that differ in the first word after the prefix, each of which goes on with
                    * its best words (as CTranslate2's return_alternatives); not with constraints */
    const struct constraints *constraints; /* [sents] phrases that each translation must hold; or NULL */
    bool scored; /* prefixes are whole translations with their end marks, to be scored: with a beam of 1, and
                 * no word is excluded from the probabilities */
    bool (*cancelled)(void *context); /* asked before each step; if true, the search ends; NULL: never */
    void *cancel_context;
};

/* The terms of the score that ranks finished hypotheses. The search itself uses log-probability alone. */
struct score_terms {
    double log_probability; /* of all words and the end mark */
    int length;             /* with the end mark, unless cut off; at least 1 */
    double coverage;        /* Σ_j log min(Σ_i α_ij, 1); 0 unless requested */
    struct {
        double log_probability; /* by that model, set by judges_rank … */
        int length;             /* … and the tokens that it sums, with the end mark; 0: not judged */
    } judged[JUDGE_KINDS];
};

/* Log-probability per token by a judge, or 0. */
double judged_score(const struct score_terms *terms, enum judge_kind kind);
double beam_score(const struct score_terms *terms, const struct beam_options *options);

/* What ended a hypothesis. */
enum hypothesis_end {
    END_MARK,     /* its end mark */
    END_LIMIT,    /* the limit on its length, or options that forbid every word: it was cut off */
    END_OVERFLOW, /* the network's numbers are no longer finite */
};

struct hypothesis {
    int *ids; /* without marks */
    int length;
    enum hypothesis_end end;
    float *token_log_probabilities; /* [length + 1]: sum to that of the terms; the end mark's is the last, 0
                                     * without one */
    struct score_terms terms;
    double score;
    int heads;          /* heads that follow the mean in alpha; 0 unless requested */
    const real **alpha; /* [length + 1], each [1 + heads][source length, end mark included]; NULL unless
                         * requested; the last is NULL if the hypothesis was cut off */
};

/* Searches. best [sents][n_best]: hypotheses by falling score, at least one per sentence, those that
 * overflowed last; found [sents]: how many. Sentences are ids ended by the end mark. All memory comes from
 * the arena. -1 if cancelled; then nothing is found.
 *
 * The probabilities are those of the words that a translation may have: never the begin mark, and the
 * unknown word only where it is allowed. */
int beam_search(struct hypothesis *best, int *found, const struct ensemble *ensemble,
                const struct sentence *sentences, size_t sents, const struct beam_options *options,
                struct arena *arena);
/* The most tokens that options->max_length_ratio allows the translation of a source of so many; both have
 * their end mark. */
size_t beam_longest_translation(const struct beam_options *options, size_t source_length);
/* Bytes that a search of these sentences with one network takes at most, without prefixes and phrases. The
 * prepacked weights are not counted. */
double beam_search_bytes(const struct seq2seq *model, const struct sentence *sentences, size_t sents,
                         const struct beam_options *options);

#endif
