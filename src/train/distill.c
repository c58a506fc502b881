/* The steps of a distillation, one after the other: teachers, their translations, synthetic pairs, student.
 * Their list is in distill_steps.c, time and disk in distill_plan.c, translating in distill_translate.c,
 * making pairs in distill_pairs.c, configs in distill_configs.c. */
#include "distill.h"

#include "checkpoint.h"
#include "distill_choice.h"
#include "distill_configs.h"
#include "distill_folder.h"
#include "distill_pairs.h"
#include "distill_plan.h"
#include "distill_steps.h"
#include "distill_translate.h"
#include "fileio.h"
#include "log.h"
#include "machine.h"
#include "mem.h"
#include "plural.h"

#include <math.h>

#define DEFAULT_TEACHERS 2
#define DEFAULT_STUDENTS 1
#define MIB (1024.0 * 1024.0)

struct distill {
    const struct config *config;
    const char *version, *dir;
    const struct distill_watch *watch;
    struct distill_text text;
    struct distill_state state;
    struct distill_steps steps;
};

static bool is_stopped(const struct distill *d)
{
    return *d->watch->signal_number != 0;
}

/* ---- the steps ---- */

/* Trains, from the newest checkpoint on if there is one. A signal may end the program until text and network
 * are ready. */
static int train(const struct distill *d, const struct config *config, const struct trainer_watch *watch,
                 struct err *err)
{
    const int has = checkpoint_exists(config->model_dir, err);
    if (has < 0)
        return -1;
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

/* Sets the limit of the step that is open, unless the config has a lower one. */
static void limit_minutes(struct config *config, const struct distill *d)
{
    double *limit = &config->training.max_minutes;
    const double minutes = d->state.open.minutes;
    if (minutes > 0 && (*limit == 0 || minutes < *limit))
        *limit = minutes;
}

static int run_teacher(struct distill *d, const struct distill_step *step, struct err *err)
{
    const struct trainer_watch watch = {d->watch->catches_signals, NULL};
    struct config config;
    char *dir = directory_of(d, step);
    int status = distill_teacher_config(&config, d->config, step->backward, step->number, d->dir, dir, err);
    limit_minutes(&config, d);
    if (!status)
        status = train(d, &config, &watch, err);
    config_release(&config);
    xfree(dir);
    return status;
}

static int run_translation(struct distill *d, const struct distill_step *step, struct err *err)
{
    char *models[DISTILL_MOST_MODELS], *output = distill_step_output(step, d->dir);
    for (int i = 0; i < step->models; i++)
        models[i] = distill_step_model(step, d->dir, i);
    const struct distill_translation job = {.config = d->config,
                                            .side = step->backward ? TARGET : SOURCE,
                                            .models = models,
                                            .count = step->models,
                                            .output = output,
                                            .pairs = d->text.pairs,
                                            .signal_number = d->watch->signal_number};
    d->watch->catches_signals();
    const int status = distill_translate(&job, &d->state, err);
    for (int i = 0; i < step->models; i++)
        xfree(models[i]);
    xfree(output);
    return status;
}

static int run_pairs(struct distill *d, struct err *err)
{
    struct distill_set sets[DISTILL_MOST_STEPS];
    int count = 0;
    d->watch->lets_signals();
    for (int i = 0; i < d->steps.count; i++) {
        const struct distill_step *step = &d->steps.items[i];
        if (step->kind == STEP_TRANSLATION)
            sets[count++] = (struct distill_set){.translated = step->backward ? SOURCE : TARGET,
                                                 .path = distill_step_output(step, d->dir),
                                                 .title = step->title};
    }
    const int status = distill_pairs_make(d->config, d->dir, sets, count, err);
    for (int i = 0; i < count; i++)
        xfree(sets[i].path);
    return status;
}

static int run_student(struct distill *d, const struct distill_step *step, struct err *err)
{
    const struct trainer_watch watch = {d->watch->catches_signals, d->watch->validated};
    struct config config;
    char *dir = directory_of(d, step);
    distill_student_config(&config, d->config, step->number ? step->number : 1, d->dir, dir);
    limit_minutes(&config, d);
    const int status = train(d, &config, &watch, err);
    config_release(&config);
    xfree(dir);
    return status;
}

/* Compares the students, and enters the best one. */
static int choose_student(struct distill *d, struct err *err)
{
    const enum metric_kind metric = d->config->training.metric;
    double best = 0;
    for (int i = 0; i < d->steps.count; i++) {
        const struct distill_step *step = &d->steps.items[i];
        double score;
        if (step->kind != STEP_STUDENT)
            continue;
        char *dir = directory_of(d, step);
        const int status = distill_score(&score, dir, d->config, err);
        xfree(dir);
        if (status)
            return -1;
        if (isfinite(score))
            log_info("%s: %s %.4g", step->title, config_choice("training.metric", metric).name, fabs(score));
        else
            log_warn("%s was never validated (training.validate_every)", step->title);
        if (!d->state.chosen || score > best) {
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

/* Where the step makes the model, its directory must be free: what came there meanwhile is somebody else's.
 * */
static int check_place(const struct distill *d, const struct distill_step *step, struct err *err)
{
    const bool is_last = step->kind == STEP_CHOICE || (step->kind == STEP_STUDENT && !step->number);
    if (!is_last || distill_state_is_open(&d->state, step->name))
        return 0;
    const int has = trainer_has_model(d->config->model_dir, err);
    return has > 0 ? err_set(err, "'%s' holds a model that is not of this distillation: move it away",
                             d->config->model_dir)
                   : has;
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

/* Makes a step; it stays open if a signal stops it. */
static int make_step(struct distill *d, int index, struct err *err)
{
    const struct distill_step *step = &d->steps.items[index];
    const bool limited =
        d->state.options.minutes > 0 && (step->kind == STEP_TEACHER || step->kind == STEP_STUDENT);
    log_info("step %d of %d: %s", index + 1, d->steps.count, step->title);
    if (check_place(d, step, err) ||
        distill_state_begin(&d->state, step->name,
                            limited ? distill_plan_minutes(&d->steps, &d->state, index) : 0, err))
        return -1;
    const double began = clock_seconds() - d->state.open.seconds;
    const int status = run_step(d, step, err);
    if (status)
        return -1;
    if (is_stopped(d))
        return pause_step(d, clock_seconds() - began, err);
    if (distill_state_end(&d->state, clock_seconds() - began, err))
        return -1;
    report_seconds(d);
    return remove_leftovers(d, step, err);
}

static int make_steps(struct distill *d, struct err *err)
{
    int status = 0;
    for (int i = 0; i < d->steps.count && !status && !is_stopped(d); i++)
        if (!distill_state_is_done(&d->state, d->steps.items[i].name))
            status = make_step(d, i, err);
    if (status || is_stopped(d) || d->state.finished)
        return status;
    d->state.finished = true;
    return distill_state_save(&d->state, err);
}

/* ---- start ---- */

static int check_option(const char *name, int given, int begun, const char *model_dir, struct err *err)
{
    return given == DISTILL_NOT_GIVEN || given == begun
               ? 0
               : err_set(err, "option '--%s' is %d, was %d when '%s' was begun (--restart begins again)",
                         name, given, begun, model_dir);
}

static int resume(struct distill *d, const struct distill_options *options, struct err *err)
{
    const struct distill_options *begun = &d->state.options;
    const char *model_dir = d->config->model_dir;
    if (distill_state_load(&d->state, d->dir, err))
        return -1;
    if (check_option("forward", options->forward, begun->forward, model_dir, err) ||
        check_option("backward", options->backward, begun->backward, model_dir, err) ||
        check_option("students", options->students, begun->students, model_dir, err))
        return -1;
    if (options->minutes != DISTILL_NOT_GIVEN)
        d->state.options.minutes = options->minutes;
    if (d->state.finished)
        return 0;
    char *copy = path_join(d->dir, DISTILL_CONFIG);
    const int status = distill_check_config(d->config, copy, err);
    xfree(copy);
    if (status || distill_text_read(&d->text, d->config, err))
        return -1;
    return d->text.checksum == d->state.text
               ? 0
               : err_set(err, "the text is not that with which '%s' was begun (--restart begins again)",
                         model_dir);
}

static void set_default(int *option, int value)
{
    if (*option == DISTILL_NOT_GIVEN)
        *option = value;
}

static int begin(struct distill *d, const struct distill_options *given, struct err *err)
{
    struct distill_options *options = &d->state.options;
    if (distill_folder_check(d->dir, err))
        return -1;
    distill_state_init(&d->state, d->dir);
    d->state.text = d->text.checksum;
    *options = *given;
    set_default(&options->forward, DEFAULT_TEACHERS);
    set_default(&options->backward, DEFAULT_TEACHERS);
    set_default(&options->students, DEFAULT_STUDENTS);
    if (options->minutes == DISTILL_NOT_GIVEN)
        options->minutes = 0;
    if (options->students > 1 && !d->config->data.valid.source && !d->config->data.valid.tsv)
        return err_set(err, "cannot choose one of %d students: the config has no 'data.valid'",
                       options->students);
    return 0;
}

/* Writes what a distillation is resumed with. */
static int save_begun(const struct distill *d, struct err *err)
{
    char *copy = path_join(d->dir, DISTILL_CONFIG);
    const int status = config_save(d->config, copy, err);
    xfree(copy);
    return status || distill_state_save(&d->state, err) ? -1 : 0;
}

static void report_plan(const struct distill *d)
{
    const struct distill_options *options = &d->state.options;
    log_info("%lld training pair%s, %d forward and %d backward model%s, %d student%s, %zu of %d steps done",
             (long long)d->text.pairs, plural((double)d->text.pairs), options->forward, options->backward,
             plural(options->backward), options->students, plural(options->students), d->state.count,
             d->steps.count);
    for (int i = 0; i < d->steps.count && options->minutes > 0; i++)
        if (d->steps.items[i].kind == STEP_TEACHER && !d->state.count) {
            log_info("time: %.4g minutes, of which a teacher has about %.3g and %s %.3g", options->minutes,
                     distill_plan_minutes(&d->steps, &d->state, i),
                     options->students == 1 ? "the student" : "each student",
                     options->minutes / 2 / options->students);
            break;
        }
}

/* Says how much disk is needed, and refuses to begin on one that has less. */
static int check_disk(const struct distill *d, struct err *err)
{
    const struct distill_disk disk = distill_plan_disk(&d->steps, d->config, &d->text);
    const double room = machine_free_disk(d->dir);
    log_info("disk: at most %.0f MiB, of which %.0f MiB stay", disk.need / MIB, disk.stays / MIB);
    return room < 0 || room >= disk.need
               ? 0
               : err_set(err, "distilling may need %.0f MiB in '%s', where %.0f MiB are free",
                         disk.need / MIB, d->config->model_dir, room / MIB);
}

static int start_steps(struct distill *d, const struct distill_options *options, bool resumed,
                       struct err *err)
{
    if (resumed ? resume(d, options, err) : begin(d, options, err))
        return -1;
    distill_steps_list(&d->steps, &d->state.options, distill_sets_of(&d->state.options));
    if (!d->state.finished)
        report_plan(d);
    return resumed ? 0 : check_disk(d, err) || save_begun(d, err) ? -1 : 0;
}

static int run_locked(struct distill *d, const struct distill_options *options, enum train_start start,
                      struct err *err)
{
    temporaries_remove(d->dir);
    int status = start_steps(d, options, start == TRAIN_RESUME, err);
    if (!status)
        status = make_steps(d, err);
    distill_state_release(&d->state);
    return status;
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

int distill_run(const struct config *config, const struct distill_options *options, enum train_start start,
                const char *version, const struct distill_watch *watch, struct err *err)
{
    struct distill *d = xcalloc(1, sizeof *d);
    struct lock lock;
    char *dir = distill_folder_of(config->model_dir);
    d->config = config;
    d->version = version;
    d->watch = watch;
    d->dir = dir;
    int status =
        start == TRAIN_RESUME ? 0 : distill_text_read(&d->text, config, err); /* before anything is made */
    if (!status && start == TRAIN_RESTART)
        status = begin_again(config->model_dir, err);
    if (!status)
        status = lock_take(&lock, dir, err);
    if (!status) {
        status = run_locked(d, options, start, err);
        lock_release(&lock);
    }
    xfree(dir);
    xfree(d);
    return status;
}
