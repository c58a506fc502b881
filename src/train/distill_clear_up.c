/* Leaves of a distillation the student alone: an ordinary model, whose config and log name no file that is
 * removed. */
#include "distill_configs.h"
#include "distill_folder.h"
#include "events.h"
#include "fileio.h"
#include "history.h"
#include "mem.h"
#include "model_dir.h"
#include "runlog.h"

#include <limits.h>
#include <string.h>

/* Takes out of a student's config the synthetic corpora, which come behind those of the text. */
static int drop_from_config(const char *model_dir, int corpora, struct err *err)
{
    struct config student;
    char *path = path_join(model_dir, MODEL_CONFIG);
    config_init(&student);
    int status = config_load(&student, path, err);
    if (!status) {
        config_limit_train(&student, corpora);
        status = config_save(&student, path, err);
    }
    config_release(&student);
    xfree(path);
    return status;
}

/* Is it a file in a folder of the name that distillations have? It may have been moved since. */
static bool is_distilled(const char *file)
{
    char *folder = path_dir(file);
    const bool is = !strcmp(path_base(folder), DISTILL_FOLDER);
    xfree(folder);
    return is;
}

static int write_event(const char *model_dir, struct json *event, struct err *err)
{
    struct runlog log;
    char *path = path_join(model_dir, RUNLOG_FILE);
    int status = runlog_open(&log, path, LONG_MAX, err);
    xfree(path);
    if (status) {
        json_free(event);
        return -1;
    }
    status = runlog_write(&log, event, err);
    return runlog_close(&log, status ? NULL : err) || status ? -1 : 0;
}

/* Notes in a student's log which of its files are removed. */
static int note_in_log(const char *model_dir, struct err *err)
{
    struct model_files files;
    struct history history;
    if (model_files_open(&files, model_dir, err))
        return -1;
    int status = history_load(&history, &files, err);
    model_files_close(&files);
    if (status)
        return -1;
    struct json *event = event_removed();
    size_t removed = 0;
    for (size_t i = 0; i < history.file_count; i++)
        if (is_distilled(history.files[i].name)) {
            json_append_string(event, "files", history.files[i].name);
            removed++;
        }
    history_release(&history);
    if (removed)
        return write_event(model_dir, event, err);
    json_free(event);
    return 0;
}

/* The number of corpora in the training text of the distillation in a folder. */
static int count_corpora(int *corpora, const char *dir, struct err *err)
{
    struct config begun;
    char *path = path_join(dir, DISTILL_CONFIG);
    config_init(&begun);
    const int status = config_load(&begun, path, err);
    *corpora = begun.data.more_count + 1;
    config_release(&begun);
    xfree(path);
    return status;
}

int distill_clear_up(const char *model_dir, double *bytes, struct err *err)
{
    int corpora;
    char *dir = distill_folder_of(model_dir);
    const int status = count_corpora(&corpora, dir, err) || drop_from_config(model_dir, corpora, err) ||
                               note_in_log(model_dir, err) || distill_remove(model_dir, bytes, err)
                           ? -1
                           : 0;
    xfree(dir);
    return status;
}
