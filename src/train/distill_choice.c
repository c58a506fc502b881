/* Compares students by their logs, and moves one. */
#include "distill_choice.h"

#include "fileio.h"
#include "folder.h"
#include "history.h"
#include "mem.h"
#include "model_dir.h"
#include "prepare.h"
#include "validate.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

int distill_logged_seconds(double *seconds, const char *model_dir, struct err *err)
{
    struct history history;
    if (history_load_path(&history, model_dir, err))
        return -1;
    *seconds = 0;
    for (size_t i = 0; i < history.update_count; i++)
        *seconds = fmax(*seconds, history.updates[i].seconds);
    history_release(&history);
    return 0;
}

int distill_load_score(struct scored_update *score, const char *model_dir, const struct config *config,
                       struct err *err)
{
    struct model_files files;
    struct history history = {.validations = NULL};
    if (model_files_open(&files, model_dir, err))
        return -1;
    const struct safetensors *weights = model_files_weights(&files, err);
    const int status = weights ? history_load(&history, &files, err) : -1;
    const struct history_validation *v = status ? NULL : history_of_weights(&history, weights);
    *score = (struct scored_update){.score = -INFINITY, .perplexity = INFINITY};
    if (v)
        *score = (struct scored_update){
            v->update, validation_score(config->training.metric, v->perplexity, v->bleu, v->chrf),
            v->perplexity};
    history_release(&history);
    model_files_close(&files);
    return status;
}

/* ---- moving ---- */

struct move {
    const char *from, *to;
    int failed;
    struct err *err;
};

static bool is_directory(const char *path)
{
    struct stat info;
    return !stat(path, &info) && S_ISDIR(info.st_mode);
}

static int move_path(const char *from, const char *to, struct err *err)
{
    return !rename(from, to) || errno == ENOENT ? 0
                                                : err_set_errno(err, "cannot move '%s' to '%s'", from, to);
}

static void move_inner(void *context, const char *name)
{
    struct move *move = context;
    if (move->failed)
        return;
    char *from = path_join(move->from, name), *to = path_join(move->to, name);
    move->failed = move_path(from, to, move->err);
    xfree(from);
    xfree(to);
}

/* A folder that is there already, perhaps as a link, keeps what it has beside. */
static int move_file(const struct move *move, const char *name)
{
    char *from = path_join(move->from, name), *to = path_join(move->to, name);
    struct move inner = {.from = from, .to = to, .err = move->err};
    int status = is_directory(from) && is_directory(to) ? folder_each(from, move_inner, &inner, move->err)
                                                        : move_path(from, to, move->err);
    if (inner.failed)
        status = -1;
    folder_remove_empty(from);
    xfree(from);
    xfree(to);
    return status;
}

/* The config names its directory, and is written anew; the weights make it a model, and go last. */
static void move_other(void *context, const char *name)
{
    static const char *const others[] = {LOCK_FILE, MODEL_CONFIG, MODEL_WEIGHTS};
    struct move *move = context;
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        if (!strcmp(name, others[i]))
            return;
    if (!move->failed)
        move->failed = move_file(move, name);
}

static int write_config(const struct config *config, const char *student, struct err *err)
{
    struct config own;
    char *from = path_join(student, MODEL_CONFIG), *to = path_join(config->model_dir, MODEL_CONFIG);
    config_init(&own);
    int status = config_load(&own, from, err);
    if (!status) {
        xfree(own.model_dir);
        own.model_dir = xstrdup(config->model_dir);
        status = config_save(&own, to, err);
    }
    config_release(&own);
    xfree(from);
    xfree(to);
    return status;
}

/* The prepared text of an earlier training gives way to the student's. */
static void make_room(const char *model_dir, const char *student)
{
    char *prepared = path_join(student, PREPARE_FOLDER);
    if (file_exists(prepared))
        prepare_remove(model_dir);
    xfree(prepared);
}

int distill_take_student(const struct config *config, const char *student, struct err *err)
{
    make_room(config->model_dir, student);
    struct move move = {.from = student, .to = config->model_dir, .err = err};
    if (write_config(config, student, err) || folder_each(student, move_other, &move, err) || move.failed ||
        move_file(&move, MODEL_WEIGHTS))
        return -1;
    model_dir_mark_latest(config->model_dir);
    return 0;
}
