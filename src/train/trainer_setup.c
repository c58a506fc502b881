/* Sets a training up: text, network, workers, weights (initial or from a checkpoint), model directory. The
 * updates are in trainer.c. */
#include "trainer_setup.h"

#include "auto_settings.h"
#include "checksum.h"
#include "config_auto.h"
#include "fileio.h"
#include "history.h"
#include "inherit.h"
#include "kernel.h"
#include "machine.h"
#include "mat.h"
#include "mem.h"
#include "mteval_choice.h"
#include "params.h"
#include "paths.h"
#include "prepare.h"
#include "scoring.h"
#include "validate.h"

#include <float.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

#define MIB (1024.0 * 1024.0)
#define MOST_CUT 0.02 /* part of the validation text that the search may cut without a warning */

/* Shards per rank; if the config does not say, as many as rank 0 has threads. */
static int count_shards(int *shards, const struct trainer *t, int threads, struct err *err)
{
    const int wanted = t->config->training.shards, ranks = t->ranks->count;
    *shards = wanted ? wanted / ranks : threads;
    ranks_broadcast(t->ranks, shards, sizeof *shards);
    return wanted % ranks == 0
               ? 0
               : err_set(err, "'training.shards' is %d, which %d ranks cannot share evenly", wanted, ranks);
}

/* All ranks must run the same program with the same config. */
static int check_program(const struct trainer *t, struct err *err)
{
    struct strbuf text;
    strbuf_init(&text);
    strbuf_adds(&text, t->version);
    config_print(t->config, &text);
    const uint64_t sum = checksum_add(0, text.text, text.length);
    strbuf_release(&text);
    return ranks_same(t->ranks, sum)
               ? 0
               : err_set(err, "the ranks of this training differ in their nmt or config");
}

static int check_text(const struct trainer *t, struct err *err)
{
    const struct corpus *valid = &t->valid.corpus;
    const uint64_t valid_sum = checksum_add(0, valid->ids, valid->ids_count * sizeof *valid->ids);
    if (!ranks_same(t->ranks, corpus_file_checksum(&t->set.file)))
        return err_set(err, "the ranks of this training differ in their training text");
    if (!ranks_same(t->ranks, valid_sum) || !ranks_same(t->ranks, t->valid.raw[SOURCE].count))
        return err_set(err, "the ranks of this training differ in their validation text");
    return 0;
}

/* Is a file of the model that of its prepared text? A run that resumed with longer lines, and was stopped
 * before it logged so, has put it there. */
static bool is_as_prepared(const struct history_file *file, const char *dir)
{
    struct err ignored;
    uint64_t own, prepared;
    char *folder = path_join(dir, PREPARE_FOLDER), *copy = path_join(folder, file->name),
         *path = path_join(dir, file->name);
    const bool is =
        !checksum_file(&own, path, &ignored) && !checksum_file(&prepared, copy, &ignored) && own == prepared;
    xfree(path);
    xfree(copy);
    xfree(folder);
    return is;
}

/* With other subwords or vocabularies, the weights would belong to other words. */
static int check_words(const struct history *history, const char *dir, struct err *err)
{
    int status = 0;
    for (size_t i = 0; i < history->file_count && !status; i++) {
        const struct history_file *file = &history->files[i];
        if (file->name[0] != '/' && history_file_check(file, dir) == FILE_CHANGED &&
            !is_as_prepared(file, dir))
            status = err_set(err,
                             "'%s/%s' is not as it was when the training began: put it back to resume "
                             "(--restart begins again)",
                             dir, file->name);
    }
    return status;
}

/* A resumed training may have other text; warns if it does. */
static void warn_of_other_text(const struct trainer *t, const struct history *history)
{
    const char *path;
    for (int i = 0; (path = config_train_file(t->config, i)); i++) {
        const struct history_file *recorded = history_find_file(history, path);
        char digits[CHECKSUM_DIGITS + 1];
        checksum_print(digits, t->set.file.stamps[i].checksum);
        if (recorded && strcmp(recorded->checksum, digits))
            log_warn("'%s' is not as it was when the training began", path);
    }
}

int trainer_check_processor(const struct config *config, struct err *err)
{
    if (config->training.precision == TRAIN_BFLOAT16 && !has_bf16_instructions())
        return err_set(err,
                       "cannot train with 'training.precision' bfloat16: this processor has no AVX512-BF16 "
                       "(float32 runs on all)");
    return 0;
}

int trainer_check_init_from(const struct config *config, struct err *err)
{
    struct config settled = *config; /* shares its texts */
    enum pair_origin origin = PAIR_LEARNED;
    if (!config->training.init_from)
        return 0;
    return auto_settings_inherit(&settled, &origin, err)
               ? -1
               : inherit_check(&settled, origin == PAIR_INHERITED, config->training.init_from, err);
}

int trainer_find_unknown(const struct config *config, const char *dir, unknown_taker *take, void *context,
                         struct err *err)
{
    struct config settled = *config; /* shares its texts */
    enum pair_origin origin = PAIR_LEARNED;
    if (auto_settings_inherit(&settled, &origin, err))
        return -1;
    return origin == PAIR_INHERITED ? prepare_find_unknown(&settled, dir, take, context, err) : 0;
}

/* A training that began with a limit of time or updates, and no longer has one, ends after as many epochs as
 * suit its text. `given`: the config has its own limit of epochs. */
static void replace_limit(struct config *config, const struct config *begun, bool given,
                          const struct history *history)
{
    const struct config_training *was = &begun->training;
    struct config_training *now = &config->training;
    const bool had_limit = was->max_minutes > 0 || was->max_updates,
               has_limit = now->max_minutes > 0 || now->max_updates;
    if (!given && had_limit && !has_limit && !was->max_epochs)
        now->max_epochs =
            config_auto_epochs(isnan(history->pairs_weighted) ? history->pairs : history->pairs_weighted);
}

/* Are two numbers other ones, of which the second was written in decimals? */
static bool are_other(double a, double b)
{
    return fabs(a - b) > 1e-9 * fabs(b);
}

static bool have_other_limits(const struct config_training *a, const struct config_training *b)
{
    return a->max_epochs != b->max_epochs || a->max_updates != b->max_updates ||
           are_other(a->max_minutes, b->max_minutes);
}

/* Weights and words are there already: another model to begin with would have no effect. What is only a new
 * name, of the model itself or of one that was moved, is no other. */
static void keep_init_from(struct trainer *t, const struct config *begun)
{
    const char *const was = begun->training.init_from, *const now = t->own.training.init_from;
    char *old = was ? path_absolute(was) : NULL, *new = now ? path_absolute(now) : NULL;
    if (new && (!old || (strcmp(new, old) != 0 && file_exists(old))) &&
        !paths_are_same(now, t->config->model_dir))
        log_warn("'training.init_from' has no effect on a resumed training: it began with %s%s%s (--restart "
                 "begins again)",
                 old ? "'" : "", old ? was : "random weights", old ? "'" : "");
    t->init_from = was ? xstrdup(was) : NULL;
    t->own.training.init_from = t->init_from;
    xfree(new);
    xfree(old);
}

/* Takes over what was settled when the training began. -1 if the config is not compatible. */
static int take_begun_settings(struct trainer *t, const struct config *begun, const struct history *history,
                               struct err *err)
{
    const bool given = !config_is_auto(&t->own, "training.max_epochs");
    config_auto_take(&t->own, begun, AUTO_ALL);
    replace_limit(&t->own, begun, given, history);
    return config_check(t->config, err) || config_check_end(t->config, err) ||
                   config_check_resume(t->config, begun, err) || trainer_check_processor(t->config, err)
               ? -1
               : 0;
}

/* Notes in which ways the config differs from that of the training that was begun. */
static void note_differences(struct trainer *t, const struct config *begun)
{
    const struct config_training *now = &t->config->training, *before = &begun->training;
    t->unvalidated = !config_pairs_given(&begun->data.valid);
    t->other_patience = now->patience != before->patience;
    t->other_limits = have_other_limits(now, before);
    t->other_rate = are_other(now->learning_rate, before->learning_rate) || now->schedule != before->schedule;
}

/* Goes on with the settings of the training that was begun. */
static int resume_settings(struct trainer *t, const struct model_files *files, const struct history *history,
                           struct err *err)
{
    struct config begun;
    config_init(&begun);
    int status = model_dir_config(&begun, files, err);
    if (!status)
        status = take_begun_settings(t, &begun, history, err);
    if (t->own.training.tokenize == MTEVAL_AUTO) /* what was chosen, or not, when the training began */
        t->own.training.tokenize = begun.training.tokenize;
    if (!status) {
        keep_init_from(t, &begun);
        config_print_changes(t->config, &begun, &t->changes);
    }
    note_differences(t, &begun);
    config_release(&begun);
    return status;
}

static int reload_pair(struct trainer *t, const struct model_files *files, struct err *err)
{
    language_pair_release(&t->pair);
    return language_pair_load(&t->pair, t->config, files, err);
}

static int resume_training_text(struct trainer *t, struct err *err)
{
    struct model_files files;
    struct history history;
    if (model_files_open(&files, t->config->model_dir, err))
        return -1;
    int status = history_load(&history, &files, err);
    if (!status) {
        status = resume_settings(t, &files, &history, err) || check_words(&history, files.path, err) ||
                         reload_pair(t, &files, err)
                     ? -1
                     : 0;
        const int64_t longest = t->pair.splitter.longest;
        if (!status)
            status = training_set_open(&t->set, &t->pair, &t->own, PAIR_LOADED, err);
        t->longer_lines = t->pair.splitter.longest > longest;
        if (!status)
            warn_of_other_text(t, &history);
        history_release(&history);
    }
    model_files_close(&files);
    return status;
}

static int load_training_text(struct trainer *t, enum train_start start, enum pair_origin origin,
                              struct err *err)
{
    if (start == TRAIN_RESUME ? resume_training_text(t, err)
                              : training_set_open(&t->set, &t->pair, &t->own, origin, err))
        return -1;
    const char *missing = language_pair_missing_tag(t->config, t->pair.tokenizer[SOURCE].vocab);
    if (missing)
        return err_set(err,
                       "the source vocabulary has no tag '%s' of 'data.train': a model learns its tags when "
                       "its training begins, and of 'text.vocabulary_size' and 'text.vocabulary_threshold' "
                       "both must let them in",
                       missing);
    return language_pair_set_tag(&t->pair, t->config, err);
}

/* Warns where the search would cut what the validation text has: definitions of a word, for example. */
static void warn_of_long_targets(const struct trainer *t)
{
    const struct corpus *corpus = &t->valid.corpus;
    struct translate_options options;
    size_t longer = 0;
    translate_options_init(&options, t->config);
    for (size_t i = 0; i < corpus->pairs; i++) {
        size_t source, target;
        corpus_source(corpus, i, &source);
        corpus_target(corpus, i, &target);
        longer += target - 1 > beam_longest_translation(&options.beam, source);
    }
    if ((double)longer > MOST_CUT * (double)corpus->pairs)
        log_warn(
            "%zu of %zu validation targets are longer than 'decoding.max_length_ratio' %g lets translations "
            "become",
            longer, corpus->pairs, options.beam.max_length_ratio);
}

static int load_corpora(struct trainer *t, enum train_start start, enum pair_origin origin, struct err *err)
{
    const struct config *config = t->config;
    for (int rank = 0; rank < t->ranks->count; rank++) { /* on a shared file system, the first rank
                                                          * prepares for all */
        const int status = rank == t->ranks->rank ? load_training_text(t, start, origin, err) : 0;
        if (ranks_agree(t->ranks, status, err))
            return -1;
    }
    prepare_report(&t->set.file.end.totals, config);
    int status = 0;
    if (!t->set.file.end.totals.pairs)
        status = err_set(err, "no sentence pairs to train on in '%s'", config_train_file(config, 0));
    const struct config_pairs *valid = &config->data.valid;
    if (!status && config_pairs_given(valid))
        status = valid_set_load(&t->valid, &t->pair, valid, err);
    if (!status && config->training.metric == METRIC_PERPLEXITY && t->valid.raw[SOURCE].count &&
        !t->valid.corpus.pairs)
        status = err_set(err,
                         "no pair of 'data.valid' has at most %d tokens: 'training.metric' perplexity cannot "
                         "choose a model (split its lines, or give another metric)",
                         SCORED_MOST_TOKENS);
    if (!status)
        warn_of_long_targets(t);
    return ranks_agree(t->ranks, status, err);
}

/* Validations of a training that had none yet are scored by words that suit the target. */
static void choose_tokenizer(struct trainer *t)
{
    const struct lines *target = &t->valid.raw[TARGET];
    enum mteval_kind *const kind = &t->own.training.tokenize;
    if (*kind != MTEVAL_AUTO || !target->count)
        return;
    const enum mteval_kind usual = scoring_of(t->config).tokenize;
    *kind = scoring_for_text(t->config, target).tokenize;
    if (*kind != usual)
        log_info("BLEU tokenizer: %s, because the validation target is %s ('training.tokenize' overrides it)",
                 mteval_name(*kind), mteval_choice_reason(*kind));
}

/* Reports the memory that training needs, and fails if the machine has less. */
static int check_memory(const struct trainer *t, int shards, int threads, struct err *err)
{
    struct translate_options options;
    validation_options(&options, t->config, threads);
    const double need =
        workers_bytes(t->config, &t->model, (size_t)shards, (size_t)t->ranks->count,
                      (size_t)training_set_longest(&t->set, SOURCE),
                      (size_t)training_set_longest(&t->set, TARGET)) +
        (t->valid.raw[SOURCE].count ? fmax(translator_bytes(&t->model, &options),
                                           corpus_loss_bytes(&t->model, &t->valid.corpus, threads))
                                    : 0) +
        allreduce_bytes(t->ranks, t->model.layout.total) + training_set_bytes(&t->set);
    const double all = (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE),
                 granted = machine_memory_limit(MACHINE_OWN_GROUP, MACHINE_GROUPS), has = fmin(all, granted);
    log_info(
        "vocabulary: %zu source, %zu target; parameters: %.2f million; memory: at most %.0f MiB; threads: %d",
        t->model.source_vocabulary, t->model.target_vocabulary, (double)t->model.layout.total / 1e6,
        need / MIB, threads);
    if (need > has)
        return err_set(err,
                       "training needs %.0f MiB of memory but %s has %.0f MiB: use smaller sizes, batches or "
                       "fewer threads",
                       need / MIB,
                       granted < all ? "the container or service that this is in" : "this machine",
                       has / MIB);
    if (!mem_has_room((size_t)need))
        return err_set(
            err, "training needs %.0f MiB of memory, more than the limit on this process leaves (ulimit -v)",
            need / MIB);
    return 0;
}

static int save_config(const struct trainer *t, struct err *err)
{
    char *path = path_join(t->config->model_dir, MODEL_CONFIG);
    const int status = config_save(t->config, path, err);
    xfree(path);
    return status;
}

/* Removes temporary files of a killed training. */
static void remove_left_over(const char *model_dir)
{
    static const char *const folders[] = {".", CHECKPOINT_FOLDER, PREPARE_FOLDER};
    for (size_t i = 0; i < sizeof folders / sizeof folders[0]; i++) {
        char *folder = path_join(model_dir, folders[i]);
        temporaries_remove(folder);
        xfree(folder);
    }
}

/* Locks the model directory for this process. */
static int take_directory(struct trainer *t, struct err *err)
{
    const char *dir = t->config->model_dir;
    if (lock_take(&t->lock, dir, err))
        return -1;
    remove_left_over(dir);
    trainer_remove_averaged(dir);
    return 0;
}

/* Says where a run goes on, and what has changed: a message has one line. */
static void report_resumed(const struct trainer *t)
{
    log_info("going on from update %ld%s", t->state.update, t->changes.length ? "; other than before:" : "");
    for (const char *at = t->changes.text; *at == '\n';) {
        const size_t bytes = strcspn(at + 1, "\n");
        log_info("%.*s", (int)bytes, at + 1);
        at += 1 + bytes;
    }
}

/* Prints what the translations of validations depend on beside the beam. */
static void print_search(struct strbuf *out, const struct config *config)
{
    struct translate_options options;
    validation_options(&options, config, 1);
    const struct beam_options *beam = &options.beam;
    strbuf_addf(out, "%d %d %.17g %s", beam->min_length, beam->block_ngrams, beam->max_length_ratio,
                options.tag ? options.tag : "");
    if (beam->beam > 1)
        strbuf_addf(out, " %d %.17g %.17g", beam->wu, beam->length_penalty, beam->coverage_penalty);
}

/* Adds it to a checksum, unless it is as by default: checkpoints of before, without it, still compare. */
static uint64_t add_search(uint64_t sum, const struct config *config)
{
    struct config usual;
    struct strbuf text, usual_text;
    config_init(&usual);
    usual.training.validation_beam = config->training.validation_beam;
    strbuf_init(&text);
    strbuf_init(&usual_text);
    print_search(&text, config);
    print_search(&usual_text, &usual);
    if (strcmp(text.text, usual_text.text) != 0)
        sum = checksum_add(sum, text.text, text.length);
    strbuf_release(&usual_text);
    strbuf_release(&text);
    config_release(&usual);
    return sum;
}

/* What scores of validations depend on, as a number that a checkpoint holds exactly; 0 if there are none. */
static double scoring_checksum(const struct trainer *t)
{
    const struct config_training *c = &t->config->training;
    if (!t->valid.raw[SOURCE].count)
        return 0;
    const int settings[] = {(int)c->metric, (int)c->tokenize, c->validation_beam};
    uint64_t sum = add_search(checksum_add(0, settings, sizeof settings), t->config);
    for (int side = 0; side < SIDES; side++) {
        const struct lines *lines = &t->valid.raw[side];
        for (size_t i = 0; i < lines->count; i++)
            sum = checksum_add(sum, lines->text[i], lines->bytes[i] + 1);
    }
    return (double)(sum >> (64 - DBL_MANT_DIG));
}

int trainer_load_newest(struct trainer *t, struct err *err)
{
    /* Without validation text, nothing is compared. */
    const double scored_with = t->valid.raw[SOURCE].count ? t->state.scored_with : 0;
    if (checkpoint_load_newest(t->config->model_dir, &t->workers, &t->state, err))
        return -1;
    if (scored_with && t->state.scored_with && t->state.scored_with != scored_with) {
        train_state_forget(&t->state);
        log_info("earlier validations are forgotten: they had another text or were scored otherwise, or the "
                 "model is of a run without any");
    }
    if (scored_with)
        t->state.scored_with = scored_with;
    return 0;
}

static int open_directory(struct trainer *t, enum train_start start, struct err *err)
{
    const char *dir = t->config->model_dir;
    t->state.scored_with = scoring_checksum(t);
    if (start != TRAIN_RESUME && trainer_remove_model(dir, err)) /* also of a start that made no checkpoint */
        return -1;
    if (start == TRAIN_RESUME) {
        if (trainer_load_newest(t, err))
            return -1;
        if (t->other_limits) /* at the full rate, weights are worse for long than at the end of a cooldown */
            train_state_restart_patience(&t->state);
        if (t->other_patience)
            t->state.last_update = 0;
        if (t->other_rate)
            train_state_restart_rate(&t->state);
        report_resumed(t);
    }
    char *log = path_join(dir, RUNLOG_FILE);
    int status = runlog_open(&t->log, log, start == TRAIN_RESUME ? t->state.update : -1, err);
    xfree(log);
    if (!status && (start != TRAIN_RESUME || t->longer_lines))
        status = language_pair_save(&t->pair, dir, err);
    /* Before the config, by which a later run sees no change any more. */
    if (!status && start == TRAIN_RESUME && (t->other_limits || t->other_patience || t->other_rate))
        status = checkpoint_save(dir, &t->workers, &t->state, err);
    if (!status)
        status = save_config(t, err);
    if (status)
        return -1;
    model_dir_mark_latest(dir);
    struct json *event = event_start(&t->state, start == TRAIN_RESUME, t->version, &t->workers, &t->set.file);
    event_add_choices(event, t->chosen.text);
    return runlog_write(&t->log, event, err);
}

/* Makes network and workers, as large as the text needs. */
static int prepare_network(struct trainer *t, struct err *err)
{
    int shards = 0;
    seq2seq_init(&t->model, t->config, (size_t)vocab_size(t->pair.tokenizer[SOURCE].vocab),
                 (size_t)vocab_size(t->pair.tokenizer[TARGET].vocab));
    const int threads = team_threads(t->config->training.threads);
    mat_begin(threads);
    if (count_shards(&shards, t, threads, err) ||
        ranks_agree(t->ranks, check_memory(t, shards, threads, err), err))
        return -1;
    const int status = workers_init(&t->workers, t->config, &t->model, shards, threads, t->ranks, err);
    return ranks_agree(t->ranks, status, err);
}

/* Random initial weights, or those of another model. */
static int initial_weights(struct trainer *t, enum train_start start, struct err *err)
{
    const char *init_from = t->config->training.init_from;
    int status = 0;
    params_randomize(t->workers.values, &t->model.layout, (uint64_t)t->config->seed);
    if (init_from && start != TRAIN_RESUME)
        status = inherit_weights(t->workers.values, t->config, &t->model, &t->pair, init_from, err);
    workers_begin_average(&t->workers);
    return status;
}

int trainer_setup(struct trainer *t, enum train_start start, struct err *err)
{
    if (ranks_agree(t->ranks, trainer_check_processor(t->config, err), err))
        return -1;
    const int taken = ranks_is_first(t->ranks) ? take_directory(t, err) : 0;
    if (ranks_agree(t->ranks, taken, err) || check_program(t, err))
        return -1;
    enum pair_origin origin = PAIR_LEARNED;
    const int inherited = start == TRAIN_RESUME ? 0 : auto_settings_inherit(&t->own, &origin, err);
    if (ranks_agree(t->ranks, inherited, err) || load_corpora(t, start, origin, err) || check_text(t, err))
        return -1;
    if (start != TRAIN_RESUME || t->unvalidated)
        choose_tokenizer(t);
    if (ranks_agree(t->ranks, auto_settings_settle(t, err), err) || prepare_network(t, err))
        return -1;
    int status = initial_weights(t, start, err);
    if (!status && ranks_is_first(t->ranks))
        status = open_directory(t, start, err);
    return ranks_agree(t->ranks, status, err);
}

void trainer_broadcast(struct trainer *t)
{
    const size_t total = t->model.layout.total;
    struct workers *w = &t->workers;
    ranks_broadcast(t->ranks, &t->state, sizeof t->state);
    ranks_broadcast(t->ranks, &w->baseline, sizeof w->baseline);
    ranks_broadcast(t->ranks, w->values, total * sizeof(real));
    for (int i = 0; i < w->optimizer.kind->moments; i++)
        ranks_broadcast(t->ranks, w->optimizer.moments[i], total * sizeof(real));
    if (w->average)
        ranks_broadcast(t->ranks, w->average, total * sizeof(real));
}
