/* report_sections: what the pages of report.h are made of. */
#ifndef NMT_REPORT_SECTIONS_H
#define NMT_REPORT_SECTIONS_H

#include "history.h"
#include "judged.h"
#include "report.h"

/* ---- of a training, out of its config and its log ---- */

/* What was trained on what. */
void report_add_facts(struct strbuf *page, const struct config *config, const struct history *history);
/* Loss, perplexity, BLEU, learning rate, gradient norm and speed, by update. */
void report_add_curves(struct strbuf *page, const struct history *history);
/* How the same sentences were translated from validation to validation. */
void report_add_samples(struct strbuf *page, const struct history *history);
void report_add_config(struct strbuf *page, const struct config *config);
/* BLEU on the validation set in training, a line for each model. */
void report_add_validations(struct strbuf *page, const struct judged *judged, int count);

/* ---- of what models make of a test set ---- */

void report_add_scores(struct strbuf *page, const struct judged *judged, int count);
/* BLEU of short and long sentences. */
void report_add_lengths(struct strbuf *page, const struct judged *judged, int count,
                        const struct test_set *set);
/* The sentences that came out best and worst, and what the words of the worst ones looked at. */
void report_add_sentences(struct strbuf *page, const struct judged *judged, const struct test_set *set,
                          int threads);

#endif
