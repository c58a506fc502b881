/* report: pages about models: what they were trained on, how they learned, what they can do, what they look
 * at. Each page is one file that needs nothing else. */
#ifndef NMT_REPORT_H
#define NMT_REPORT_H

#include "history.h"
#include "models.h"
#include "test_set.h"

#define REPORT_FILE "report.html"
#define REPORT_MOST_MODELS 8

/* Of a model directory, what its log tells: the page while it is in training. */
int report_training(const struct config *config, struct err *err);

struct report_settings {
    const char *output;    /* NULL: REPORT_FILE in the model directory */
    const char *source;    /* NULL: the test set of the first model's config */
    const char *alignment; /* right links of the test set, or NULL */
    struct string_list references;
    int threads;
};

/* Of one model everything; of several what sets them apart. Returns the path written, which the caller frees;
 * NULL on failure. */
char *report_models(const struct models *models, const struct report_settings *settings, struct err *err);

/* ---- the sections of a page ---- */

/* What was trained on what. */
void report_add_facts(struct strbuf *page, const struct config *config, const struct history *history);
/* Loss, perplexity, BLEU, learning rate, gradient norm and speed, by update. */
void report_add_curves(struct strbuf *page, const struct history *history);
/* How the same sentences were translated from validation to validation. */
void report_add_samples(struct strbuf *page, const struct history *history);
void report_add_config(struct strbuf *page, const struct config *config);

/* What a model made of a test set. All zero is an empty one. */
struct judged {
    const struct loaded_model *loaded;
    const struct history *history;
    struct translated translated;
    struct metrics metrics;
    double perplexity;
    double error_rate; /* of the alignment; NAN where it is not known */
};

int judged_init(struct judged *judged, const struct loaded_model *loaded, const struct history *history,
                const struct test_set *set, const struct report_settings *settings, struct err *err);
void judged_release(struct judged *judged);

void report_add_scores(struct strbuf *page, const struct judged *judged, int count);
void report_add_lengths(struct strbuf *page, const struct judged *judged, int count,
                        const struct test_set *set);
/* BLEU on the validation set in training, a line for each model. */
void report_add_validations(struct strbuf *page, const struct judged *judged, int count);
/* The sentences that came out best and worst, and what the words of the worst ones looked at. */
void report_add_sentences(struct strbuf *page, const struct judged *judged, const struct test_set *set,
                          int threads);

#endif
