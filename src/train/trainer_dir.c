/* What a training finds in a model directory, refuses there, and removes from it. */
#include "trainer.h"

#include "checkpoint.h"
#include "fileio.h"
#include "folder.h"
#include "language_pair.h"
#include "mem.h"
#include "model_dir.h"
#include "paths.h"
#include "runlog.h"

#include <string.h>
#include <unistd.h>

int trainer_has_model(const char *model_dir, struct err *err)
{
    char *weights = path_join(model_dir, MODEL_WEIGHTS);
    const int has = file_exists(weights) ? 1 : checkpoint_exists(model_dir, err);
    xfree(weights);
    return has;
}

static bool is_model_config(const char *path)
{
    struct config config;
    struct err ignored;
    config_init(&config);
    const bool is = !config_load(&config, path, &ignored) && config.model_dir;
    config_release(&config);
    return is;
}

static int refuse_foreign(const char *path, struct err *err)
{
    return err_set(err, "'%s' is not of a model, and would be overwritten: give another directory", path);
}

int trainer_check_directory(const char *dir, struct err *err)
{
    static const struct {
        const char *name;
        bool (*is_ours)(const char *path);
    } files[] = {{MODEL_CONFIG, is_model_config}, {RUNLOG_FILE, runlog_is}};
    struct err ignored;
    int status = 0;
    bool found = false; /* the config is ours: so is the log, also if a full disk has cut its first line */
    for (size_t i = 0; i < sizeof files / sizeof files[0] && !found; i++) {
        char *path = path_join(dir, files[i].name);
        found = !file_check_regular(path, &ignored);
        if (found && !files[i].is_ours(path))
            status = refuse_foreign(path, err);
        xfree(path);
    }
    const char *words[LANGUAGE_PAIR_MOST_FILES + 1]; /* never written before one of those */
    language_pair_files(words, dir);
    if (!found && words[0]) {
        char *path = path_join(dir, words[0]);
        status = refuse_foreign(path, err);
        xfree(path);
    }
    return status;
}

int trainer_check_restart(const struct config *config, struct err *err)
{
    const char *const init_from = config->training.init_from;
    if (!init_from)
        return 0;
    char *begins_with = path_absolute(init_from), *removed = path_absolute(config->model_dir);
    const bool same = !strcmp(begins_with, removed);
    xfree(begins_with);
    xfree(removed);
    return same ? err_set(err, "the config needs '%s', which --restart would remove", init_from) : 0;
}

int trainer_remove_model(const char *model_dir, struct err *err)
{
    static const char *const names[] = {MODEL_WEIGHTS, RUNLOG_FILE};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        char *path = path_join(model_dir, names[i]);
        unlink(path);
        xfree(path);
    }
    language_pair_remove(model_dir);
    return checkpoint_remove_all(model_dir, err);
}

void trainer_remove_averaged(const char *model_dir)
{
    struct err ignored;
    char *folder = path_join(model_dir, AVERAGED_FOLDER), *config = path_join(folder, MODEL_CONFIG);
    temporaries_remove(folder);
    (void)trainer_remove_model(folder, &ignored);
    unlink(config);
    folder_remove_empty(folder);
    xfree(config);
    xfree(folder);
}
