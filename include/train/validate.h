/* validate: measures the current weights on the validation corpus. */
#ifndef NMT_VALIDATE_H
#define NMT_VALIDATE_H

#include "metrics.h"
#include "translate.h"
#include "valid_set.h"
#include "workers.h"

/* The first sentence, and one in the middle. */
#define VALIDATION_SAMPLES 2

struct validation {
    double perplexity, perplexity_per_character, bleu, chrf;
    double seconds;
    char *samples[VALIDATION_SAMPLES];       /* translations */
    size_t sample_lines[VALIDATION_SAMPLES]; /* their indices in the set's raw lines */
    int sample_count;                        /* 1 of a set of one line */
};

/* How a config's translations are scored: by training.tokenize, where auto is none for tokenized text and
 * 13a for raw text; in lower case if trained so. */
struct metric_options scoring_of(const struct config *config);
/* The same, where auto is what suits the script of `target` instead of 13a. */
struct metric_options scoring_for_text(const struct config *config, const struct lines *target);

/* The settings of translation for validation. */
void validation_options(struct translate_options *options, const struct config *config, int threads);
/* Each rank translates a part and computes the loss of a part; all get the result. */
void validate(struct validation *result, struct workers *workers, const struct config *config,
              const struct language_pair *pair, const struct valid_set *set);
void validation_release(struct validation *validation);
/* The score by the config's metric; higher is better. */
double validation_score(enum metric_kind metric, double perplexity, double bleu, double chrf);

#endif
