/* report_sections: the sections of report.h's pages. */
#ifndef NMT_REPORT_SECTIONS_H
#define NMT_REPORT_SECTIONS_H

#include "history.h"
#include "report.h"
#include "tested_model.h"

/* ---- about a training, from its config and log ---- */

/* What was trained, on which data. */
void report_add_facts(struct strbuf *page, const struct config *config, const struct history *history);
/* Loss, perplexity, BLEU, learning rate, gradient norm and speed, by update. */
void report_add_curves(struct strbuf *page, const struct history *history);
/* Translations of the same sentences at successive validations. */
void report_add_samples(struct strbuf *page, const struct history *history);
void report_add_config(struct strbuf *page, const struct config *config);
/* BLEU on the validation set during training, a curve for each model. */
void report_add_validations(struct strbuf *page, const struct tested_model *tested, int count);

/* ---- about results on a test set ---- */

void report_add_scores(struct strbuf *page, const struct tested_model *tested, int count);
/* BLEU by sentence length. */
void report_add_lengths(struct strbuf *page, const struct tested_model *tested, int count,
                        const struct test_set *set);
/* The best and worst translations, and the attention of the worst. */
void report_add_sentences(struct strbuf *page, const struct tested_model *tested, const struct test_set *set,
                          int threads);

#endif
