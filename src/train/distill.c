/* The steps of a distillation, one after the other: teachers, their translations, synthetic pairs, student.
 * Translating is in distill_translate.c, making pairs in distill_pairs.c, configs in distill_configs.c. */
#include "distill.h"

#include "checkpoint.h"
#include "distill_configs.h"
#include "distill_pairs.h"
#include "distill_state.h"
#include "distill_translate.h"
#include "fileio.h"
#include "folder.h"
#include "log.h"
#include "mem.h"
#include "plural.h"

#include <stdio.h>
#include <string.h>

#define CONFIG_COPY "config.json"
#define DEFAULT_TEACHERS 2
#define TITLE_BYTES 64

enum step_kind { STEP_TEACHER, STEP_TRANSLATION, STEP_PAIRS, STEP_STUDENT };

struct step {
    enum step_kind kind;
    bool backward;                                  /* of a teacher, or of translations */
    int number;                                     /* of the teacher, from 1 */
    char name[STEP_NAME_BYTES], title[TITLE_BYTES]; /* in the state, and for the user */
};

#define MOST_STEPS (4 * DISTILL_MOST_MODELS + 2)

struct distill {
    const struct config *config;
    const char *version, *dir;
    const struct distill_watch *watch;
    struct distill_text text;
    struct distill_state state;
    struct step steps[MOST_STEPS];
    int count;
};

/* ---- the list of steps ---- */

static const char *direction_name(bool backward)
{
    return backward ? "backward" : "forward";
}

static void add_teacher_steps(struct distill *d, enum step_kind kind, bool backward, int teachers)
{
    const char *direction = direction_name(backward);
    for (int i = 1; i <= teachers; i++) {
        struct step *step = &d->steps[d->count++];
        *step = (struct step){.kind = kind, .backward = backward, .number = i};
        snprintf(step->name, sizeof step->name, "%s%s-%d", kind == STEP_TEACHER ? "" : "translate-",
                 direction, i);
        snprintf(step->title, sizeof step->title, "%s%s model %d",
                 kind == STEP_TEACHER ? "" : "translations of ", direction, i);
    }
}

static void add_step(struct distill *d, enum step_kind kind, const char *name, const char *title)
{
    struct step *step = &d->steps[d->count++];
    *step = (struct step){.kind = kind};
    snprintf(step->name, sizeof step->name, "%s", name);
    snprintf(step->title, sizeof step->title, "%s", title);
}

static void list_steps(struct distill *d)
{
    const struct distill_options *options = &d->state.options;
    add_teacher_steps(d, STEP_TEACHER, false, options->forward);
    add_teacher_steps(d, STEP_TEACHER, true, options->backward);
    add_teacher_steps(d, STEP_TRANSLATION, false, options->forward);
    add_teacher_steps(d, STEP_TRANSLATION, true, options->backward);
    add_step(d, STEP_PAIRS, "pairs", "synthetic pairs");
    add_step(d, STEP_STUDENT, "student", "the student");
}

/* The directory of a teacher, or its translations' file, which the caller frees. */
static char *teacher_path(const struct distill *d, const struct step *step, const char *end)
{
    char *name = xasprintf("%s-%d%s", direction_name(step->backward), step->number, end);
    char *path = path_join(d->dir, name);
    xfree(name);
    return path;
}

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

static int run_teacher(struct distill *d, const struct step *step, struct err *err)
{
    const struct trainer_watch watch = {d->watch->catches_signals, NULL};
    struct config config;
    char *dir = teacher_path(d, step, "");
    int status = distill_teacher_config(&config, d->config, step->backward, step->number, d->dir, dir, err);
    if (!status)
        status = train(d, &config, &watch, err);
    config_release(&config);
    xfree(dir);
    return status;
}

static int run_translation(struct distill *d, const struct step *step, struct err *err)
{
    char *model = teacher_path(d, step, ""), *output = teacher_path(d, step, ".txt");
    const struct distill_translation job = {.config = d->config,
                                            .side = step->backward ? TARGET : SOURCE,
                                            .models = &model,
                                            .count = 1,
                                            .output = output,
                                            .pairs = d->text.pairs,
                                            .signal_number = d->watch->signal_number};
    d->watch->catches_signals();
    const int status = distill_translate(&job, &d->state, err);
    xfree(model);
    xfree(output);
    return status;
}

static int run_pairs(struct distill *d, struct err *err)
{
    struct distill_set sets[MOST_STEPS];
    int count = 0;
    d->watch->lets_signals();
    for (int i = 0; i < d->count; i++) {
        const struct step *step = &d->steps[i];
        if (step->kind == STEP_TRANSLATION)
            sets[count++] = (struct distill_set){.translated = step->backward ? SOURCE : TARGET,
                                                 .path = teacher_path(d, step, ".txt"),
                                                 .title = step->title};
    }
    const int status = distill_pairs_make(d->config, d->dir, sets, count, err);
    for (int i = 0; i < count; i++)
        xfree(sets[i].path);
    return status;
}

static int run_student(struct distill *d, struct err *err)
{
    const struct trainer_watch watch = {d->watch->catches_signals, d->watch->validated};
    struct config config;
    distill_student_config(&config, d->config, d->dir);
    const int status = train(d, &config, &watch, err);
    config_release(&config);
    return status;
}

static int run_step(struct distill *d, const struct step *step, struct err *err)
{
    switch (step->kind) {
    case STEP_TEACHER:
        return run_teacher(d, step, err);
    case STEP_TRANSLATION:
        return run_translation(d, step, err);
    case STEP_PAIRS:
        return run_pairs(d, err);
    case STEP_STUDENT:
        return run_student(d, err);
    }
    BUG("unknown step %d", step->kind);
}

/* What a step that is done no longer needs. */
static int remove_leftovers(const struct distill *d, const struct step *step, struct err *err)
{
    if (step->kind != STEP_TEACHER)
        return 0;
    char *dir = teacher_path(d, step, "");
    const int status = checkpoint_remove_all(dir, err);
    xfree(dir);
    return status;
}

/* The student's directory must be free: a model that came there meanwhile is somebody else's. */
static int check_student(const struct distill *d, const struct step *step, struct err *err)
{
    if (step->kind != STEP_STUDENT || !strcmp(d->state.open.name, step->name))
        return 0;
    const int has = trainer_has_model(d->config->model_dir, err);
    return has > 0 ? err_set(err, "'%s' holds a model that is not of this distillation: move it away",
                             d->config->model_dir)
                   : has;
}

/* Makes a step; it stays open if a signal stops it. */
static int make_step(struct distill *d, int number, struct err *err)
{
    const struct step *step = &d->steps[number];
    log_info("step %d of %d: %s", number + 1, d->count, step->title);
    if (check_student(d, step, err) || distill_state_begin(&d->state, step->name, err))
        return -1;
    const double before = d->state.open.seconds, clock = clock_seconds();
    const int status = run_step(d, step, err);
    if (status || is_stopped(d))
        return status;
    return distill_state_end(&d->state, before + clock_seconds() - clock, err)
               ? -1
               : remove_leftovers(d, step, err);
}

static int make_steps(struct distill *d, struct err *err)
{
    int status = 0;
    for (int i = 0; i < d->count && !status && !is_stopped(d); i++)
        if (!distill_state_is_done(&d->state, d->steps[i].name))
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
        check_option("backward", options->backward, begun->backward, model_dir, err))
        return -1;
    if (d->state.finished)
        return 0;
    char *copy = path_join(d->dir, CONFIG_COPY);
    const int status = distill_check_config(d->config, copy, err);
    xfree(copy);
    if (status || distill_text_read(&d->text, d->config, err))
        return -1;
    return d->text.checksum == d->state.text
               ? 0
               : err_set(err, "the text is not that with which '%s' was begun (--restart begins again)",
                         model_dir);
}

static void count_other(void *context, const char *name)
{
    *(int *)context +=
        strcmp(name, ".") && strcmp(name, "..") && strcmp(name, "lock") && strcmp(name, CONFIG_COPY);
}

/* A folder of the user's is not taken, and so not removed in the end. */
static int check_empty(const char *dir, struct err *err)
{
    int others = 0;
    if (folder_each(dir, count_other, &others, err))
        return -1;
    return others
               ? err_set(err, "'%s' is not empty: it is where teachers and translations would be kept", dir)
               : 0;
}

static int begin(struct distill *d, const struct distill_options *options, struct err *err)
{
    if (check_empty(d->dir, err))
        return -1;
    distill_state_init(&d->state, d->dir);
    d->state.text = d->text.checksum;
    d->state.options = *options;
    if (options->forward == DISTILL_NOT_GIVEN)
        d->state.options.forward = DEFAULT_TEACHERS;
    if (options->backward == DISTILL_NOT_GIVEN)
        d->state.options.backward = DEFAULT_TEACHERS;
    char *copy = path_join(d->dir, CONFIG_COPY);
    const int status = config_save(d->config, copy, err);
    xfree(copy);
    return status || distill_state_save(&d->state, err) ? -1 : 0;
}

static void report_plan(const struct distill *d)
{
    const struct distill_options *options = &d->state.options;
    log_info("%lld training pair%s, %d forward and %d backward model%s, %zu of %d steps done",
             (long long)d->text.pairs, plural((double)d->text.pairs), options->forward, options->backward,
             plural(options->backward), d->state.count, d->count);
}

static int run_locked(struct distill *d, const struct distill_options *options, enum train_start start,
                      struct err *err)
{
    temporaries_remove(d->dir);
    int status = start == TRAIN_RESUME ? resume(d, options, err) : begin(d, options, err);
    if (!status) {
        list_steps(d);
        if (!d->state.finished)
            report_plan(d);
        status = make_steps(d, err);
    }
    distill_state_release(&d->state);
    return status;
}

static char *folder_of(const char *model_dir)
{
    return path_join(model_dir, DISTILL_FOLDER);
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
    char *dir = folder_of(config->model_dir);
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

int distill_progress(const char *model_dir, struct err *err)
{
    struct distill_state state;
    char *dir = folder_of(model_dir), *path = path_join(dir, DISTILL_STATE);
    int progress = DISTILL_NONE;
    if (file_exists(path)) {
        progress = distill_state_load(&state, dir, err);
        if (progress == 0) {
            progress = state.finished ? DISTILL_FINISHED : DISTILL_BEGUN;
            distill_state_release(&state);
        }
    }
    xfree(path);
    xfree(dir);
    return progress;
}

/* ---- removal ---- */

struct removal {
    const char *dir;
    double bytes;
    int failed;
    struct err *err;
};

static void remove_but_state(void *context, const char *name)
{
    static const char *const kept[] = {".", "..", "lock", CONFIG_COPY, DISTILL_STATE};
    struct removal *removal = context;
    for (size_t i = 0; i < sizeof kept / sizeof kept[0]; i++)
        if (!strcmp(name, kept[i]))
            return;
    char *path = path_join(removal->dir, name);
    removal->failed |= folder_remove(path, &removal->bytes, removal->err);
    xfree(path);
}

/* The state goes last: until then, a resumed run knows that only this is left to do. */
static int remove_locked(const char *dir, double *bytes, struct err *err)
{
    struct removal removal = {.dir = dir, .err = err};
    if (folder_each(dir, remove_but_state, &removal, err) || removal.failed)
        return -1;
    char *config = path_join(dir, CONFIG_COPY), *state = path_join(dir, DISTILL_STATE);
    const int status =
        folder_remove(config, &removal.bytes, err) || folder_remove(state, &removal.bytes, err) ? -1 : 0;
    xfree(config);
    xfree(state);
    if (bytes)
        *bytes = removal.bytes;
    return status;
}

int distill_remove(const char *model_dir, double *bytes, struct err *err)
{
    struct lock lock;
    char *dir = folder_of(model_dir);
    int status = 0;
    if (bytes)
        *bytes = 0;
    if (distill_progress(model_dir, NULL) != DISTILL_NONE) {
        status = lock_take(&lock, dir, err);
        if (!status) {
            status = remove_locked(dir, bytes, err);
            lock_release(&lock);
        }
        if (!status)
            folder_remove_empty(dir);
    }
    xfree(dir);
    return status;
}
