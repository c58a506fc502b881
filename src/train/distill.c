/* The steps of a distillation, one after the other: teachers, their translations, synthetic pairs, student.
 * Their list is in distill_steps.c, time and disk in distill_plan.c, translating in distill_translate.c,
 * making pairs in distill_pairs.c, configs in distill_configs.c. */
#include "distill.h"

#include "checkpoint.h"
#include "distill_begin.h"
#include "distill_choice.h"
#include "distill_folder.h"
#include "distill_pairs.h"
#include "distill_plan.h"
#include "distill_translate.h"
#include "fileio.h"
#include "log.h"
#include "mem.h"

#include <math.h>
#include <stdio.h>

static bool is_stopped(const struct distill *d)
{
    return *d->watch->signal_number != 0;
}

/* ---- the steps ---- */

/* Sets the limit of the step that is open, unless the config has a lower one. */
static void limit_minutes(struct config *config, const struct distill *d)
{
    double *limit = &config->training.max_minutes;
    const double minutes = d->state.open.minutes;
    if (minutes > 0 && (*limit == 0 || minutes < *limit))
        *limit = minutes;
}

/* Trains in the time that the step has, from the newest checkpoint on if there is one. A signal may end the
 * program until text and network are ready. */
static int run_training(const struct distill *d, struct config *config, const struct trainer_watch *watch,
                        struct err *err)
{
    const int has = checkpoint_exists(config->model_dir, err);
    if (has < 0)
        return -1;
    limit_minutes(config, d);
    d->watch->lets_signals();
    return trainer_run(config, has ? TRAIN_RESUME : TRAIN_RESTART, d->version, watch, d->watch->signal_number,
                       &RANKS_ALONE, err);
}

/* The directory in which a step trains, which the caller frees. */
static char *directory_of(const struct distill *d, const struct distill_step *step)
{
    return step->kind == STEP_STUDENT && !step->number ? xstrdup(d->config->model_dir)
                                                       : distill_step_model(step, d->dir, 0);
}

static int run_teacher(struct distill *d, const struct distill_step *step, struct err *err)
{
    const struct trainer_watch watch = {d->watch->catches_signals, NULL};
    struct config config;
    char *dir = directory_of(d, step);
    int status = distill_teacher_config(&config, d->teacher, step->teacher, step->number, d->dir, dir, err);
    if (!status)
        status = run_training(d, &config, &watch, err);
    config_release(&config);
    xfree(dir);
    return status;
}

static int run_translation(struct distill *d, const struct distill_step *step, struct err *err)
{
    const int index = (int)(step - d->steps.items);
    char *models[DISTILL_MOST_MODELS], *output = distill_step_output(step, d->dir);
    for (int i = 0; i < step->models; i++)
        models[i] = distill_step_model(step, d->dir, i);
    const bool backward = step->teacher == TEACHER_BACKWARD;
    const enum side side = backward ? TARGET : SOURCE;
    struct config_pairs corpus;
    struct distill_translation job = {.config = d->config,
                                      .parts = 1,
                                      .from = side,
                                      .models = models,
                                      .count = step->models,
                                      .output = output,
                                      .pairs = d->text.pairs,
                                      .seconds = distill_plan_translation(&d->steps, &d->state, index),
                                      .signal_number = d->watch->signal_number};
    if (step->monolingual && distill_monolingual(&corpus, d->config, side)) {
        job.corpus = &corpus;
        job.parts = backward ? d->state.options.teachers[TEACHER_BACKWARD] : 1;
        job.part = backward ? step->number - 1 : 0;
        job.pairs = d->text.lines[side] / job.parts;
    }
    d->watch->catches_signals();
    const int status = distill_translate(&job, &d->state, err);
    for (int i = 0; i < step->models; i++)
        xfree(models[i]);
    xfree(output);
    return status;
}

/* Adds the translations of a step to the sets; further parts go to the set of the step before. */
static int add_to_sets(const struct distill *d, const struct distill_step *step, struct distill_set *sets,
                       int count)
{
    const bool backward = step->teacher == TEACHER_BACKWARD,
               continues = step->monolingual && backward && step->number > 1;
    struct distill_set *set = &sets[continues ? count - 1 : count];
    if (!continues)
        *set = (struct distill_set){
            .monolingual = step->monolingual,
            .made = backward ? SOURCE : TARGET,
            .title = step->monolingual && backward ? "back-translations of monolingual text" : step->title};
    set->paths[set->parts++] = distill_step_output(step, d->dir);
    return continues ? count : count + 1;
}

static int run_pairs(struct distill *d, struct err *err)
{
    int count = 0;
    d->watch->lets_signals();
    if (distill_check_text(d, err)) /* the translations are of its lines */
        return -1;
    struct distill_set *sets = xcalloc(DISTILL_MOST_STEPS, sizeof *sets);
    for (int i = 0; i < d->steps.count; i++)
        if (d->steps.items[i].kind == STEP_TRANSLATION)
            count = add_to_sets(d, &d->steps.items[i], sets, count);
    const int status = distill_pairs_make(d->config, d->dir, sets, count, err);
    for (int i = 0; i < count; i++)
        while (sets[i].parts)
            xfree(sets[i].paths[--sets[i].parts]);
    xfree(sets);
    return status;
}

static int run_student(struct distill *d, const struct distill_step *step, struct err *err)
{
    const struct trainer_watch watch = {d->watch->catches_signals, d->watch->validated};
    struct config config;
    char *dir = directory_of(d, step);
    int status = distill_student_config(&config, d->config, d->text.weighted, step->number ? step->number : 1,
                                        d->dir, dir, err);
    if (!status)
        status = run_training(d, &config, &watch, err);
    config_release(&config);
    xfree(dir);
    return status;
}

/* Compares the students, and enters the best one. */
static int choose_student(struct distill *d, struct err *err)
{
    const enum metric_kind metric = d->config->training.metric;
    struct scored_update best = {.update = 0};
    for (int i = 0; i < d->steps.count; i++) {
        const struct distill_step *step = &d->steps.items[i];
        struct scored_update score;
        char perplexity[40] = "";
        if (step->kind != STEP_STUDENT)
            continue;
        char *dir = directory_of(d, step);
        const int status = distill_load_score(&score, dir, d->config, err);
        xfree(dir);
        if (status)
            return -1;
        if (train_state_tells_nothing(score.score)) /* then it decides */
            snprintf(perplexity, sizeof perplexity, ", perplexity %.4g", score.perplexity);
        if (isfinite(score.score))
            log_info("%s: %s %.4g%s", step->title, config_choice("training.metric", metric).name,
                     fabs(score.score), perplexity);
        else
            log_warn("%s was never validated", step->title);
        if (!d->state.chosen || scored_update_is_better(&score, &best)) {
            d->state.chosen = step->number;
            best = score;
        }
    }
    return distill_state_save(&d->state, err);
}

/* What is chosen is saved before it is moved, since then the others have no rival to be compared with. */
static int run_choice(struct distill *d, struct err *err)
{
    d->watch->lets_signals();
    if (!d->state.chosen && choose_student(d, err))
        return -1;
    char *student = distill_step_model(
        &(struct distill_step){.kind = STEP_STUDENT, .number = d->state.chosen}, d->dir, 0);
    const int status = distill_take_student(d->config, student, err);
    xfree(student);
    if (!status)
        log_info("student %d is the model: %s", d->state.chosen, d->config->model_dir);
    return status;
}

static int run_step(struct distill *d, const struct distill_step *step, struct err *err)
{
    switch (step->kind) {
    case STEP_TEACHER:
        return run_teacher(d, step, err);
    case STEP_TRANSLATION:
        return run_translation(d, step, err);
    case STEP_PAIRS:
        return run_pairs(d, err);
    case STEP_STUDENT:
        return run_student(d, step, err);
    case STEP_CHOICE:
        return run_choice(d, err);
    }
    BUG("unknown step %d", step->kind);
}

static bool is_training(const struct distill_step *step)
{
    return step->kind == STEP_TEACHER || step->kind == STEP_STUDENT;
}

/* What a step that is done no longer needs. */
static int remove_leftovers(const struct distill *d, const struct distill_step *step, struct err *err)
{
    if (step->kind != STEP_TEACHER)
        return 0;
    char *dir = directory_of(d, step);
    const int status = checkpoint_remove_all(dir, err);
    xfree(dir);
    return status;
}

/* -1 if another's model is in the directory, or being made there: before its first checkpoint, a training
 * has the lock alone. */
static int check_free(const char *model_dir, struct err *err)
{
    struct lock lock;
    if (lock_take(&lock, model_dir, err))
        return -1;
    const int has = trainer_has_model(model_dir, err);
    lock_release(&lock);
    return has > 0
               ? err_set(err, "'%s' holds a model that is not of this distillation: move it away", model_dir)
               : has;
}

/* Where the step makes the model, its directory must be free: once the step is open, what is there is taken
 * for the student. */
static int check_place(const struct distill *d, const struct distill_step *step, struct err *err)
{
    const bool is_last = step->kind == STEP_CHOICE || (step->kind == STEP_STUDENT && !step->number);
    return is_last && !distill_state_is_open(&d->state, step->name) ? check_free(d->config->model_dir, err)
                                                                    : 0;
}

/* Says how long a step took, and how long others will. */
static void report_seconds(const struct distill *d)
{
    const double left = d->state.options.minutes > 0 ? 0 : distill_plan_left(&d->steps, &d->state);
    log_info("%.1f minutes", d->state.done[d->state.count - 1].seconds / 60);
    if (left > 0)
        log_info("teachers and translations: about %.1f minutes more", left / 60);
}

/* Saves what a step has taken so far, when a signal stops it. */
static int pause_step(struct distill *d, double seconds, struct err *err)
{
    d->state.open.seconds = seconds;
    return distill_state_save(&d->state, err);
}

/* The limit of a training; 0: none, or the step is no training. */
static double limit_of(const struct distill *d, int index)
{
    const struct distill_step *step = &d->steps.items[index];
    const double whole = d->state.options.minutes;
    if (whole <= 0 || !is_training(step))
        return 0;
    const double minutes = distill_plan_minutes(&d->steps, &d->state, index);
    if (minutes <= DISTILL_LEAST_SHARE * whole)
        log_warn("hardly any time is left for %s: %g minutes are too few for this text", step->title, whole);
    return minutes;
}

/* Of a training that was killed, its log knows how long it took. */
static int count_trained_seconds(struct distill *d, const struct distill_step *step, struct err *err)
{
    double seconds = 0;
    if (!is_training(step))
        return 0;
    char *dir = directory_of(d, step);
    const int status = distill_logged_seconds(&seconds, dir, err);
    xfree(dir);
    d->state.open.seconds = fmax(d->state.open.seconds, seconds);
    return status;
}

/* Makes a step; it stays open if a signal stops it. */
static int make_step(struct distill *d, int index, struct err *err)
{
    const struct distill_step *step = &d->steps.items[index];
    const bool goes_on = distill_state_is_open(&d->state, step->name);
    log_info("step %d of %d: %s", index + 1, d->steps.count, step->title);
    if (check_place(d, step, err) || distill_state_begin(&d->state, step->name, limit_of(d, index), err) ||
        (goes_on && count_trained_seconds(d, step, err)))
        return -1;
    const double began = clock_seconds() - d->state.open.seconds;
    const int status = run_step(d, step, err);
    if (status)
        return -1;
    if (is_stopped(d))
        return pause_step(d, clock_seconds() - began, err);
    if (goes_on) /* what it did twice, or under another limit, is not to be expected of others */
        d->state.open.minutes = 0;
    if (distill_state_end(&d->state, clock_seconds() - began, err))
        return -1;
    report_seconds(d);
    return remove_leftovers(d, step, err);
}

static int make_steps(struct distill *d, struct err *err)
{
    int status = 0;
    for (int i = 0; i < d->steps.count && !status && !is_stopped(d); i++) {
        const struct distill_step *step = &d->steps.items[i];
        status =
            distill_state_find(&d->state, step->name) ? remove_leftovers(d, step, err) : make_step(d, i, err);
    }
    if (status || is_stopped(d) || d->state.finished)
        return status;
    d->state.finished = true;
    return distill_state_save(&d->state, err);
}

/* ---- start ---- */

static int run_locked(struct distill *d, const struct distill_options *options, enum train_start start,
                      struct err *err)
{
    temporaries_remove(d->dir);
    const int status = start == TRAIN_RESUME ? distill_resume(d, options, err) : distill_begin(d, err);
    return status ? -1 : make_steps(d, err);
}

/* Removes what an earlier distillation or training has made, unless one is running. */
static int begin_again(const char *model_dir, struct err *err)
{
    struct lock lock;
    if (distill_remove(model_dir, NULL, err) || lock_take(&lock, model_dir, err))
        return -1;
    const int status = trainer_remove_model(model_dir, err);
    lock_release(&lock);
    return status;
}

int distill_run(const struct distill_configs *configs, const struct distill_options *options,
                enum train_start start, const char *version, const struct distill_watch *watch,
                struct err *err)
{
    struct distill *d = xcalloc(1, sizeof *d);
    struct config config, teacher; /* of which distill_begin.c settles training.init_from */
    struct lock lock;
    config_copy(&config, configs->student);
    config_copy(&teacher, configs->teacher);
    char *dir = distill_folder_of(config.model_dir);
    d->config = &config;
    d->teacher = &teacher;
    d->version = version;
    d->watch = watch;
    d->dir = dir;
    int status = start == TRAIN_RESUME ? 0 : distill_prepare(d, options, start == TRAIN_RESTART, err);
    if (!status && start != TRAIN_RESUME)
        status =
            start == TRAIN_RESTART ? begin_again(config.model_dir, err) : check_free(config.model_dir, err);
    if (!status)
        status = lock_take(&lock, dir, err);
    if (!status) {
        status = run_locked(d, options, start, err);
        lock_release(&lock);
    }
    distill_state_release(&d->state);
    config_release(&config);
    config_release(&teacher);
    xfree(dir);
    xfree(d);
    return status;
}
