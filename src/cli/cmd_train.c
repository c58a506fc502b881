/* nmt train: trains a model from a config. */
#include "commands.h"
#include "config_options.h"
#include "distill.h"
#include "output.h"
#include "pair_reader.h"
#include "parseopt.h"
#include "shared_options.h"
#include "train_command.h"
#include "trainer.h"

/* Checks the validation text before the training text, which may be large, is prepared. A pipe is read
 * afterwards. */
static int check_valid(const struct config *config, struct err *err)
{
    const struct config_pairs *valid = &config->data.valid;
    const struct pair_files files = pair_files_of(valid);
    return config_pairs_given(valid) && !pair_files_are_streams(&files) ? pair_files_check(&files, err) : 0;
}

/* EXIT_DONE if this training may begin; otherwise prints why not. */
static int check_start(const struct config *config, const char *path, enum train_start start)
{
    struct err err;
    if (config_check_end(config, &err))
        return fail(&err);
    const int status = train_check_files(config, path, start);
    if (status != EXIT_DONE)
        return status;
    if (start != TRAIN_RESUME && check_valid(config, &err))
        return fail(&err);
    const int has_model = trainer_has_model(config->model_dir, &err),
              distilled = distill_progress(config->model_dir, &err);
    if (has_model < 0 || distilled < 0)
        return fail(&err);
    if (distilled == DISTILL_BEGUN) {
        err_set(&err, "cannot train in '%s': " DISTILL_GOES_ON, config->model_dir);
        return fail(&err);
    }
    if (has_model && start == TRAIN_NEW) {
        err_set(&err, "'%s' holds a model: give --resume to go on with it or --restart to begin again",
                config->model_dir);
        return fail_wrong_use(&err);
    }
    if (!has_model && start == TRAIN_RESUME) {
        err_set(&err, "nothing to resume in '%s'", config->model_dir);
        return fail(&err);
    }
    if (start == TRAIN_RESTART && trainer_check_restart(config, &err))
        return fail(&err);
    if (start != TRAIN_RESUME && trainer_check_init_from(config, &err))
        return fail(&err);
    return has_model ? EXIT_DONE : train_check_overwritten(config, path);
}

static int print_keys(bool schema, bool markdown)
{
    struct strbuf text;
    strbuf_init(&text);
    if (schema)
        config_print_schema(&text);
    else
        config_print_help(&text, markdown);
    output_adds(text.text);
    strbuf_release(&text);
    return EXIT_DONE;
}

/* Which training to start, and how. */
struct start {
    const char *path;
    struct string_list settings;
    enum train_start kind;
};

static int train_on_ranks(const void *settings, const struct ranks *ranks)
{
    const struct start *start = settings;
    const struct trainer_watch watch = {train_catch_signals, train_report_progress};
    struct config config;
    struct err err;
    int status = EXIT_DONE;
    config_init(&config);
    if (ranks_agree(ranks, config_options_load(&config, start->path, &start->settings, ranks, &err), &err)) {
        status = fail_once(ranks, &err);
    } else {
        if (ranks_is_first(ranks))
            status = check_start(&config, start->path, start->kind);
        ranks_broadcast(ranks, &status, sizeof status);
    }
    if (status == EXIT_DONE) {
        if (trainer_run(&config, start->kind, NMT_VERSION, &watch, &train_signal, ranks, &err))
            status = fail_once(ranks, &err);
        else if (train_signal)
            status = 128 + train_signal;
        else if (ranks_is_first(ranks) && train_tune_and_report(&config, &err))
            status = fail(&err);
    }
    config_release(&config);
    return status;
}

int cmd_train(int argc, char **argv)
{
    struct start start = {.path = NULL};
    bool resume = false, restart = false, help_config = false, markdown = false, schema = false;
    const struct option_spec options[] = {
        {"config", 'c', OPTION_STRING, &start.path, "CONFIG", "what to train (a JSON file)", 0, 0},
        SET_OPTION(&start.settings),
        {"resume", 0, OPTION_FLAG, &resume, NULL, "continue from the newest checkpoint in model_dir", 0, 0},
        {"restart", 0, OPTION_FLAG, &restart, NULL, "delete the model in model_dir and start again", 0, 0},
        {"help-config", 0, OPTION_FLAG, &help_config, NULL, "list all config keys", 0, 0},
        {"markdown", 0, OPTION_FLAG, &markdown, NULL, "with --help-config: as Markdown tables", 0, 0},
        {"schema", 0, OPTION_FLAG, &schema, NULL, "print a JSON Schema of the config", 0, 0},
        {NULL, 0, OPTION_FLAG, NULL, NULL, NULL, 0, 0},
    };
    const struct command_help help = {
        "nmt train --config CONFIG [--set KEY=VALUE]... [--resume | --restart]",
        "Reads the parallel corpus that the config names, learns subwords, trains, and keeps the best model "
        "in\n"
        "model_dir. Ctrl-C saves a checkpoint and stops; --resume continues as if it had not stopped."};
    PARSE_OR_RETURN(argc, argv, options, &help);
    if (help_config || schema)
        return print_keys(schema, markdown);
    if (!start.path)
        return wrong_use(&help, "--config is missing");
    if (resume && restart)
        return wrong_use(&help, "--resume and --restart exclude each other");
    start.kind = resume ? TRAIN_RESUME : restart ? TRAIN_RESTART : TRAIN_NEW;
    return run_on_ranks(train_on_ranks, &start);
}
