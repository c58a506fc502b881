/* nmt average: a model whose weights are the mean of a training's last checkpoints. */
#include "checkpoint.h"
#include "cmd_shared.h"
#include "commands.h"
#include "fileio.h"
#include "log.h"
#include "mem.h"
#include "parseopt.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

struct settings {
    const char *model, *output;
    int count;
};

/* The model directory `output`: all but the weights as in the first one. */
static int write_model(struct loaded_model *loaded, const real *values, const char *output, int used,
                       struct err *err)
{
    char number[32];
    snprintf(number, sizeof number, "%d", used);
    const char *metadata[] = {"averaged_checkpoints", number};
    const struct model_block block = {"", values};
    char *config = path_join(output, MODEL_CONFIG), *weights = path_join(output, MODEL_WEIGHTS);
    free(loaded->config.model_dir);
    loaded->config.model_dir = xstrdup(output);
    int status = dir_make(output, err);
    if (!status)
        status = language_pair_save(&loaded->pair, output, err);
    if (!status)
        status = config_save(&loaded->config, config, err);
    if (!status)
        status = model_file_save(weights, &loaded->model.layout, &block, 1, metadata, 1, err);
    free(config);
    free(weights);
    return status;
}

static int run(const struct settings *s, struct loaded_model *loaded, struct err *err)
{
    real *values = xmalloc(loaded->model.layout.total, sizeof *values);
    const int used = checkpoint_average(values, loaded->dir, &loaded->model.layout, s->count, err);
    const int status = used < 0 ? -1 : write_model(loaded, values, s->output, used, err);
    if (!status)
        log_info("mean of %d checkpoints: %s", used, s->output);
    free(values);
    return status;
}

static bool same_file(const char *a, const char *b)
{
    struct stat x, y;
    return !stat(a, &x) && !stat(b, &y) && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

int cmd_average(int argc, char **argv)
{
    struct settings s = {0};
    const struct option_spec options[] = {
        {"model", 'm', OPTION_STRING, &s.model, "DIR",
         "model directory (default: $NMT_MODEL, else the last one trained)", 0, 0},
        {"last", 0, OPTION_INT, &s.count, "N",
         "how many of the newest checkpoints (default: all; training.keep_last says how many are kept)", 1,
         4096},
        {"output", 'o', OPTION_STRING, &s.output, "DIR", "the new model directory", 0, 0},
        {NULL, 0, OPTION_FLAG, NULL, NULL, NULL, 0, 0},
    };
    const struct command_help help = {
        "nmt average [--model DIR] [--last N] --output DIR",
        "Makes a model whose weights are the mean of those of a training's last checkpoints."};
    PARSE_OR_RETURN(argc, argv, options, &help);
    if (!s.output)
        return wrong_use(&help, "option '--output' is missing");
    struct err err;
    struct loaded_model loaded;
    if (open_model(&loaded, s.model, &err))
        return fail(&err);
    int status = EXIT_DONE;
    if (same_file(s.output, loaded.dir)) {
        fprintf(stderr, "nmt: option '--output' must not be the model itself\n");
        status = EXIT_WRONG_USE;
    } else if (run(&s, &loaded, &err)) {
        status = fail(&err);
    }
    loaded_model_close(&loaded);
    return status;
}
