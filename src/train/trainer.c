#include "trainer.h"

#include "checkpoint.h"
#include "checksum.h"
#include "events.h"
#include "fileio.h"
#include "inherit.h"
#include "log.h"
#include "mat.h"
#include "mem.h"
#include "model_file.h"
#include "params.h"
#include "prepare.h"
#include "runlog.h"
#include "scoring.h"
#include "training_set.h"
#include "validate.h"

#include <math.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MAX_ROLLBACKS 3
#define MIB (1024.0 * 1024.0)
/* Seconds between plain progress lines where there is no terminal. */
#define LINE_SECONDS 30

struct trainer {
    const struct config *config;
    const char *version;
    const struct trainer_watch *watch;
    const volatile sig_atomic_t *signal_number;
    const struct ranks *ranks;
    struct language_pair pair;
    struct training_set set;
    struct corpus corpus; /* the part that is trained on now */
    bool loaded;          /* has it been? */
    struct corpus valid_corpus;
    struct raw_pairs valid_raw;
    struct seq2seq model;
    struct workers workers;
    struct batch_order order;
    struct train_state state;
    struct lock lock; /* of the model directory */
    struct runlog log;
    struct progress progress;
    double began;        /* clock at the start of this run */
    double seconds_then; /* state.seconds at that moment */
    long validated;      /* update of the last validation in this run, or where it started */
    double loss_sum;     /* since the last progress line */
    long tokens_sum;
    double tokens_clock;
};

bool trainer_has_model(const char *model_dir)
{
    char *weights = path_join(model_dir, MODEL_WEIGHTS);
    const bool has = file_exists(weights) || checkpoint_exists(model_dir);
    free(weights);
    return has;
}

/* ---- getting ready ---- */

static int count_threads(const struct config *config)
{
    return config->training.threads ? config->training.threads : omp_get_num_procs();
}

/* Shards of a batch that fall to each rank; if the config leaves it open, as many as the first one has
 * threads. */
static int count_shards(int *shards, const struct trainer *t, int threads, struct err *err)
{
    const int wanted = t->config->training.shards, ranks = t->ranks->count;
    *shards = wanted ? wanted / ranks : threads;
    ranks_broadcast(t->ranks, shards, sizeof *shards);
    return wanted % ranks == 0
               ? 0
               : err_set(err, "'training.shards' is %d, which %d ranks cannot share evenly", wanted, ranks);
}

/* All ranks must do the same with the same. */
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
    return ranks_same(t->ranks, corpus_file_checksum(&t->set.file))
               ? 0
               : err_set(err, "the ranks of this training differ in their training text");
}

/* What a resumed run takes over, if its config fits. */
static int load_text_side(struct trainer *t, struct err *err)
{
    const char *dir = t->config->model_dir;
    struct config begun;
    char *path = path_join(dir, MODEL_CONFIG);
    config_init(&begun);
    int status = config_load(&begun, path, err);
    if (!status)
        status = config_check_resume(t->config, &begun, err);
    config_release(&begun);
    free(path);
    if (status)
        return status;
    language_pair_release(&t->pair);
    return language_pair_load(&t->pair, t->config, dir, err);
}

static int load_training_text(struct trainer *t, enum train_start start, struct err *err)
{
    if (start == TRAIN_RESUME && load_text_side(t, err))
        return -1;
    if (training_set_open(&t->set, &t->pair, t->config, start != TRAIN_RESUME, err))
        return -1;
    return language_pair_set_tag(&t->pair, t->config, err);
}

static int load_corpora(struct trainer *t, enum train_start start, struct err *err)
{
    const struct config *config = t->config;
    for (int rank = 0; rank < t->ranks->count; rank++) { /* the first one on a file system prepares for all */
        const int status = rank == t->ranks->rank ? load_training_text(t, start, err) : 0;
        if (ranks_agree(t->ranks, status, err))
            return -1;
    }
    prepare_report(&t->set.file.end.totals, config);
    int status = 0;
    if (!t->set.file.end.totals.pairs)
        status = err_set(err, "no sentence pairs to train on in '%s'",
                         config->data.train.tsv ? config->data.train.tsv : config->data.train.source);
    const struct config_pairs *valid = &config->data.valid;
    if (!status && (valid->source || valid->tsv))
        status = evaluation_read(&t->valid_corpus, &t->valid_raw, &t->pair, valid, err);
    return ranks_agree(t->ranks, status, err);
}

/* Says what training will take, and refuses what this machine does not have. */
static int check_memory(const struct trainer *t, int shards, int threads, struct err *err)
{
    struct translate_options options;
    validation_options(&options, t->config, threads);
    const double need = workers_bytes(t->config, &t->model, shards, training_set_longest(&t->set, SOURCE),
                                      training_set_longest(&t->set, TARGET)) +
                        (t->valid_raw.count ? fmax(translator_bytes(&t->model, &options),
                                                   corpus_loss_bytes(&t->model, threads))
                                            : 0) +
                        (double)(training_set_tokens(&t->set) * sizeof(int));
    const double has = (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE);
    log_info(
        "vocabulary: %d source, %d target; parameters: %.2f million; memory: at most %.0f MiB; threads: %d",
        t->model.source_vocabulary, t->model.target_vocabulary, (double)t->model.layout.total / 1e6,
        need / MIB, threads);
    if (need > has)
        return err_set(
            err,
            "training needs %.0f MiB of memory but this machine has %.0f MiB: use smaller sizes, batches "
            "or fewer threads",
            need / MIB, has / MIB);
    return 0;
}

static int save_config(const struct trainer *t, struct err *err)
{
    char *path = path_join(t->config->model_dir, MODEL_CONFIG);
    const int status = config_save(t->config, path, err);
    free(path);
    return status;
}

/* For this process alone. */
static int take_directory(struct trainer *t, struct err *err)
{
    char *path = path_join(t->config->model_dir, "lock");
    const int status = dir_make(t->config->model_dir, err) || lock_take(&t->lock, path, err) ? -1 : 0;
    free(path);
    return status;
}

static int open_directory(struct trainer *t, enum train_start start, struct err *err)
{
    const char *dir = t->config->model_dir;
    checkpoint_remove_partial(dir);
    if (start == TRAIN_RESTART) {
        char *weights = path_join(dir, MODEL_WEIGHTS);
        unlink(weights);
        free(weights);
        if (checkpoint_remove_all(dir, err))
            return -1;
    }
    if (start == TRAIN_RESUME && checkpoint_load_newest(dir, &t->workers, &t->state, err))
        return -1;
    char *log = path_join(dir, RUNLOG_FILE);
    int status = runlog_open(&t->log, log, start == TRAIN_RESUME ? t->state.update : -1, err);
    free(log);
    if (!status && start != TRAIN_RESUME)
        status = language_pair_save(&t->pair, dir, err);
    if (!status)
        status = save_config(t, err);
    if (!status)
        status = model_dir_mark_latest(dir, err);
    if (status)
        return -1;
    struct json *event = event_start(&t->state, start == TRAIN_RESUME, t->version, &t->workers, &t->set.file);
    return runlog_write(&t->log, event, err);
}

/* ---- several ranks ---- */

/* What the first one has loaded, for all. */
static void share_state(struct trainer *t)
{
    const size_t total = t->model.layout.total;
    struct workers *w = &t->workers;
    ranks_broadcast(t->ranks, &t->state, sizeof t->state);
    w->baseline = t->state.baseline;
    ranks_broadcast(t->ranks, w->values, total * sizeof(real));
    for (int i = 0; i < w->optimizer.kind->moments; i++)
        ranks_broadcast(t->ranks, w->optimizer.moments[i], total * sizeof(real));
    if (w->average)
        ranks_broadcast(t->ranks, w->average, total * sizeof(real));
}

/* ---- saving ---- */

static void count_seconds(struct trainer *t)
{
    t->state.seconds = t->seconds_then + clock_seconds() - t->began;
}

static int save_checkpoint(struct trainer *t, struct err *err)
{
    count_seconds(t);
    t->state.baseline = t->workers.baseline;
    if (checkpoint_save(t->config->model_dir, &t->workers, &t->state, t->config->training.keep_last, err))
        return -1;
    return runlog_write(&t->log, event_checkpoint(&t->state), err);
}

static int save_model(struct trainer *t, struct err *err)
{
    char update[32];
    snprintf(update, sizeof update, "%ld", t->state.update);
    const char *metadata[] = {"update", update};
    const struct model_block block = {"", workers_result(&t->workers)};
    char *path = path_join(t->config->model_dir, MODEL_WEIGHTS);
    const int status = model_file_save(path, &t->model.layout, &block, 1, metadata, 1, err);
    free(path);
    return status;
}

/* ---- one update ---- */

/* Of the whole training, from 0 to 1. */
static double share_done(const struct trainer *t)
{
    const struct config_training *c = &t->config->training;
    const double parts = (double)t->state.part + (double)t->state.batch / (double)t->order.batches;
    const double epochs = (double)t->state.epoch + parts / (double)t->set.parts;
    double share = c->max_epochs ? epochs / c->max_epochs : 0;
    if (c->max_updates)
        share = fmax(share, (double)t->state.update / c->max_updates);
    if (c->max_minutes > 0)
        share = fmax(share, t->state.seconds / (60 * c->max_minutes));
    return share;
}

/* Loss and rate in the progress bar are those since here. */
static void begin_progress_window(struct trainer *t)
{
    t->loss_sum = 0;
    t->tokens_sum = 0;
    t->tokens_clock = clock_seconds();
}

static void show_progress(struct trainer *t, const struct update_result *result)
{
    t->loss_sum += result->loss.sums.nll;
    t->tokens_sum += result->loss.target_tokens;
    if (!progress_due(&t->progress))
        return;
    const double now = clock_seconds(), nll = t->loss_sum / (double)t->tokens_sum;
    char detail[160];
    snprintf(detail, sizeof detail, "epoch %ld, update %ld, loss %.3f, perplexity %.2f, %.0f target tokens/s",
             t->state.epoch + 1, t->state.update, result->loss.sums.loss / (double)result->loss.target_tokens,
             exp(nll), (double)t->tokens_sum / (now - t->tokens_clock));
    /* The bar's own clock began with this run; a resumed run had done a part before. */
    progress_update(&t->progress, share_done(t), 1, detail);
    begin_progress_window(t);
}

/* The sentence pairs that the state names by epoch and part, and their order. */
static int load_part(struct trainer *t, struct err *err)
{
    const struct config_training *c = &t->config->training;
    struct train_state *state = &t->state;
    int status = 0;
    training_set_begin(&t->set, state->epoch);
    if ((size_t)state->part >= t->set.parts) /* resumed with more memory */
        state->part = 0;
    if (!t->loaded || !training_set_is_one(&t->set))
        status = training_set_load(&t->set, &t->corpus, state->epoch, state->part, err);
    if (ranks_agree(t->ranks, status, err))
        return -1;
    t->loaded = true;
    batch_order_make(&t->order, &t->corpus, c->batch_sentences, c->batch_tokens, (uint64_t)t->config->seed,
                     (uint64_t)state->epoch, (uint64_t)state->part);
    return t->order.batches
               ? 0
               : err_set(err,
                         "no sentence pairs to train on in part %ld of epoch %ld: give 'data.train' "
                         "more weight",
                         state->part + 1, state->epoch + 1);
}

/* The next part of the epoch, or the first one of the next. */
static int begin_part(struct trainer *t, struct err *err)
{
    t->state.batch = 0;
    if ((size_t)++t->state.part == t->set.parts) {
        t->state.part = 0;
        t->state.epoch++;
    }
    return load_part(t, err);
}

/* A loss per token beyond twice that of guessing all words alike has exploded. */
static bool diverged(const struct trainer *t, const struct update_result *result)
{
    const double loss = result->loss.sums.loss / (double)result->loss.target_tokens;
    return !result->finite || loss > 2 * log((double)t->model.target_vocabulary) + 1;
}

/* The first rank's part: loads, and writes what happened. */
static int load_last_good(struct trainer *t, const struct update_result *result, struct err *err)
{
    const long failed = t->state.update + 1;
    const double loss = result->loss.sums.loss / (double)result->loss.target_tokens;
    const int rollbacks = t->state.rollbacks + 1;
    const double factor = t->state.rate_factor / 2;
    if (t->config->training.on_divergence == DIVERGENCE_STOP || rollbacks > MAX_ROLLBACKS)
        return err_set(
            err,
            "training diverged at update %ld: loss %g, gradient norm %g; the last good checkpoint is kept",
            failed, loss, result->gradient_norm);
    if (checkpoint_load_newest(t->config->model_dir, &t->workers, &t->state, err))
        return -1;
    t->state.rollbacks = rollbacks;
    t->state.rate_factor = factor < t->state.rate_factor ? factor : t->state.rate_factor / 2;
    log_warn("update %ld diverged (loss %g, gradient norm %g): back to update %ld, learning rate halved",
             failed, loss, result->gradient_norm, t->state.update);
    /* Saved at once, so that a resumed run does not run into the same wall with the old rate. */
    return runlog_write(&t->log, event_rollback(&t->state, failed), err) || save_checkpoint(t, err) ? -1 : 0;
}

static int roll_back(struct trainer *t, const struct update_result *result, struct err *err)
{
    const int status = ranks_is_first(t->ranks) ? load_last_good(t, result, err) : 0;
    if (ranks_agree(t->ranks, status, err))
        return -1;
    share_state(t);
    return load_part(t, err);
}

/* ---- validation ---- */

static void show_samples(const struct trainer *t, const struct validation *v)
{
    for (int s = 0; s < VALIDATION_SAMPLES; s++) {
        const size_t line = v->sample_lines[s];
        log_info("  source:      %s", t->valid_raw.source[line]);
        log_info("  translation: %s", v->samples[s]);
        log_info("  reference:   %s", t->valid_raw.target[line]);
    }
}

static int run_validation(struct trainer *t, struct err *err)
{
    struct validation v;
    const struct config_training *c = &t->config->training;
    validate(&v, &t->workers, t->config, &t->pair, &t->valid_corpus, &t->valid_raw);
    const bool best = train_state_enter(&t->state, validation_score(&v, c->metric), c->keep_best);
    t->validated = t->state.update;
    count_seconds(t);
    log_info("update %ld, epoch %ld, %.1f min: validation perplexity %.3f, BLEU %.2f, chrF %.2f%s (%.1f s)",
             t->state.update, t->state.epoch + (t->state.batch > 0), t->state.seconds / 60, v.perplexity,
             v.bleu, v.chrf, best ? ", the best so far" : "", v.seconds);
    show_samples(t, &v);
    const int status = runlog_write(&t->log, event_validation(&t->state, &v, &t->valid_raw), err);
    validation_release(&v);
    if (status)
        return -1;
    if (c->schedule == SCHEDULE_PLATEAU && t->state.since_halving >= c->halve_patience) {
        t->state.rate_factor /= 2;
        t->state.since_halving = 0;
        log_info("no better validation %d times: learning rate halved to %g", c->halve_patience,
                 c->learning_rate * t->state.rate_factor);
    }
    if (best && save_model(t, err))
        return -1;
    if (save_checkpoint(t, err))
        return -1;
    if (t->watch->validated)
        t->watch->validated(t->config);
    begin_progress_window(t);
    return 0;
}

/* ---- the loop ---- */

/* Why a training ends, as the log says it. */
enum stop_reason { GO_ON, BY_SIGNAL, BY_EPOCHS, BY_UPDATES, BY_CLOCK, BY_PATIENCE, BY_FAILURE };
static const char *const stop_names[] = {[BY_SIGNAL] = "signal",
                                         [BY_EPOCHS] = "max_epochs",
                                         [BY_UPDATES] = "max_updates",
                                         [BY_CLOCK] = "max_minutes",
                                         [BY_PATIENCE] = "patience"};

static enum stop_reason stop_reason(const struct trainer *t)
{
    const struct config_training *c = &t->config->training;
    if (*t->signal_number)
        return BY_SIGNAL;
    if (c->max_epochs && t->state.epoch >= c->max_epochs)
        return BY_EPOCHS;
    if (c->max_updates && t->state.update >= c->max_updates)
        return BY_UPDATES;
    if (c->max_minutes > 0 && t->state.seconds >= 60 * c->max_minutes)
        return BY_CLOCK;
    if (c->patience && t->state.bad_validations >= c->patience)
        return BY_PATIENCE;
    return GO_ON;
}

/* What the first rank decides for all before each update: the clock, a signal and validations are its own. */
struct pace {
    enum stop_reason stop;
    double rate;
};

static struct pace next_pace(const struct trainer *t, int status)
{
    struct pace pace = {
        status ? BY_FAILURE : stop_reason(t),
        learning_rate(&t->config->training, t->state.update + 1, share_done(t), t->state.rate_factor)};
    ranks_broadcast(t->ranks, &pace, sizeof pace);
    return pace;
}

/* What all ranks do: an update, or a step back. */
static int make_update(struct trainer *t, struct update_result *result, double rate, struct err *err)
{
    const struct config_training *c = &t->config->training;
    const long left = (long)t->order.batches - t->state.batch;
    const int batches = left < c->accumulate ? (int)left : c->accumulate;
    *result = workers_update(&t->workers, &t->corpus, t->order.pairs, t->order.begin + t->state.batch,
                             batches, t->state.update + 1, rate);
    if (diverged(t, result))
        return roll_back(t, result, err);
    t->state.update++;
    t->state.batch += batches;
    t->state.target_tokens += result->loss.target_tokens;
    return 0;
}

/* What the first rank does then: validation, checkpoint. */
static int keep(struct trainer *t, bool epoch_over, struct err *err)
{
    const struct config_training *c = &t->config->training;
    const bool validation_due = c->validate_every ? t->state.update % c->validate_every == 0 : epoch_over;
    if (validation_due && t->valid_raw.count)
        return run_validation(t, err);
    if (t->state.update % c->checkpoint_every == 0)
        return save_checkpoint(t, err);
    return 0;
}

/* -1 where all ranks fail alike. What fails on the first one alone becomes *status, and the others hear of it
 * with the next pace. */
static int train_step(struct trainer *t, double rate, int *status, struct err *err)
{
    struct update_result result;
    const double clock = clock_seconds();
    if (make_update(t, &result, rate, err))
        return -1;
    if (diverged(t, &result))
        return 0;
    count_seconds(t);
    if (ranks_is_first(t->ranks)) {
        *status = runlog_write(&t->log, event_update(&t->state, &result, rate, clock_seconds() - clock), err);
        show_progress(t, &result);
    }
    const long epoch = t->state.epoch;
    if ((size_t)t->state.batch == t->order.batches && begin_part(t, err))
        return -1;
    if (ranks_is_first(t->ranks) && !*status)
        *status = keep(t, t->state.epoch > epoch, err);
    return 0;
}

/* The end, for whatever reason: a last checkpoint, and a model even where there was no validation to choose
 * one. */
static int finish(struct trainer *t, enum stop_reason reason, struct err *err)
{
    progress_end(&t->progress);
    /* The clock ends training anywhere: what was learned since the last validation counts too. */
    if (reason == BY_CLOCK && t->valid_raw.count && t->state.update > t->validated && run_validation(t, err))
        return -1;
    char *weights = path_join(t->config->model_dir, MODEL_WEIGHTS);
    const bool has_model = file_exists(weights);
    free(weights);
    if (save_checkpoint(t, err))
        return -1;
    if ((!t->valid_raw.count || !has_model) && save_model(t, err))
        return -1;
    log_info("stopped after %ld updates, %.1f minutes: %s", t->state.update, t->state.seconds / 60,
             stop_names[reason]);
    log_info("model: %s", t->config->model_dir);
    return runlog_write(&t->log, event_stop(&t->state, stop_names[reason]), err);
}

/* All that stands before the first update. Every rank prepares for itself what the first one alone has no
 * need to tell. */
static int prepare(struct trainer *t, enum train_start start, struct err *err)
{
    int shards = 0;
    const int taken = ranks_is_first(t->ranks) ? take_directory(t, err) : 0;
    if (ranks_agree(t->ranks, taken, err) || check_program(t, err) || load_corpora(t, start, err) ||
        check_text(t, err))
        return -1;
    seq2seq_init(&t->model, t->config, vocab_size(t->pair.tokenizer[SOURCE].vocab),
                 vocab_size(t->pair.tokenizer[TARGET].vocab));
    const int threads = count_threads(t->config);
    if (count_shards(&shards, t, threads, err) ||
        ranks_agree(t->ranks, check_memory(t, shards, threads, err), err))
        return -1;
    workers_init(&t->workers, t->config, &t->model, shards, threads, t->ranks);
    params_randomize(t->workers.values, &t->model.layout, (uint64_t)t->config->seed);
    const char *init_from = t->config->training.init_from;
    int status = 0;
    if (init_from && start != TRAIN_RESUME)
        status = inherit_weights(t->workers.values, &t->model, &t->pair, init_from, err);
    workers_begin_average(&t->workers);
    if (!status && ranks_is_first(t->ranks))
        status = open_directory(t, start, err);
    if (ranks_agree(t->ranks, status, err))
        return -1;
    share_state(t);
    if (load_part(t, err))
        return -1;
    /* resumed with fewer data or larger batches */
    if ((size_t)t->state.batch >= t->order.batches && begin_part(t, err))
        return -1;
    t->validated = t->state.update;
    t->began = clock_seconds();
    t->seconds_then = t->state.seconds;
    return 0;
}

static int run(struct trainer *t, enum train_start start, struct err *err)
{
    if (prepare(t, start, err))
        return -1;
    if (t->watch->begins)
        t->watch->begins();
    begin_progress_window(t);
    progress_begin(&t->progress, "training", LINE_SECONDS);
    /* Even the first update needs something to roll back to. */
    int status = start != TRAIN_RESUME && ranks_is_first(t->ranks) ? save_checkpoint(t, err) : 0;
    struct pace pace;
    while (!(pace = next_pace(t, status)).stop)
        if (train_step(t, pace.rate, &status, err))
            return -1;
    if (pace.stop == BY_FAILURE)
        return -1;
    return ranks_is_first(t->ranks) ? finish(t, pace.stop, err) : 0;
}

int trainer_run(const struct config *config, enum train_start start, const char *version,
                const struct trainer_watch *watch, const volatile sig_atomic_t *signal_number,
                const struct ranks *ranks, struct err *err)
{
    struct trainer *t = xcalloc(1, sizeof *t);
    t->config = config;
    t->lock.fd = -1;
    t->version = version;
    t->watch = watch;
    t->ranks = ranks;
    t->signal_number = signal_number;
    mat_init();
    language_pair_init(&t->pair, config);
    corpus_init(&t->corpus);
    corpus_init(&t->valid_corpus);
    batch_order_init(&t->order);
    train_state_init(&t->state);
    int status = run(t, start, err);
    struct err close_err;
    if (runlog_close(&t->log, &close_err) && !status)
        status = err_set(err, "%s", close_err.text);
    batch_order_release(&t->order);
    training_set_close(&t->set);
    corpus_release(&t->corpus);
    corpus_release(&t->valid_corpus);
    raw_pairs_release(&t->valid_raw);
    workers_release(&t->workers);
    language_pair_release(&t->pair);
    lock_release(&t->lock);
    free(t);
    return status;
}
