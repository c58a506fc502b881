#include "tune.h"

#include "evaluation.h"
#include "fileio.h"
#include "log.h"
#include "mem.h"
#include "tuning.h"
#include "validate.h"

#include <stdlib.h>

struct validation_set {
    const struct config *config;
    const struct raw_pairs *raw;
    struct translator translator;
};

static void translate(struct tuning_trial *trial, void *context)
{
    enum mteval_kind kind;
    bool lowercase;
    struct validation_set *set = context;
    struct beam_options *beam = &set->translator.options.beam;
    const struct raw_pairs *raw = set->raw;
    struct metrics empty, all, *sentences = xcalloc(raw->count, sizeof *sentences);
    char **texts = xcalloc(raw->count, sizeof *texts);
    beam->beam = trial->decoding.beam;
    beam->length_penalty = trial->decoding.length_penalty;
    beam->coverage_penalty = trial->decoding.coverage_penalty;
    translator_best(texts, &set->translator, raw->source, raw->source_bytes, (int)raw->count, &RANKS_ALONE,
                    NULL, NULL);
    scoring_of(set->config, &kind, &lowercase);
    metrics_init(&empty, kind, lowercase, 1);
    all = empty;
    for (size_t i = 0; i < raw->count; i++) {
        const char *reference = raw->target[i];
        sentences[i] = empty;
        metrics_add(&sentences[i], texts[i], &reference);
        metrics_sum(&all, &sentences[i]);
        free(texts[i]);
    }
    for (int m = 0; m < METRIC_COUNT; m++)
        trial->scores[m] = metric_table[m].score(&all);
    bootstrap_draw(&trial->bootstrap, sentences, raw->count, &empty);
    free(sentences);
    free(texts);
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
    struct validation_set set = {.config = &loaded->config, .raw = &raw};
    struct translate_options options;
    translate_options_init(&options, &loaded->config);
    options.threads = settings->threads;
    int status = evaluation_read(&corpus, &raw, &loaded->pair, valid, err);
    if (!status)
        status = open_translator(&set.translator, models->loaded, models->count, &options, err);
    if (!status) {
        tuning_run(&loaded->config, settings->max_beam, translate, &set);
        translator_release(&set.translator);
        if (!settings->keep && models->count == 1)
            status = write_config(loaded, err);
    }
    corpus_release(&corpus);
    raw_pairs_release(&raw);
    return status;
}
