/* bleu: corpus BLEU (Papineni et al. 2002) as sacreBLEU computes it (Post 2018): n-grams up to 4, clipped
 * by the maximum over references, closest reference length, exponential smoothing. */
#ifndef NMT_BLEU_H
#define NMT_BLEU_H

#include "mteval.h"

#include <stdint.h>

#define BLEU_ORDER 4

struct bleu {
    enum mteval_kind kind;
    bool lowercase;
    bool effective_order; /* for single sentences: only orders for which the hypothesis is long enough */
    int references;       /* per sentence */
    int64_t hypothesis_words, reference_words;
    int64_t correct[BLEU_ORDER], total[BLEU_ORDER];
};

struct bleu_score {
    double score; /* 0 to 100 */
    double precisions[BLEU_ORDER];
    double brevity_penalty;
    double ratio; /* hypothesis over reference words; 0 if the references have no words */
};

void bleu_init(struct bleu *bleu, enum mteval_kind kind, bool lowercase, int references);
/* Adds one sentence; all texts must be valid UTF-8. */
void bleu_add(struct bleu *bleu, const char *hypothesis, const char *const *references);
/* Adds the counts of another sum. */
void bleu_sum(struct bleu *bleu, const struct bleu *more);
struct bleu_score bleu_score(const struct bleu *bleu);
/* Appends "case:mixed|eff:no|tok:13a|smooth:exp". */
void bleu_signature(const struct bleu *bleu, struct strbuf *out);

#endif
