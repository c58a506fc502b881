/* nmt tune: finds the settings of beam search on the validation set and writes them into the model's config.
 */
#include "cmd_shared.h"
#include "commands.h"
#include "fileio.h"
#include "log.h"
#include "parseopt.h"
#include "prepare.h"
#include "validate.h"

#include <stdio.h>
#include <stdlib.h>

struct settings {
    const char *model;
    int max_beam, threads;
    bool keep;
};

/* What is tried, one setting after the other, each from the best of those before. */
static const struct trial {
    const char *name;
    size_t offset; /* in struct beam_options */
    double values[12];
    int count;
    bool whole; /* an int, not a double */
} trials[] = {
#define FIELD(field) #field, offsetof(struct beam_options, field)
    {FIELD(length_penalty), {0, 0.2, 0.4, 0.6, 0.8, 1, 1.2, 1.4, 1.6, 1.8, 2, 2.5}, 12, false},
    {FIELD(coverage_penalty), {0, 0.05, 0.1, 0.2, 0.3, 0.5}, 6, false},
    {FIELD(beam), {1, 2, 3, 4, 5, 6, 8, 10, 12, 16, 20, 30}, 12, true},
    {FIELD(length_penalty), {0, 0.2, 0.4, 0.6, 0.8, 1, 1.2, 1.4, 1.6, 1.8, 2, 2.5}, 12, false},
#undef FIELD
};

static double get(const struct beam_options *options, const struct trial *trial)
{
    const char *at = (const char *)options + trial->offset;
    return trial->whole ? *(const int *)(const void *)at : *(const double *)(const void *)at;
}

static void set(struct beam_options *options, const struct trial *trial, double value)
{
    char *at = (char *)options + trial->offset;
    if (trial->whole)
        *(int *)(void *)at = (int)value;
    else
        *(double *)(void *)at = value;
}

/* The score by the config's metric; BLEU where that is perplexity, which does not depend on the search. */
static double try(const struct translate_options *options, const struct loaded_model *loaded,
                  struct translator *translator, const struct raw_pairs *raw)
{
    struct validation v;
    const int metric = loaded->config.training.metric;
    translator->options.beam.beam = options->beam.beam;
    translator->options.beam.length_penalty = options->beam.length_penalty;
    translator->options.beam.coverage_penalty = options->beam.coverage_penalty;
    validate_translations(&v, &loaded->config, translator, raw);
    validation_release(&v);
    printf("beam %-3d length_penalty %-5g coverage_penalty %-5g BLEU %.2f  chrF %.2f\n", options->beam.beam,
           options->beam.length_penalty, options->beam.coverage_penalty, v.bleu, v.chrf);
    fflush(stdout);
    return metric == METRIC_CHRF ? v.chrf : v.bleu;
}

static void search(struct translate_options *best, const struct settings *s,
                   const struct loaded_model *loaded, const struct raw_pairs *raw)
{
    struct translator translator;
    translator_open(&translator, loaded, best);
    double best_score = try(best, loaded, &translator, raw);
    for (size_t i = 0; i < sizeof trials / sizeof trials[0]; i++) {
        const struct trial *trial = &trials[i];
        const double before = get(&best->beam, trial);
        for (int k = 0; k < trial->count; k++) {
            struct translate_options options = *best;
            set(&options.beam, trial, trial->values[k]);
            if (trial->values[k] == before || options.beam.beam > s->max_beam)
                continue;
            const double score = try(&options, loaded, &translator, raw);
            if (score > best_score) {
                best_score = score;
                *best = options;
            }
        }
    }
    translator_release(&translator);
}

static int write_config(struct loaded_model *loaded, const struct beam_options *best, struct err *err)
{
    struct config_decoding *decoding = &loaded->config.decoding;
    char *path = path_join(loaded->dir, MODEL_CONFIG);
    decoding->beam = best->beam;
    decoding->length_penalty = best->length_penalty;
    decoding->coverage_penalty = best->coverage_penalty;
    const int status = config_save(&loaded->config, path, err);
    if (!status)
        log_info("written: %s", path);
    free(path);
    return status;
}

static int run(const struct settings *s, struct loaded_model *loaded, struct err *err)
{
    const struct config_pairs *valid = &loaded->config.data.valid;
    struct corpus corpus;
    struct raw_pairs raw = {.count = 0};
    if (!valid->source && !valid->tsv)
        return err_set(err, "cannot tune '%s': its config names no 'data.valid'", loaded->dir);
    corpus_init(&corpus);
    int status = prepare_evaluation(&corpus, &raw, &loaded->pair, valid, err);
    if (!status) {
        struct translate_options best;
        translate_options_init(&best, &loaded->config);
        best.threads = thread_count(s->threads);
        search(&best, s, loaded, &raw);
        printf("best: beam %d, length_penalty %g, coverage_penalty %g\n", best.beam.beam,
               best.beam.length_penalty, best.beam.coverage_penalty);
        status = s->keep ? 0 : write_config(loaded, &best.beam, err);
    }
    corpus_release(&corpus);
    raw_pairs_release(&raw);
    return status;
}

int cmd_tune(int argc, char **argv)
{
    struct settings s = {.max_beam = 12};
    const struct option_spec options[] = {
        {"model", 'm', OPTION_STRING, &s.model, "DIR",
         "model directory (default: $NMT_MODEL, else the last one trained)", 0, 0},
        {"max-beam", 'b', OPTION_INT, &s.max_beam, "N", "widest beam that is tried (default: 12)", 1, 1000},
        {"keep", 'k', OPTION_FLAG, &s.keep, NULL, "leave the model's config as it is", 0, 0},
        {"threads", 't', OPTION_INT, &s.threads, "N", "worker threads (default: one per core)", 0, 1024},
        {NULL, 0, OPTION_FLAG, NULL, NULL, NULL, 0, 0},
    };
    const struct command_help help = {
        "nmt tune [--model DIR] [options]",
        "Translates the validation set with one setting of beam search after the other and writes the best\n"
        "ones into the model's config.json."};
    PARSE_OR_RETURN(argc, argv, options, &help);
    struct err err;
    struct loaded_model loaded;
    if (open_model(&loaded, s.model, &err))
        return fail(&err);
    const int status = run(&s, &loaded, &err) ? fail(&err) : EXIT_DONE;
    loaded_model_close(&loaded);
    return status;
}
