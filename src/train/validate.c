/* Perplexity, BLEU and chrF of the weights on the validation set. trainer.c decides what follows. */
#include "validate.h"

#include "log.h"
#include "mem.h"
#include "mteval_choice.h"
#include "scoring.h"
#include "translate_on_ranks.h"

#include <string.h>

static enum mteval_kind tokenizer_of(const struct config *config)
{
    if (config->training.tokenize != MTEVAL_AUTO)
        return config->training.tokenize;
    return config->text.tokenizer == TOKENIZE_WHITESPACE ? MTEVAL_NONE : MTEVAL_13A;
}

struct metric_options scoring_of(const struct config *config)
{
    return (struct metric_options){
        .tokenize = tokenizer_of(config),
        .lowercase = config->text.lowercase,
        .chrf_lowercase = config->text.lowercase,
    };
}

struct metric_options scoring_for_text(const struct config *config, const struct lines *target)
{
    struct metric_options scoring = scoring_of(config);
    if (config->training.tokenize == MTEVAL_AUTO && scoring.tokenize == MTEVAL_13A)
        scoring.tokenize = mteval_choose_for(target->text, target->bytes, target->count);
    return scoring;
}

/* Translates: BLEU, chrF and samples. */
static void validate_translations(struct validation *result, const struct config *config,
                                  struct translator *translator, const struct valid_set *set,
                                  const struct ranks *ranks)
{
    const struct metric_options scoring = scoring_of(config);
    struct bleu bleu;
    struct chrf chrf;
    const struct lines *source = &set->raw[SOURCE];
    struct lines best = {.count = 0};
    translate_on_ranks(&best, translator, source, ranks, NULL);
    bleu_init(&bleu, scoring.tokenize, scoring.lowercase, 1);
    chrf_init(&chrf, scoring.chrf_lowercase, scoring.chrf_word_order, 1);
    for (size_t i = 0; i < source->count; i++) {
        const char *reference = set->raw[TARGET].text[i];
        bleu_add(&bleu, best.text[i], &reference);
        chrf_add(&chrf, best.text[i], &reference);
    }
    result->bleu = bleu_score(&bleu).score;
    result->chrf = chrf_score(&chrf);
    result->sample_count = source->count < VALIDATION_SAMPLES ? (int)source->count : VALIDATION_SAMPLES;
    for (int s = 0; s < result->sample_count; s++) {
        result->sample_lines[s] = s ? source->count / 2 : 0;
        result->samples[s] = xstrdup(best.text[result->sample_lines[s]]);
    }
    lines_release(&best);
}

void validation_options(struct translate_options *options, const struct config *config, int threads)
{
    translate_options_init(options, config);
    options->beam.beam = config->training.validation_beam;
    options->beam.sampled = false;
    options->truecase = false;
    options->beam.max_repetitions = 0; /* judge the network: the guard would hide its loops */
    options->threads = threads;
}

void validate(struct validation *result, struct workers *workers, const struct config *config,
              const struct language_pair *pair, const struct valid_set *set)
{
    const double begin = clock_seconds();
    const struct loss loss = corpus_loss(workers->model, workers_result(workers), &set->corpus,
                                         team_members(workers->team), &workers->ranks);
    const struct perplexity perplexity = perplexity_of(&loss, &set->corpus);
    struct translate_options options;
    struct ensemble alone;
    struct translator translator;
    result->perplexity = perplexity.per_token;
    result->perplexity_per_character = perplexity.per_character;
    validation_options(&options, config, team_members(workers->team));
    ensemble_init(&alone, pair, workers->model, workers_result(workers));
    translator_init(&translator, &alone, &options);
    validate_translations(result, config, &translator, set, &workers->ranks);
    translator_release(&translator);
    ensemble_release(&alone);
    result->seconds = clock_seconds() - begin;
}

void validation_release(struct validation *validation)
{
    for (int s = 0; s < validation->sample_count; s++)
        xfree(validation->samples[s]);
}

double validation_score(enum metric_kind metric, double perplexity, double bleu, double chrf)
{
    switch (metric) {
    case METRIC_BLEU:
        return bleu;
    case METRIC_CHRF:
        return chrf;
    case METRIC_PERPLEXITY:
        return -perplexity;
    }
    BUG("unknown metric %d", metric);
}
