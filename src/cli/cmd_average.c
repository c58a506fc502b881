/* nmt average: makes a model from the mean weights of a training's last checkpoints. */
#include "checkpoint.h"
#include "commands.h"
#include "fileio.h"
#include "log.h"
#include "mem.h"
#include "model_dir.h"
#include "parseopt.h"
#include "plural.h"
#include "prepare.h"
#include "report.h"
#include "shared_options.h"
#include "trainer.h"
#include "utf8_check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct settings {
    const char *model, *output;
    int count;
    bool force;
};

/* Removes an old model with its report and prepared text. */
static int clear_output(const char *output, struct err *err)
{
    char *report = path_join(output, REPORT_FILE);
    unlink(report);
    xfree(report);
    prepare_remove(output);
    return trainer_remove_model(output, err);
}

/* Writes a model into a folder: the loaded one, but with other weights. */
static int write_files(const struct loaded_model *loaded, const real *values, const char *folder, int used,
                       struct err *err)
{
    char number[32];
    snprintf(number, sizeof number, "%d", used);
    const char *metadata[] = {"averaged_checkpoints", number};
    const struct model_block block = {"", values};
    const struct model_extras extras = {.metadata = metadata, .pairs = 1};
    char *config = path_join(folder, MODEL_CONFIG), *weights = path_join(folder, MODEL_WEIGHTS);
    int status = language_pair_save(&loaded->pair, folder, err);
    if (!status)
        status = config_save(&loaded->config, config, err);
    if (!status)
        status = model_file_save(weights, &loaded->model.layout, &block, 1, &extras, err);
    xfree(config);
    xfree(weights);
    return status;
}

static int move_file(const char *folder, const char *name, const char *output, struct err *err)
{
    char *from = path_join(folder, name), *to = path_join(output, name);
    const int status = rename(from, to) ? err_set_errno(err, "cannot write '%s'", to) : 0;
    xfree(to);
    xfree(from);
    return status;
}

/* Moves the files of the model into the output directory: the config first, by which the others are known to
 * be of a model, and the weights last. */
static int move_files(const char *folder, const char *output, struct err *err)
{
    const char *names[LANGUAGE_PAIR_MOST_FILES + 1];
    language_pair_files(names, folder);
    int status = move_file(folder, MODEL_CONFIG, output, err);
    for (int i = 0; names[i] && !status; i++)
        status = move_file(folder, names[i], output, err);
    return status || move_file(folder, MODEL_WEIGHTS, output, err) ? -1 : 0;
}

/* Writes the model directory `output`; a model that is there is lost only when all of the new one is on the
 * disk. */
static int write_model(struct loaded_model *loaded, const real *values, const char *output, int used,
                       struct err *err)
{
    char *folder = path_join(output, AVERAGED_FOLDER);
    xfree(loaded->config.model_dir);
    loaded->config.model_dir = path_absolute(output);
    trainer_remove_averaged(output); /* of a run that was killed */
    const int status = dir_make(folder, err) || write_files(loaded, values, folder, used, err) ||
                               clear_output(output, err) || move_files(folder, output, err)
                           ? -1
                           : 0;
    trainer_remove_averaged(output);
    xfree(folder);
    return status;
}

/* The path is written to config.json, and so must be valid UTF-8. */
static int check_name(const char *output, struct err *err)
{
    char *path = path_absolute(output);
    const bool valid = utf8_valid(path);
    xfree(path);
    return valid ? 0 : err_set(err, "cannot write '%s': the path is not valid UTF-8", output);
}

/* Creates and locks the output directory before any long work begins. */
static int take_output(struct lock *lock, const char *output, struct err *err)
{
    if (check_name(output, err) || lock_take(lock, output, err))
        return -1;
    char *weights = path_join(output, MODEL_WEIGHTS);
    const int status = file_check_writable(weights, err);
    xfree(weights);
    return status;
}

static int average_checkpoints(const struct settings *s, struct loaded_model *loaded, struct err *err)
{
    struct lock lock = {.fd = -1};
    int status = checkpoint_check_average(loaded->files.path, &loaded->config, s->count, err);
    if (!status)
        status = take_output(&lock, s->output, err);
    if (!status) {
        real *values = xmalloc(loaded->model.layout.total, sizeof *values);
        const int used = checkpoint_average(values, loaded->files.path, &loaded->config,
                                            &loaded->model.layout, s->count, err);
        status = used < 0 ? -1 : write_model(loaded, values, s->output, used, err);
        if (!status)
            log_info("mean of %d checkpoint%s: %s", used, plural(used), s->output);
        xfree(values);
    }
    lock_release(&lock);
    return status;
}

int cmd_average(int argc, char **argv)
{
    struct settings s = {0};
    const struct option_spec options[] = {
        MODEL_DIR_OPTION(&s.model),
        {"last", 0, OPTION_INT, &s.count, "N",
         "how many of the newest checkpoints to average (default: all, of which there must be two; "
         "training.keep_last says how many are kept)",
         1, 4096},
        {"output", 'o', OPTION_STRING, &s.output, "DIR", "the new model directory", 0, 0},
        {"force", 0, OPTION_FLAG, &s.force, NULL, "overwrite the model in DIR", 0, 0},
        {NULL, 0, OPTION_FLAG, NULL, NULL, NULL, 0, 0},
    };
    const struct command_help help = {
        "nmt average [--model DIR] [--last N] --output DIR [--force]",
        "Makes a model whose weights are the mean of a training's last checkpoints."};
    PARSE_OR_RETURN(argc, argv, options, &help);
    if (!s.output)
        return wrong_use(&help, "option '--output' is missing");
    if (!strcmp(s.output, "-"))
        return wrong_use(&help, "option '--output' needs a directory, which standard output is not");
    struct err err;
    struct loaded_model loaded;
    if (loaded_model_choose(&loaded, s.model, &err))
        return fail(&err);
    int status = EXIT_DONE;
    const int has_model = trainer_has_model(s.output, &err);
    if (loaded.files.packed) {
        err_set(&err, "cannot average '%s': a packed file has no checkpoints: give the model's directory",
                loaded.files.path);
        status = fail(&err);
    } else if (paths_are_same(s.output, loaded.files.path)) {
        err_set(&err, "cannot write '%s': it is the model itself (--model): give another --output", s.output);
        status = fail_wrong_use(&err);
    } else if (has_model > 0 && !s.force) {
        err_set(&err, "'%s' holds a model: give --force to overwrite it", s.output);
        status = fail_wrong_use(&err);
    } else if (has_model < 0 || (!has_model && trainer_check_directory(s.output, &err)) ||
               report_check_directory(s.output, &err) || average_checkpoints(&s, &loaded, &err)) {
        status = fail(&err);
    }
    loaded_model_close(&loaded);
    return status;
}
