#include "tune.h"

#include "evaluation.h"
#include "fileio.h"
#include "log.h"
#include "validate.h"

#include <stddef.h>
#include <stdlib.h>

/* Worse results in a row after which no more is tried in that direction: scores are not smooth. */
#define PATIENCE 2

/* What is tried, one setting after the other, each upwards and downwards from the best so far. */
static const struct trial {
    size_t offset; /* in struct config_decoding */
    double values[12];
    int count;
    bool whole; /* an int, not a double */
} trials[] = {
#define FIELD(field) offsetof(struct config_decoding, field)
    {FIELD(length_penalty), {0, 0.2, 0.4, 0.6, 0.8, 1, 1.2, 1.4, 1.6, 1.8, 2, 2.5}, 12, false},
    {FIELD(coverage_penalty), {0, 0.05, 0.1, 0.2, 0.3, 0.5}, 6, false},
    {FIELD(beam), {1, 2, 3, 4, 5, 6, 8, 10, 12, 16, 20, 30}, 12, true},
    {FIELD(length_penalty), {0, 0.2, 0.4, 0.6, 0.8, 1, 1.2, 1.4, 1.6, 1.8, 2, 2.5}, 12, false},
#undef FIELD
};

static double get(const struct config_decoding *decoding, const struct trial *trial)
{
    const char *at = (const char *)decoding + trial->offset;
    return trial->whole ? *(const int *)(const void *)at : *(const double *)(const void *)at;
}

static void set(struct config_decoding *decoding, const struct trial *trial, double value)
{
    char *at = (char *)decoding + trial->offset;
    if (trial->whole)
        *(int *)(void *)at = (int)value;
    else
        *(double *)(void *)at = value;
}

struct search {
    struct loaded_model *loaded;
    const struct tune_settings *settings;
    const struct raw_pairs *raw;
    struct translator translator;
    struct config_decoding best;
    double best_score;
};

/* The score with what the model's config says now: by its metric, or BLEU where that is perplexity, which
 * does not depend on the search. */
static double try(struct search *search)
{
    struct validation v;
    const struct config *config = &search->loaded->config;
    const struct config_decoding *decoding = &config->decoding;
    struct beam_options *beam = &search->translator.options.beam;
    beam->beam = decoding->beam;
    beam->length_penalty = decoding->length_penalty;
    beam->coverage_penalty = decoding->coverage_penalty;
    validate_translations(&v, config, &search->translator, search->raw, &RANKS_ALONE);
    validation_release(&v);
    log_info("beam %-3d length_penalty %-5g coverage_penalty %-5g BLEU %.2f  chrF %.2f", decoding->beam,
             decoding->length_penalty, decoding->coverage_penalty, v.bleu, v.chrf);
    return config->training.metric == METRIC_CHRF ? v.chrf : v.bleu;
}

/* May it be tried? No wider beam than was asked for, and nothing that the network has no use for. */
static bool is_possible(const struct search *search)
{
    struct err err;
    const struct config *config = &search->loaded->config;
    return config->decoding.beam <= search->settings->max_beam && !config_check_model(config, &err);
}

/* Tries the values beyond the best one, in steps of 1 or -1. */
static void climb(struct search *search, const struct trial *trial, int step)
{
    struct config_decoding *decoding = &search->loaded->config.decoding;
    const double from = get(&search->best, trial);
    int worse = 0;
    for (int i = 0; i < trial->count && worse < PATIENCE; i++) {
        const double value = trial->values[step > 0 ? i : trial->count - 1 - i];
        if (step > 0 ? value <= from : value >= from)
            continue;
        set(decoding, trial, value);
        if (!is_possible(search))
            break;
        const double score = try(search);
        worse = score > search->best_score ? 0 : worse + 1;
        if (score > search->best_score) {
            search->best_score = score;
            search->best = *decoding;
        }
    }
    *decoding = search->best;
}

static void find_best(struct search *search)
{
    search->best = search->loaded->config.decoding;
    search->best_score = try(search);
    for (size_t i = 0; i < sizeof trials / sizeof trials[0]; i++) {
        const double from = get(&search->best, &trials[i]);
        climb(search, &trials[i], 1);
        if (get(&search->best, &trials[i]) == from)
            climb(search, &trials[i], -1);
    }
}

static int write_config(const struct loaded_model *loaded, struct err *err)
{
    char *path = path_join(loaded->dir, MODEL_CONFIG);
    const int status = config_save(&loaded->config, path, err);
    if (!status)
        log_info("written: %s", path);
    free(path);
    return status;
}

int tune(struct models *models, const struct tune_settings *settings, struct err *err)
{
    struct loaded_model *loaded = &models->loaded[0];
    const struct config_pairs *valid = &loaded->config.data.valid;
    struct corpus corpus;
    struct raw_pairs raw = {.count = 0};
    if (!valid->source && !valid->tsv)
        return err_set(err, "cannot tune '%s': its config names no 'data.valid'", loaded->dir);
    corpus_init(&corpus);
    struct search search = {.loaded = loaded, .settings = settings, .raw = &raw};
    struct translate_options options;
    translate_options_init(&options, &loaded->config);
    options.threads = settings->threads;
    int status = evaluation_read(&corpus, &raw, &loaded->pair, valid, err);
    if (!status)
        status = open_translator(&search.translator, models->loaded, models->count, &options, err);
    if (!status) {
        find_best(&search);
        translator_release(&search.translator);
        if (!settings->keep && models->count == 1)
            status = write_config(loaded, err);
    }
    corpus_release(&corpus);
    raw_pairs_release(&raw);
    return status;
}
