/* Leaves of a distillation the student alone: an ordinary model, whose config and log name no file that is
 * removed. */
#include "distill_folder.h"
#include "distill_pairs.h"
#include "events.h"
#include "fileio.h"
#include "history.h"
#include "mem.h"
#include "model_dir.h"
#include "runlog.h"

#include <limits.h>

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

/* Notes in a student's log which of its files are removed: none, if the teachers knew the text by heart. */
static int note_in_log(const char *model_dir, struct err *err)
{
    struct history history;
    if (history_load_path(&history, model_dir, err))
        return -1;
    struct json *event = event_removed();
    for (size_t i = 0; i < history.file_count; i++)
        if (distill_pairs_is_path(history.files[i].name))
            json_append_string(event, "files", history.files[i].name);
    const bool noted = history.distilled; /* by a run that was killed afterwards */
    history_release(&history);
    if (!noted)
        return write_event(model_dir, event, err);
    json_free(event);
    return 0;
}

/* The number of corpora in the training text that a config names. */
static int count_corpora(int *corpora, const char *path, struct err *err)
{
    struct config begun;
    config_init(&begun);
    const int status = config_load(&begun, path, err);
    *corpora = begun.data.more_count + 1;
    config_release(&begun);
    return status;
}

/* Once the config of the distillation is removed, there is nothing left to forget. */
static int forget_text(const char *model_dir, struct err *err)
{
    int corpora, status = 0;
    char *begun = distill_begun_config(model_dir);
    if (begun && (count_corpora(&corpora, begun, err) || drop_from_config(model_dir, corpora, err) ||
                  note_in_log(model_dir, err)))
        status = -1;
    xfree(begun);
    return status;
}

bool distill_is_cleared_up(const char *model_dir)
{
    struct history history;
    struct err ignored;
    if (distill_progress(model_dir, &ignored) != DISTILL_NONE ||
        history_load_path(&history, model_dir, &ignored))
        return false;
    const bool is = history.distilled;
    history_release(&history);
    return is;
}

int distill_clear_up(const char *model_dir, double *bytes, struct err *err)
{
    return forget_text(model_dir, err) || distill_remove(model_dir, bytes, err) ? -1 : 0;
}
