/* Translates the validation set with given settings, scores it, and writes the chosen ones.
 * tuning_search.c selects what to try. */
#include "tuning.h"

#include "fileio.h"
#include "log.h"
#include "mem.h"
#include "models.h"
#include "prepacked.h"
#include "translate_on_ranks.h"
#include "tuning_search.h"
#include "valid_set.h"
#include "validate.h"

#define LEAST_SENTENCES 2 /* for a standard error */

/* The validation set and its translations. */
struct searched_set {
    const struct lines *source, *reference;
    struct metrics empty; /* of no sentences, as BLEU splits the reference */
    struct translator translator;
    struct translations *found; /* [source->count]: all hypotheses of the last search */
    int beam;                   /* of the last search, or 0 */
    size_t *joined;             /* [joined_count]: lines of several parts, which have only the best of each */
    size_t joined_count;
};

static void forget(struct searched_set *set)
{
    for (size_t i = 0; i < set->source->count; i++)
        translations_release(&set->found[i]);
    xfree(set->joined);
    set->joined = NULL;
    set->joined_count = 0;
    set->beam = 0;
}

/* Warnings at the end are of the last search of all lines, and of later ones of some. */
static void reset_counts(struct translator *translator)
{
    const struct judges *judges = translator->options.judges;
    translator->overflowed_lines = 0;
    for (enum judge_kind kind = 0; kind < JUDGE_KINDS; kind++)
        if (judges_have(judges, kind))
            judges->of[kind]->unread = 0;
}

static void search(struct searched_set *set, const struct beam_options *options)
{
    forget(set);
    reset_counts(&set->translator);
    set->translator.options.beam = *options;
    set->beam = options->beam;
    translator_run(&set->translator, set->found, set->source, NULL, NULL, NULL);
    set->joined = xmalloc(set->source->count, sizeof *set->joined);
    for (size_t i = 0; i < set->source->count; i++)
        if (set->found[i].best->parts > 1)
            set->joined[set->joined_count++] = i;
}

/* Translates lines of several parts again, with another ranking of the hypotheses of each part. */
static void search_joined(struct searched_set *set, const struct beam_options *options)
{
    const size_t count = set->joined_count;
    struct translations *found = xcalloc(count, sizeof *found);
    struct lines some = {.count = 0};
    for (size_t i = 0; i < count; i++)
        lines_add(&some, set->source->text[set->joined[i]], set->source->bytes[set->joined[i]]);
    set->translator.options.beam = *options;
    translator_run(&set->translator, found, &some, NULL, NULL, NULL);
    for (size_t i = 0; i < count; i++) {
        translations_release(&set->found[set->joined[i]]);
        set->found[set->joined[i]] = found[i];
    }
    lines_release(&some);
    xfree(found);
}

static bool rank_alike(const struct beam_options *a, const struct beam_options *b)
{
    bool alike = a->length_penalty == b->length_penalty && a->coverage_penalty == b->coverage_penalty;
    for (enum judge_kind kind = 0; kind < JUDGE_KINDS; kind++)
        alike &= a->judge_weights[kind] == b->judge_weights[kind];
    return alike;
}

static struct beam_options options_of(const struct searched_set *set, const struct config_decoding *decoding)
{
    struct beam_options options = set->translator.options.beam;
    options.beam = options.n_best = decoding->beam;
    options.length_penalty = decoding->length_penalty;
    options.coverage_penalty = decoding->coverage_penalty;
    for (enum judge_kind kind = 0; kind < JUDGE_KINDS; kind++)
        options.judge_weights[kind] = judge_weight(decoding, kind);
    return options;
}

static const char *best_text(const struct translations *found, const struct beam_options *options)
{
    struct translation *best = found->best;
    for (int k = 0; k < found->count; k++) {
        found->best[k].score = beam_score(&found->best[k].terms, options);
        if (translation_is_better(&found->best[k], best))
            best = &found->best[k];
    }
    return best->text;
}

/* Only another beam than the last one needs a search: penalties merely rerank the hypotheses found, where
 * these are of whole lines. */
static void try(struct tuning_trial *trial, void *context)
{
    struct searched_set *set = context;
    const struct beam_options options = options_of(set, &trial->decoding);
    const size_t count = set->source->count;
    struct metrics all = set->empty, *sentences = xcalloc(count, sizeof *sentences);
    if (options.beam != set->beam)
        search(set, &options);
    else if (set->joined_count && !rank_alike(&options, &set->translator.options.beam))
        search_joined(set, &options);
    for (size_t i = 0; i < count; i++) {
        const char *reference = set->reference->text[i];
        sentences[i] = set->empty;
        metrics_add(&sentences[i], best_text(&set->found[i], &options), &reference);
        metrics_sum(&all, &sentences[i]);
    }
    for (int m = 0; m < PLACE_COUNT; m++)
        trial->scores[m] = metric_table[m].score(&all);
    bootstrap_draw(&trial->bootstrap, sentences, count, &set->empty);
    xfree(sentences);
}

static int write_config(const struct loaded_model *loaded, const char *path, struct err *err)
{
    const int status = config_save(&loaded->config, path, err);
    if (!status)
        log_info("written: %s", path);
    return status;
}

/* The files must be where they were at the training: no option names others. */
static int load_valid(struct valid_set *pairs, const struct loaded_model *loaded, struct err *err)
{
    const struct config_pairs *valid = &loaded->config.data.valid;
    const struct pair_files files = pair_files_of(valid);
    if (!valid_set_load(pairs, &loaded->pair, valid, err))
        return 0;
    for (int side = 0; side < SIDES; side++)
        if (!file_exists(pair_files_path(&files, side)))
            return err_set(err, "%s ('data.valid' of '%s/" MODEL_CONFIG "' may name its new place)",
                           err->text, loaded->files.path);
    return -1;
}

/* Leaves the chosen settings in the config of the first model. Returns as tuning_run. */
static int choose_settings(struct models *models, const struct tuning_settings *settings, struct err *err)
{
    struct loaded_model *loaded = &models->loaded[0];
    const struct config_pairs *valid = &loaded->config.data.valid;
    struct valid_set pairs = {.raw = {{.count = 0}}};
    if (!config_pairs_given(valid))
        return err_set(err, "cannot tune '%s': its config names no 'data.valid'", loaded->files.path);
    struct searched_set set = {.source = &pairs.raw[SOURCE], .reference = &pairs.raw[TARGET]};
    const struct tuning_limits limits = {settings->max_beam, &models->judges};
    struct translate_options options;
    struct ensemble ensemble;
    translate_options_init(&options, &loaded->config);
    options.threads = settings->threads;
    options.beam.coverage = true;
    options.beam.sampled = false;
    options.judges = &models->judges;
    int status = load_valid(&pairs, loaded, err);
    if (!status && set.source->count < LEAST_SENTENCES) {
        log_warn("nothing is tuned: the validation set has one sentence");
        status = 1;
    }
    if (!status)
        status = ensemble_open(&ensemble, models->loaded, models->count, err);
    if (!status) {
        prepacked_begin(options.threads);
        translator_init(&set.translator, &ensemble, &options);
        set.found = xcalloc(set.source->count, sizeof *set.found);
        const struct metric_options scoring = scoring_for_text(&loaded->config, set.reference);
        metrics_init(&set.empty, &scoring, 1);
        tuning_search(&loaded->config, &limits, try, &set);
        translator_warn(&set.translator, &RANKS_ALONE);
        forget(&set);
        xfree(set.found);
        translator_release(&set.translator);
        ensemble_release(&ensemble);
    }
    valid_set_release(&pairs);
    return status;
}

int tuning_run(struct models *models, const struct tuning_settings *settings, struct err *err)
{
    const bool write = !settings->keep && models->count == 1;
    if (models->loaded[0].files.packed)
        return err_set(
            err,
            "cannot tune '%s': a packed file names no validation set: tune the model's directory and "
            "pack it again",
            models->loaded[0].files.path);
    char *path = path_join(models->loaded[0].files.path, MODEL_CONFIG);
    int status = write ? file_check_writable(path, err) : 0;
    if (!status)
        status = choose_settings(models, settings, err);
    if (!status && write)
        status = write_config(&models->loaded[0], path, err);
    xfree(path);
    return status;
}
