/* Begins a distillation or takes up one that was begun: options, text, plan, disk. */
#include "distill_begin.h"

#include "auto_settings.h"
#include "checkpoint.h"
#include "distill_folder.h"
#include "distill_plan.h"
#include "fileio.h"
#include "folder.h"
#include "log.h"
#include "machine.h"
#include "mem.h"
#include "paths.h"
#include "plural.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#define DEFAULT_STUDENTS 1
#define MIB (1024.0 * 1024.0)

static int check_option(const char *name, int given, int begun, const char *model_dir, struct err *err)
{
    return given == DISTILL_NOT_GIVEN || given == begun
               ? 0
               : err_set(err, "option '--%s' is %d, was %d when '%s' was begun (--restart begins again)",
                         name, given, begun, model_dir);
}

static int check_options(const struct distill *d, const struct distill_options *given, struct err *err)
{
    const struct distill_options *begun = &d->state.options;
    const char *model_dir = d->config->model_dir;
    for (int i = 0; i < TEACHER_KINDS; i++)
        if (check_option(teacher_kinds[i], given->teachers[i], begun->teachers[i], model_dir, err))
            return -1;
    return check_option("students", given->students, begun->students, model_dir, err);
}

static int check_config(const struct distill *d, const struct config *config, const char *begun,
                        const char *what, struct err *err)
{
    char *copy = path_join(d->dir, begun);
    const int status = distill_check_config(config, copy, what, err);
    xfree(copy);
    return status;
}

int distill_check_text(struct distill *d, struct err *err)
{
    if (distill_text_read(&d->text, d->config, err))
        return -1;
    return d->text.checksum == d->state.text
               ? 0
               : err_set(err, "%s is not that with which '%s' was begun (--restart begins again)",
                         d->config->training.init_from ? "the text, or the model of training.init_from,"
                                                       : "the text",
                         d->config->model_dir);
}

/* Are text and configs those that the steps which are done were made with? */
static int check_begun(struct distill *d, struct err *err)
{
    return check_config(d, d->config, DISTILL_CONFIG, "the config", err) ||
                   check_config(d, d->teacher, DISTILL_TEACHER, "the teachers' config (--teacher)", err) ||
                   distill_check_text(d, err)
               ? -1
               : 0;
}

static void set_default(int *option, int value)
{
    if (*option == DISTILL_NOT_GIVEN)
        *option = value;
}

/* By default, no teacher goes from right to left if what its config says fits one order of words. */
static int default_teachers(enum teacher_kind kind, const struct config *config)
{
    const bool one_order = config->text.reverse_target || config->training.init_from ||
                           config->model.attention.scope == SCOPE_LOCAL_M;
    return kind == TEACHER_RIGHT_TO_LEFT && one_order ? 0 : 1;
}

/* Sets options that are not given to their defaults. -1 if the config does not suit them. */
static int complete_options(struct distill_options *options, const struct config *config,
                            const struct config *teacher, struct err *err)
{
    int *teachers = options->teachers, count = 0;
    for (int i = 0; i < TEACHER_KINDS; i++) {
        set_default(&teachers[i], default_teachers((enum teacher_kind)i, teacher));
        count += teachers[i];
    }
    set_default(&options->students, DEFAULT_STUDENTS);
    if (options->minutes == DISTILL_NOT_GIVEN)
        options->minutes = 0;
    if (options->students > 1 && !config_pairs_given(&config->data.valid))
        return err_set(err, "cannot choose one of %d students: the config has no 'data.valid'",
                       options->students);
    if (!count)
        return err_set(err, "there is no teacher to learn from");
    if (config->data.monolingual && !teachers[TEACHER_BACKWARD])
        return err_set(err, "'data.monolingual' needs a backward teacher, and '--backward' is 0");
    if (config->data.monolingual_source && !teachers[TEACHER_FORWARD])
        return err_set(err, "'data.monolingual_source' needs a forward teacher, and '--forward' is 0");
    if (config->text.reverse_target && teachers[TEACHER_RIGHT_TO_LEFT])
        return err_set(err,
                       "with 'text.reverse_target' all teachers are from right to left: '--right-to-left' "
                       "must be 0");
    return 0;
}

static int copy_config(const struct distill *d, const struct config *config, const char *name,
                       struct err *err)
{
    char *copy = path_join(d->dir, name);
    const int status = config_save(config, copy, err);
    xfree(copy);
    return status;
}

/* Writes what a distillation is resumed with. */
static int save_begun(const struct distill *d, struct err *err)
{
    return copy_config(d, d->config, DISTILL_CONFIG, err) ||
                   copy_config(d, d->teacher, DISTILL_TEACHER, err) || distill_state_save(&d->state, err)
               ? -1
               : 0;
}

static void report_plan(const struct distill *d)
{
    const struct distill_options *options = &d->state.options;
    const int *teachers = options->teachers, backward = teachers[TEACHER_BACKWARD];
    char right_to_left[40] = "";
    if (teachers[TEACHER_RIGHT_TO_LEFT])
        snprintf(right_to_left, sizeof right_to_left, ", %d right-to-left", teachers[TEACHER_RIGHT_TO_LEFT]);
    log_info("%lld training pair%s, %d forward%s and %d backward model%s, %d student%s, %zu of %d steps done",
             (long long)d->text.pairs, plural((double)d->text.pairs), teachers[TEACHER_FORWARD],
             right_to_left, backward, plural(backward), options->students, plural(options->students),
             d->state.count, d->steps.count);
    for (int i = 0; i < d->steps.count && options->minutes > 0; i++)
        if (d->steps.items[i].kind == STEP_TEACHER && !d->state.count) {
            log_info("time: %.4g minutes, of which a teacher has about %.3g and %s %.3g", options->minutes,
                     distill_plan_minutes(&d->steps, &d->state, i),
                     options->students == 1 ? "the student" : "each student", distill_plan_student(options));
            break;
        }
}

/* Estimates the disk for networks as they will be: those that begin with a model, the student and forward
 * teachers, are like that. */
static int plan_disk(struct distill_disk *disk, const struct distill *d, struct err *err)
{
    const int *teachers = d->state.options.teachers;
    struct config student = *d->config, teacher = *d->teacher; /* share their texts */
    enum pair_origin origin;
    if (auto_settings_inherit(&student, &origin, err) ||
        (teachers[TEACHER_FORWARD] && auto_settings_inherit(&teacher, &origin, err)))
        return -1;
    *disk = distill_plan_disk(&d->steps, &student, &teacher, &d->text);
    if (teachers[TEACHER_BACKWARD] || teachers[TEACHER_RIGHT_TO_LEFT])
        disk->need = fmax(disk->need, distill_plan_disk(&d->steps, &student, d->teacher, &d->text).need);
    return 0;
}

/* Says how much disk is needed, and refuses to begin on one that has less, and frees less. */
static int check_disk(const struct distill *d, double freed, struct err *err)
{
    struct distill_disk disk;
    if (plan_disk(&disk, d, err))
        return -1;
    const double free_now = machine_free_disk(d->dir), room = free_now < 0 ? -1 : free_now + freed;
    log_info("disk: at most %.0f MiB, of which %.0f MiB stay without --keep", ceil(disk.need / MIB),
             ceil(disk.stays / MIB));
    return room < 0 || room >= disk.need
               ? 0
               : err_set(err, "distilling may need %.0f MiB in '%s', where %.0f MiB are free",
                         ceil(disk.need / MIB), d->config->model_dir, floor(room / MIB));
}

static void list_steps(struct distill *d)
{
    distill_steps_list(&d->steps, &d->state.options, &d->text);
    if (!d->state.finished)
        report_plan(d);
}

/* ---- what --restart removes ---- */

/* The bytes of a folder's files if it is on that device. */
static double bytes_on(const char *folder, dev_t device)
{
    struct stat info;
    char *path = path_absolute(folder);
    const double bytes = !stat(path, &info) && info.st_dev == device ? folder_bytes(path) : 0;
    xfree(path);
    return bytes;
}

/* Bytes that removing a distillation, and a model's checkpoints, will free where the new one will be. */
static double bytes_to_free(const struct distill *d)
{
    struct stat info;
    if (stat(d->dir, &info) && stat(d->config->model_dir, &info))
        return 0;
    char *checkpoints = path_join(d->config->model_dir, CHECKPOINT_FOLDER);
    const double bytes = bytes_on(d->dir, info.st_dev) + bytes_on(checkpoints, info.st_dev);
    xfree(checkpoints);
    return bytes;
}

/* -1 if what the config names is the folder, or in it. */
static int check_outside(const char *path, const char *folder, struct err *err)
{
    if (!path)
        return 0;
    char *inner = path_absolute(path), *outer = path_absolute(folder);
    const size_t length = strlen(outer);
    const bool outside = strncmp(inner, outer, length) || (inner[length] && inner[length] != '/');
    xfree(inner);
    xfree(outer);
    return outside ? 0 : err_set(err, "the config needs '%s', which --restart would remove", path);
}

/* Will all that the trainings read be there when what the folder holds is removed? */
static int check_inputs(const struct distill *d, struct err *err)
{
    const struct config_data *data = &d->config->data;
    const char *const paths[] = {data->valid.source, data->valid.target,       data->valid.tsv,
                                 data->test.source,  data->test.target,        data->test.tsv,
                                 data->monolingual,  data->monolingual_source, d->config->training.init_from};
    const char *path;
    for (size_t i = 0; i < sizeof paths / sizeof paths[0]; i++)
        if (check_outside(paths[i], d->dir, err))
            return -1;
    for (int i = 0; (path = config_train_file(d->config, i)); i++)
        if (check_outside(path, d->dir, err))
            return -1;
    return trainer_check_restart(d->config, err);
}

/* ---- begin and resume ---- */

static void set_init_from(const struct distill *d, const char *path)
{
    struct config *const configs[] = {d->config, d->teacher};
    for (size_t i = 0; i < sizeof configs / sizeof configs[0]; i++) {
        xfree(configs[i]->training.init_from);
        configs[i]->training.init_from = xstrdup(path);
    }
}

/* A link such as models/latest may name another model when the distillation is resumed. */
static void follow_init_from(const struct distill *d)
{
    char *model = d->config->training.init_from ? path_absolute(d->config->training.init_from) : NULL;
    if (model)
        set_init_from(d, model);
    xfree(model);
}

/* Takes the model with which it was begun, unless it was moved: then the config names its new place. */
static int resume_init_from(const struct distill *d, struct err *err)
{
    struct config begun;
    char *copy = path_join(d->dir, DISTILL_CONFIG);
    config_init(&begun);
    const int status = config_load(&begun, copy, err);
    const char *const from = begun.training.init_from;
    if (!status && d->config->training.init_from && from && file_exists(from))
        set_init_from(d, from);
    config_release(&begun);
    xfree(copy);
    return status;
}

/* What another has put where teachers will be must not be lost: with a state, it is a distillation. */
static int check_folder(const struct distill *d, bool removes, struct err *err)
{
    return removes && distill_progress(d->config->model_dir, NULL) != DISTILL_NONE
               ? 0
               : distill_folder_check(d->dir, err);
}

/* Where the tag of the translations is none of the corpora's, all trainings must keep the words of
 * training.init_from: student and forward teachers do if text and model.tie are as there, unless
 * back-translations bring a tag. */
static int check_tag(const struct distill *d, struct err *err)
{
    const int *teachers = d->state.options.teachers;
    struct config begun = *d->config; /* shares its texts */
    enum pair_origin origin = PAIR_LEARNED;
    if (config_trains_tag(d->config))
        return 0;
    if (config_check_tag(d->config, err) || auto_settings_inherit(&begun, &origin, err))
        return -1;
    if (origin != PAIR_INHERITED)
        return err_set(
            err,
            "config key 'decoding.tag' is '%s', which no corpus of 'data.train' has, and words are "
            "learned anew, since 'text' or 'model.tie' is not as in the model of "
            "'training.init_from': give a corpus that tag",
            d->config->decoding.tag);
    return !teachers[TEACHER_BACKWARD] && !teachers[TEACHER_RIGHT_TO_LEFT] && !d->config->data.monolingual
               ? 0
               : err_set(
                     err,
                     "config key 'decoding.tag' is '%s', which no corpus of 'data.train' has, and not all "
                     "trainings keep the words of 'training.init_from': give a corpus that tag, or "
                     "'--backward 0 --right-to-left 0' and no 'data.monolingual'",
                     d->config->decoding.tag);
}

/* When all of several students are trained, one is moved into the model's directory: that must not fail. */
static int check_one_disk(const struct distill *d, struct err *err)
{
    const char *const model_dir = d->config->model_dir;
    char *checkpoints = path_join(model_dir, CHECKPOINT_FOLDER);
    const char *const places[] = {model_dir, checkpoints};
    int status = 0;
    for (size_t i = 0; i < 2 && !status && d->state.options.students > 1; i++) {
        struct stat folder, place;
        if (!stat(places[i], &place) && !stat(file_exists(d->dir) ? d->dir : model_dir, &folder) &&
            folder.st_dev != place.st_dev)
            status = err_set(err, "'%s' is not on the disk of '%s': move it there, or give '--students 1'",
                             d->dir, places[i]);
    }
    xfree(checkpoints);
    return status;
}

/* The others begin with no model. */
static int check_forward_teachers(const struct distill *d, struct err *err)
{
    return d->state.options.teachers[TEACHER_FORWARD] ? trainer_check_init_from(d->teacher, err) : 0;
}

int distill_prepare(struct distill *d, const struct distill_options *options, bool removes, struct err *err)
{
    distill_state_init(&d->state, d->dir);
    d->state.options = *options;
    follow_init_from(d);
    if (complete_options(&d->state.options, d->config, d->teacher, err) ||
        trainer_check_processor(d->config, err) || check_tag(d, err) || check_one_disk(d, err) ||
        trainer_check_init_from(d->config, err) || check_forward_teachers(d, err) ||
        distill_text_read(&d->text, d->config, err) || check_folder(d, removes, err) ||
        (removes && check_inputs(d, err)))
        return -1;
    d->state.text = d->text.checksum;
    list_steps(d);
    return check_disk(d, removes ? bytes_to_free(d) : 0, err);
}

int distill_begin(struct distill *d, struct err *err)
{
    return distill_folder_check(d->dir, err) || save_begun(d, err) ? -1 : 0;
}

int distill_resume(struct distill *d, const struct distill_options *given, struct err *err)
{
    if (distill_state_load(&d->state, d->dir, err))
        return -1;
    if (check_options(d, given, err) ||
        (!d->state.finished && (resume_init_from(d, err) || check_begun(d, err))))
        return -1;
    if (given->minutes != DISTILL_NOT_GIVEN)
        d->state.options.minutes = given->minutes;
    list_steps(d);
    return 0;
}
