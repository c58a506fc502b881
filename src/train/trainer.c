/* Training from the first update to the last: batches, updates, divergence, validation, checkpoints, and
 * when to stop. Setup is in trainer_setup.c, an update in workers.c, a validation in validate.c. */
#include "trainer_setup.h"

#include "fileio.h"
#include "mem.h"
#include "model_file.h"
#include "paths.h"
#include "plural.h"
#include "prepare.h"
#include "validate.h"

#include <math.h>
#include <string.h>

#define MAX_ROLLBACKS 3
#define MOST_EMPTY_PARTS 100 /* in a row, without a pair */
/* Part of the best score by which those of so many sentences go up and down; of fewer ones by more, as a mean
 * does. */
#define NEARLY 0.02
#define NEARLY_SENTENCES 600

/* ---- the text ---- */

/* Loads the part of the epoch that the state names, and orders its batches. */
static int load_part(struct trainer *t, struct err *err)
{
    const struct config_training *c = &t->config->training;
    struct train_state *state = &t->state;
    int status = 0;
    training_set_begin(&t->set, state->epoch);
    if ((size_t)state->part >= t->set.parts) /* resumed with more memory, and so fewer parts */
        state->part = 0;
    if (!t->loaded || !training_set_is_one(&t->set))
        status = training_set_load(&t->set, &t->corpus, state->epoch, state->part, err);
    if (ranks_agree(t->ranks, status, err))
        return -1;
    t->loaded = true;
    batch_order_make(&t->order, &t->corpus, c->batch_sentences, c->batch_tokens, (uint64_t)t->config->seed,
                     (uint64_t)state->epoch, (uint64_t)state->part);
    return 0;
}

static bool part_is_over(const struct trainer *t)
{
    return (size_t)t->state.batch >= t->order.batches;
}

#define NO_PAIRS_DRAWN "no sentence pairs to train on: give 'data.train' more weight"

/* Moves to the next part of the epoch, or the first one of the next epoch, and past those for which small
 * weights have drawn no pair. */
static int next_part(struct trainer *t, struct err *err)
{
    for (int empty = 0; empty < MOST_EMPTY_PARTS; empty++) {
        t->state.batch = 0;
        if ((size_t)++t->state.part == t->set.parts) {
            t->state.part = 0;
            t->state.epoch++;
        }
        if (load_part(t, err))
            return -1;
        if (!part_is_over(t))
            return 0;
    }
    return err_set(err, NO_PAIRS_DRAWN);
}

/* Loads the part that the state names, or the next one if it is over: the text may have changed meanwhile. */
static int load_next_batches(struct trainer *t, struct err *err)
{
    return load_part(t, err) || (part_is_over(t) && next_part(t, err)) ? -1 : 0;
}

/* ---- saving ---- */

static void count_seconds(struct trainer *t)
{
    t->state.seconds = clock_seconds() - t->began;
}

static int save_checkpoint(struct trainer *t, struct err *err)
{
    if (lock_check(&t->lock, err))
        return -1;
    count_seconds(t);
    t->state.baseline = t->workers.baseline;
    /* The log is synced first: after a power failure, no checkpoint is newer than its log. */
    if (runlog_sync(&t->log, err) || checkpoint_save(t->config->model_dir, &t->workers, &t->state, err))
        return -1;
    return runlog_write(&t->log, event_checkpoint(&t->state), err);
}

static int save_model(struct trainer *t, struct err *err)
{
    if (lock_check(&t->lock, err))
        return -1;
    char update[32];
    snprintf(update, sizeof update, "%ld", t->state.update);
    const char *metadata[] = {"update", update};
    const struct model_extras extras = {.metadata = metadata, .pairs = 1};
    const struct model_block block = {"", workers_result(&t->workers)};
    char *path = path_join(t->config->model_dir, MODEL_WEIGHTS);
    const int status = model_file_save(path, &t->model.layout, &block, 1, &extras, err);
    xfree(path);
    return status;
}

/* ---- one update ---- */

static bool out_of_patience(const struct trainer *t)
{
    return t->config->training.patience && t->state.last_update;
}

/* How much of the training is done, from 0 to 1. */
static double fraction_done(const struct trainer *t)
{
    const struct config_training *c = &t->config->training;
    const double parts = (double)t->state.part + (double)t->state.batch / (double)t->order.batches;
    const double epochs = (double)t->state.epoch + parts / (double)t->set.parts;
    double done = c->max_epochs ? epochs / c->max_epochs : 0;
    if (c->max_updates)
        done = fmax(done, (double)t->state.update / c->max_updates);
    if (c->max_minutes > 0)
        done = fmax(done, t->state.seconds / (60 * c->max_minutes));
    if (out_of_patience(t))
        done = fmax(done, (double)t->state.update / (double)t->state.last_update);
    return done;
}

/* The progress bar shows perplexity and rate since this moment. */
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
             train_state_epoch(&t->state), t->state.update,
             result->loss.sums.loss / (double)result->loss.target_tokens, exp(nll),
             (double)t->tokens_sum / (now - t->tokens_clock));
    progress_update(&t->progress, fraction_done(t), 1, detail);
    begin_progress_window(t);
}

/* Has the likelihood exploded? More than twice the loss per token of a uniform guess counts as divergence. */
static bool diverged(const struct trainer *t, const struct update_result *result)
{
    const double nll = result->loss.sums.nll / (double)result->loss.target_tokens;
    return !result->finite || nll > 2 * log((double)t->model.target_vocabulary) + 1;
}

/* Rank 0: goes back to the last good checkpoint at a lower rate, logs that, and saves it. -1 also if the
 * config or the number of rollbacks says to stop. */
static int load_last_good(struct trainer *t, const struct update_result *result, struct err *err)
{
    const long failed = t->state.update + 1;
    const double loss = result->loss.sums.loss / (double)result->loss.target_tokens;
    const int rollbacks = t->state.rollbacks + 1;
    const double factor = t->state.rate_factor / 2;
    const struct train_state before = t->state;
    if (t->config->training.on_divergence == DIVERGENCE_STOP || rollbacks > MAX_ROLLBACKS)
        return err_set(
            err,
            "training diverged at update %ld: loss %g, gradient norm %g; the last good checkpoint is kept",
            failed, loss, result->gradient_norm);
    /* The checkpoint of these weights would diverge again. */
    if (lock_check(&t->lock, err) || checkpoint_discard(t->config->model_dir, t->state.update, err) ||
        trainer_load_newest(t, err))
        return -1;
    train_state_keep_best(&t->state, &before); /* which the saved model may be of */
    t->state.rollbacks = rollbacks;
    t->state.rate_factor = factor < t->state.rate_factor ? factor : t->state.rate_factor / 2;
    log_warn("update %ld diverged (loss %g, gradient norm %g): back to update %ld, learning rate halved",
             failed, loss, result->gradient_norm, t->state.update);
    /* Saved at once, so that a resumed run does not diverge again at the old rate. */
    return runlog_write(&t->log, event_rollback(&t->state, failed), err) || save_checkpoint(t, err) ? -1 : 0;
}

static int roll_back(struct trainer *t, const struct update_result *result, struct err *err)
{
    const int status = ranks_is_first(t->ranks) ? load_last_good(t, result, err) : 0;
    if (ranks_agree(t->ranks, status, err))
        return -1;
    trainer_broadcast(t);
    return load_next_batches(t, err);
}

/* ---- validation ---- */

static bool has_validation(const struct trainer *t)
{
    return t->valid.raw[SOURCE].count > 0;
}

static void show_samples(const struct trainer *t, const struct validation *v)
{
    for (int s = 0; s < v->sample_count; s++) {
        const size_t line = v->sample_lines[s];
        log_info("  source:      %s", t->valid.raw[SOURCE].text[line]);
        log_info("  translation: %s", v->samples[s]);
        log_info("  reference:   %s", t->valid.raw[TARGET].text[line]);
    }
}

/* Halves the learning rate, or starts its cooldown, when validation stops improving. */
static void apply_patience(struct trainer *t)
{
    const struct config_training *c = &t->config->training;
    const double steady = 1 - c->cooldown;
    if (c->schedule == SCHEDULE_PLATEAU && t->state.since_halving >= c->halve_patience) {
        train_state_halve_rate(&t->state);
        log_info("no better validation %d time%s: learning rate halved to %g", c->halve_patience,
                 plural(c->halve_patience), c->learning_rate * t->state.rate_factor);
    }
    if (c->patience && t->state.bad_validations >= c->patience && fraction_done(t) < steady) {
        t->state.last_update = (long)ceil((double)t->state.update / steady);
        log_info("no better validation %d time%s: the training ends with update %ld", c->patience,
                 plural(c->patience), t->state.last_update);
    }
}

/* In the cooldown, weights get better by less than BLEU and chrF of a small validation set vary by chance: is
 * this score as good as the best? */
static bool is_nearly_best(const struct trainer *t, double score)
{
    const struct config_training *c = &t->config->training;
    const double sentences = fmin((double)t->valid.raw[SOURCE].count, NEARLY_SENTENCES),
                 nearly = NEARLY * sqrt(NEARLY_SENTENCES / sentences);
    return c->metric != METRIC_PERPLEXITY && c->cooldown > 0 && fraction_done(t) > 1 - c->cooldown &&
           !train_state_tells_nothing(score) && score > (1 - nearly) * t->state.best[0].score;
}

/* Rank 0's part of a validation: logs it, and saves what follows from it. */
static int record_validation(struct trainer *t, const struct validation *v, struct err *err)
{
    const struct config_training *c = &t->config->training;
    const double score = validation_score(c->metric, v->perplexity, v->bleu, v->chrf);
    const bool best = train_state_enter(&t->state, score, v->perplexity, c->keep_best),
               chosen = best || is_nearly_best(t, score);
    count_seconds(t);
    log_info("update %ld, epoch %ld, %.1f min: validation perplexity %.3f, BLEU %.2f, chrF %.2f%s (%.1f s)",
             t->state.update, train_state_epoch(&t->state), t->state.seconds / 60, v->perplexity, v->bleu,
             v->chrf,
             best     ? ", the best so far"
             : chosen ? ", nearly the best"
                      : "",
             v->seconds);
    show_samples(t, v);
    if (runlog_write(&t->log, event_validation(&t->state, v, &t->valid), err))
        return -1;
    apply_patience(t);
    if (chosen && save_model(t, err))
        return -1;
    if (save_checkpoint(t, err))
        return -1;
    if (t->watch->validated)
        t->watch->validated(t->config);
    begin_progress_window(t);
    return 0;
}

/* The outcome of a training step. */
enum step_outcome {
    STEP_DONE,
    STEP_FAILED_HERE, /* on rank 0 alone; it tells the others before the next step */
    STEP_FAILED       /* on all ranks */
};

/* Validates on all ranks. Rank 0 logs and saves, unless it has failed before. */
static enum step_outcome run_validation(struct trainer *t, enum step_outcome outcome, struct err *err)
{
    struct validation v;
    validate(&v, &t->workers, t->config, &t->pair, &t->valid);
    t->state.validated = t->state.update;
    if (ranks_is_first(t->ranks) && outcome == STEP_DONE && record_validation(t, &v, err))
        outcome = STEP_FAILED_HERE;
    validation_release(&v);
    return outcome;
}

/* ---- the loop ---- */

/* Why a training ends, as logged. */
enum stop_reason { NOT_STOPPED, BY_SIGNAL, BY_EPOCHS, BY_UPDATES, BY_CLOCK, BY_PATIENCE, BY_FAILURE };
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
    if (out_of_patience(t) && t->state.update >= t->state.last_update)
        return BY_PATIENCE;
    return NOT_STOPPED;
}

/* Decided by rank 0 before each update, since only it knows the clock, signals and validations. */
struct step_plan {
    enum stop_reason stop;
    double rate;
};

static struct step_plan plan_step(const struct trainer *t, enum step_outcome outcome)
{
    struct step_plan plan = {
        outcome == STEP_DONE ? stop_reason(t) : BY_FAILURE,
        learning_rate(&t->config->training, t->state.update + 1, fraction_done(t), t->state.rate_factor)};
    ranks_broadcast(t->ranks, &plan, sizeof plan);
    return plan;
}

/* The number of batches in the next update: fewer at the end of a part. */
static int next_batches(const struct trainer *t)
{
    const long left = (long)t->order.batches - t->state.batch;
    return left < t->config->training.accumulate ? (int)left : t->config->training.accumulate;
}

static struct update_result make_update(struct trainer *t, double rate)
{
    return workers_update(&t->workers, &t->corpus, t->order.pairs, t->order.begin + t->state.batch,
                          next_batches(t), t->state.update + 1, rate);
}

static void advance_state(struct trainer *t, const struct update_result *result)
{
    t->state.batch += next_batches(t);
    t->state.update++;
    t->state.target_tokens += result->loss.target_tokens;
    count_seconds(t);
}

/* Validates after an update if that is due, else lets rank 0 save a checkpoint if that is. */
static enum step_outcome validate_or_save(struct trainer *t, bool epoch_over, enum step_outcome outcome,
                                          struct err *err)
{
    const struct config_training *c = &t->config->training;
    const bool validation_due = c->validate_every ? t->state.update % c->validate_every == 0 : epoch_over;
    if (validation_due && has_validation(t))
        return run_validation(t, outcome, err);
    if (t->state.update % c->checkpoint_every == 0 && ranks_is_first(t->ranks) && outcome == STEP_DONE &&
        save_checkpoint(t, err))
        return STEP_FAILED_HERE;
    return outcome;
}

/* Makes one update on all ranks, or rolls back to the last good checkpoint. */
static enum step_outcome train_step(struct trainer *t, double rate, struct err *err)
{
    const double clock = clock_seconds();
    const struct update_result result = make_update(t, rate);
    if (diverged(t, &result))
        return roll_back(t, &result, err) ? STEP_FAILED : STEP_DONE;
    advance_state(t, &result);
    enum step_outcome outcome = STEP_DONE;
    if (ranks_is_first(t->ranks)) {
        if (runlog_write(&t->log, event_update(&t->state, &result, rate, clock_seconds() - clock), err))
            outcome = STEP_FAILED_HERE;
        show_progress(t, &result);
    }
    const long epoch = t->state.epoch;
    if (part_is_over(t) && next_part(t, err))
        return STEP_FAILED;
    return validate_or_save(t, t->state.epoch > epoch, outcome, err);
}

static enum stop_reason training_loop(struct trainer *t, struct err *err)
{
    enum step_outcome outcome = STEP_DONE;
    struct step_plan plan;
    while (!(plan = plan_step(t, outcome)).stop) {
        outcome = train_step(t, plan.rate, err);
        if (outcome == STEP_FAILED)
            return BY_FAILURE;
    }
    return plan.stop;
}

/* ---- start and end ---- */

static int begin_training(struct trainer *t, enum train_start start, struct err *err)
{
    if (trainer_setup(t, start, err))
        return -1;
    trainer_broadcast(t);
    if (load_next_batches(t, err)) /* less data or larger batches than before the stop */
        return -1;
    if (t->state.validated < 0)
        t->state.validated = t->state.update;
    t->began = clock_seconds() - t->state.seconds;
    if (t->watch->begins)
        t->watch->begins();
    /* Even the first update needs a checkpoint to roll back to. */
    const bool saves = start != TRAIN_RESUME && ranks_is_first(t->ranks);
    const int saved = saves ? save_checkpoint(t, err) : 0;
    if (ranks_agree(t->ranks, saved, err))
        return -1;
    begin_progress_window(t);
    progress_begin(&t->progress, "training", t->state.seconds);
    return 0;
}

/* A training may end anywhere: then the last updates still need a validation. */
static bool needs_last_validation(const struct trainer *t, enum stop_reason reason)
{
    return reason != BY_SIGNAL && has_validation(t) && t->state.update > t->state.validated;
}

/* Rank 0's part of the end, for any reason but failure: saves a last checkpoint, and a model unless
 * validations have saved the best one. */
static int finish(struct trainer *t, enum stop_reason reason, struct err *err)
{
    char *weights = path_join(t->config->model_dir, MODEL_WEIGHTS);
    const bool has_model = file_exists(weights);
    xfree(weights);
    if (!has_validation(t) && t->state.best_count) /* the best validation is not that of the model any more */
        t->state.scored_with = TRAIN_UNSCORED;
    if (save_checkpoint(t, err) || ((!has_validation(t) || !has_model) && save_model(t, err)))
        return -1;
    log_info("stopped after %ld update%s, %.1f minutes: %s", t->state.update, plural((double)t->state.update),
             t->state.seconds / 60, stop_names[reason]);
    log_info("model: %s", t->config->model_dir);
    return runlog_write(&t->log, event_stop(&t->state, stop_names[reason]), err);
}

/* Removes what only a running training needs: older checkpoints, and the prepared text. */
static void remove_intermediate_files(const struct trainer *t)
{
    if (ranks_is_first(t->ranks))
        checkpoint_remove_old(t->config->model_dir, &t->state, &t->config->training, true);
    /* On all ranks: each may have its own disk. */
    if (!t->config->training.keep_prepared && prepare_can_repeat(&t->set.file, t->config))
        prepare_remove(t->config->model_dir);
}

static int end_training(struct trainer *t, enum stop_reason reason, struct err *err)
{
    enum step_outcome outcome = STEP_DONE;
    progress_end(&t->progress);
    if (reason == BY_FAILURE)
        return -1;
    if (reason == BY_EPOCHS && !t->state.update) /* small weights have drawn no pair in any epoch */
        return err_set(err, NO_PAIRS_DRAWN);
    if (needs_last_validation(t, reason))
        outcome = run_validation(t, outcome, err);
    int status = outcome == STEP_DONE ? 0 : -1;
    if (!status && ranks_is_first(t->ranks))
        status = finish(t, reason, err);
    if (ranks_agree(t->ranks, status, err))
        return -1;
    if (reason != BY_SIGNAL)
        remove_intermediate_files(t);
    return 0;
}

int trainer_run(const struct config *config, enum train_start start, const char *version,
                const struct trainer_watch *watch, const volatile sig_atomic_t *signal_number,
                const struct ranks *ranks, struct err *err)
{
    struct trainer *t = xcalloc(1, sizeof *t);
    t->own = *config;
    t->config = &t->own;
    if (config_settle_protect(&t->own))
        log_info("'text.protect' is false: 'data.train.alignment' links words as they are");
    t->lock.fd = -1;
    t->version = version;
    t->watch = watch;
    t->ranks = ranks;
    t->signal_number = signal_number;
    language_pair_init(&t->pair, t->config);
    corpus_init(&t->corpus);
    batch_order_init(&t->order);
    train_state_init(&t->state);
    strbuf_init(&t->changes);
    strbuf_init(&t->chosen);
    int status = begin_training(t, start, err);
    if (!status)
        status = end_training(t, training_loop(t, err), err);
    struct err close_err;
    if (runlog_close(&t->log, &close_err) && !status)
        status = err_set(err, "%s", close_err.text);
    batch_order_release(&t->order);
    training_set_close(&t->set);
    corpus_release(&t->corpus);
    valid_set_release(&t->valid);
    workers_release(&t->workers);
    language_pair_release(&t->pair);
    lock_release(&t->lock);
    strbuf_release(&t->changes);
    strbuf_release(&t->chosen);
    xfree(t->init_from);
    xfree(t);
    return status;
}
