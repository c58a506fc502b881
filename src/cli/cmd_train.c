/* nmt train: trains a model from a config. */
#include "commands.h"
#include "config_options.h"
#include "log.h"
#include "mem.h"
#include "models.h"
#include "output.h"
#include "pack.h"
#include "parseopt.h"
#include "report.h"
#include "shared_options.h"
#include "team.h"
#include "trainer.h"
#include "tuning.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Set by the first SIGINT, SIGTERM or SIGHUP. A second one gets the default action, which ends the
 * program. */
static volatile sig_atomic_t signal_number;

static void on_signal(int number)
{
    signal_number = number;
}

static void set_signals(void (*handler)(int number))
{
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = handler;
    action.sa_flags = (int)(SA_RESETHAND | SA_RESTART);
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    struct sigaction hangup;
    /* nohup ignores SIGHUP: so do we */
    if (!sigaction(SIGHUP, NULL, &hangup) && hangup.sa_handler != SIG_IGN)
        sigaction(SIGHUP, &action, NULL);
}

static void catch_signals(void)
{
    set_signals(on_signal);
}

/* EXIT_DONE if this training may begin; otherwise prints why not. */
static int check_start(const struct config *config, const char *path, enum train_start start)
{
    struct err err;
    if (config_options_check_files(path, config) != EXIT_DONE)
        return EXIT_WRONG_USE;
    if (safetensors_looks_like(config->model_dir)) {
        err_set(&err,
                "cannot train in '%s': it is a packed model, not a directory ('training.init_from' takes it)",
                config->model_dir);
        return fail(&err);
    }
    const int has_model = trainer_has_model(config->model_dir, &err);
    if (has_model < 0)
        return fail(&err);
    if (has_model && start == TRAIN_NEW) {
        fprintf(stderr,
                "nmt: '%s' holds a model: give --resume to go on with it or --restart to begin again\n",
                config->model_dir);
        return EXIT_WRONG_USE;
    }
    if (!has_model && start == TRAIN_RESUME) {
        err_set(&err, "nothing to resume in '%s'", config->model_dir);
        return fail(&err);
    }
    return EXIT_DONE;
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

/* A training continues even if its report cannot be written. */
static void warn_no_report(const struct err *err)
{
    log_warn("no report: %s", err->text);
}

static void report_progress(const struct config *config)
{
    struct err err;
    if (report_training(config, &err))
        warn_no_report(&err);
}

/* Writes the final report, with test scores if there is a test set. */
static void report_result(const struct models *models, int threads)
{
    const struct config *config = &models->loaded[0].config;
    const struct config_pairs *test = &config->data.test;
    const struct report_settings settings = {.threads = threads};
    struct err err;
    if (!test->source && !test->tsv) {
        report_progress(config);
        return;
    }
    char *path = report_models(models, &settings, &err);
    if (path)
        log_info("report: %s", path);
    else
        warn_no_report(&err);
    xfree(path);
}

/* A word for a POSIX shell. */
static void add_quoted(struct strbuf *text, const char *word)
{
    static const char safe[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_./+-";
    if (strspn(word, safe) == strlen(word)) {
        strbuf_adds(text, word);
        return;
    }
    strbuf_addch(text, '\'');
    for (; *word; word++)
        if (*word == '\'')
            strbuf_adds(text, "'\\''");
        else
            strbuf_addch(text, *word);
    strbuf_addch(text, '\'');
}

static double packed_mib(const struct loaded_model *loaded, enum precision precision)
{
    struct err ignored;
    size_t bytes = 0;
    pack_size(&bytes, loaded, &(struct pack_options){.precision = precision}, &ignored);
    return (double)bytes / 1048576;
}

/* Says what nmt pack would make of the model. */
static void report_packed(const struct loaded_model *loaded)
{
    struct strbuf command;
    char *here = path_absolute("."), *model = path_relative(loaded->files.path, here),
         *output = xasprintf("%s.nmt", path_base(loaded->files.path));
    strbuf_init(&command);
    strbuf_adds(&command, "nmt pack --model ");
    add_quoted(&command, model);
    strbuf_adds(&command, " --output ");
    add_quoted(&command, output);
    log_info("to pack it into one file: %s (%.2f MiB; --precision float16: %.2f MiB, int8: %.2f MiB)",
             command.text, packed_mib(loaded, PRECISION_FLOAT32), packed_mib(loaded, PRECISION_FLOAT16),
             packed_mib(loaded, PRECISION_INT8));
    strbuf_release(&command);
    xfree(output);
    xfree(model);
    xfree(here);
}

/* Tunes and reports after the last update. The model is opened as nmt translate does. The training is
 * already saved, so that a signal may end the program at once. */
static int tune_and_report(const struct config *config, struct err *err)
{
    const struct tuning_settings settings = {TUNING_MAX_BEAM, team_threads(config->training.threads), false};
    struct models models = {xcalloc(1, sizeof *models.loaded), 0};
    set_signals(SIG_DFL);
    int status = loaded_model_open(&models.loaded[0], config->model_dir, err);
    models.count = status ? 0 : 1;
    if (!status && config->training.tune)
        status = tuning_run(&models, &settings, err);
    if (!status) {
        report_result(&models, settings.threads);
        report_packed(&models.loaded[0]);
    }
    models_close(&models);
    return status;
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
    const struct trainer_watch watch = {catch_signals, report_progress};
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
        if (trainer_run(&config, start->kind, NMT_VERSION, &watch, &signal_number, ranks, &err))
            status = fail_once(ranks, &err);
        else if (signal_number)
            status = 128 + signal_number;
        else if (ranks_is_first(ranks) && tune_and_report(&config, &err))
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
