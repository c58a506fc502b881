/* What is checked before a training, signals, and tuning and reports after a training. */
#include "train_command.h"

#include "commands.h"
#include "config_options.h"
#include "file_uses.h"
#include "log.h"
#include "mem.h"
#include "models.h"
#include "pack.h"
#include "report.h"
#include "safetensors.h"
#include "team.h"
#include "tuning.h"

#include <string.h>

/* Does the config say that its model is in this directory? */
static bool says_model_dir(const char *path, const char *dir)
{
    struct config own;
    struct err ignored;
    config_init(&own);
    const bool says = !config_load(&own, path, &ignored) && own.model_dir && !strcmp(own.model_dir, dir);
    config_release(&own);
    return says;
}

/* Is the config the own one of a model that was moved or copied, and names the directory of before? */
static bool is_of_moved_model(const struct config *config, const char *path)
{
    char *dir = path_dir(path);
    struct err ignored;
    const bool is = !strcmp(path_base(path), MODEL_CONFIG) && trainer_has_model(dir, &ignored) > 0 &&
                    !paths_are_same(dir, config->model_dir) && says_model_dir(path, config->model_dir);
    xfree(dir);
    return is;
}

/* EXIT_WRONG_USE, with a message, if a text is in the place of a file that the training writes or removes. */
static int check_text(const struct config *config)
{
    struct file_uses uses = {.count = 0};
    file_uses_corpora(&uses, config);
    file_uses_input(&uses, config->data.monolingual, "data.monolingual");
    file_uses_input(&uses, config->data.monolingual_source, "data.monolingual_source");
    file_uses_trained_model(&uses, config->model_dir);
    return file_uses_check(&uses);
}

int train_check_files(const struct config *config, const char *path, enum train_start start)
{
    const struct pair_files valid = pair_files_of(&config->data.valid),
                            test = pair_files_of(&config->data.test);
    struct err err;
    if (config_options_check_files(path, config) != EXIT_DONE || check_text(config) != EXIT_DONE)
        return EXIT_WRONG_USE;
    if (is_of_moved_model(config, path)) {
        err_set(&err,
                "'%s' is of a model that was moved or copied, and says 'model_dir' '%s': give --set "
                "model_dir=DIR",
                path, config->model_dir);
        return fail_wrong_use(&err);
    }
    if (safetensors_looks_like(config->model_dir)) {
        err_set(&err,
                "cannot train in '%s': it is a packed model, not a directory ('training.init_from' takes it)",
                config->model_dir);
        return fail(&err);
    }
    if (config->training.tune && pair_files_are_streams(&valid)) {
        err_set(&err,
                "'training.tune' reads 'data.valid' once more when the training has ended, which a pipe or "
                "standard input does not allow");
        return fail(&err);
    }
    const bool checks_test = start != TRAIN_RESUME && config_has_test_set(config);
    return checks_test && pair_files_check(&test, &err) ? fail(&err) : EXIT_DONE;
}

int train_check_overwritten(const struct config *config, const char *path)
{
    char *own = path_join(config->model_dir, MODEL_CONFIG);
    const bool same = paths_are_same(own, path);
    struct err err;
    if (same)
        err_set(&err, "'%s' is where the model will have a config with all keys: give yours another place",
                own);
    xfree(own);
    if (same)
        return fail_wrong_use(&err);
    return trainer_check_directory(config->model_dir, &err) || report_check_directory(config->model_dir, &err)
               ? fail(&err)
               : EXIT_DONE;
}

/* ---- signals ---- */

volatile sig_atomic_t train_signal;

static void on_signal(int number)
{
    train_signal = number;
}

/* What is ignored stays so: nohup ignores SIGHUP, and a shell SIGINT for what runs in the background. */
static void set_signals(void (*handler)(int number))
{
    static const int numbers[] = {SIGINT, SIGTERM, SIGHUP};
    struct sigaction action, before;
    memset(&action, 0, sizeof action);
    action.sa_handler = handler;
    action.sa_flags = (int)(SA_RESETHAND | SA_RESTART);
    sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
        if (!sigaction(numbers[i], NULL, &before) && before.sa_handler != SIG_IGN)
            sigaction(numbers[i], &action, NULL);
}

void train_catch_signals(void)
{
    set_signals(on_signal);
}

void train_let_signals(void)
{
    set_signals(SIG_DFL);
}

/* ---- reports ---- */

/* A training continues even if its report cannot be written. */
static void warn_no_report(const struct err *err)
{
    log_warn("no report: %s", err->text);
}

void train_report_progress(const struct config *config)
{
    struct err err;
    if (report_training(config, &err))
        warn_no_report(&err);
}

/* Writes the final report, with test scores if there is a test set. */
static void report_result(const struct models *models, int threads)
{
    const struct report_settings settings = {.threads = threads};
    struct err err;
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

int train_tune_and_report(const struct config *config, struct err *err)
{
    const struct tuning_settings settings = {TUNING_MAX_BEAM, team_threads(config->training.threads), false};
    struct models models = {.loaded = xcalloc(1, sizeof *models.loaded)};
    train_let_signals();
    int status = loaded_model_open(&models.loaded[0], config->model_dir, err);
    models.count = status ? 0 : 1;
    if (!status && config->training.tune && tuning_run(&models, &settings, err) < 0)
        status = -1;
    if (!status) {
        report_result(&models, settings.threads);
        report_packed(&models.loaded[0]);
    }
    models_close(&models);
    return status;
}
