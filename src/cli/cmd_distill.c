/* nmt distill: makes a model of text and of its translations by others. */
#include "commands.h"
#include "config_options.h"
#include "distill.h"
#include "log.h"
#include "mem.h"
#include "model_dir.h"
#include "network_check.h"
#include "parseopt.h"
#include "paths.h"
#include "shared_options.h"
#include "train_command.h"

#include <stdio.h>

/* What to distill, and how. */
struct settings {
    const char *path, *teacher;
    struct string_list settings;
    struct distill_options options;
    enum train_start start;
    bool keep;
};

/* Is it to be resumed, and nothing left to do? */
static bool is_over(const struct config *config, const struct settings *s)
{
    struct err ignored;
    return s->start == TRAIN_RESUME && trainer_has_model(config->model_dir, &ignored) > 0 &&
           distill_is_cleared_up(config->model_dir);
}

/* EXIT_DONE if the distillation may begin; otherwise prints why not. */
static int check_start(const struct config *config, const struct settings *s)
{
    struct err err;
    const bool limited = s->options.minutes > 0 || s->start == TRAIN_RESUME; /* as it was begun */
    if (!limited && config_check_end(config, &err))
        return fail(&err);
    const int status = train_check_files(config, s->path, s->start);
    if (status != EXIT_DONE)
        return status;
    const int has_model = trainer_has_model(config->model_dir, &err),
              progress = s->start == TRAIN_RESTART ? DISTILL_NONE : distill_progress(config->model_dir, &err);
    if (has_model < 0 || progress < 0)
        return fail(&err);
    if (s->start == TRAIN_NEW && (progress != DISTILL_NONE || has_model)) {
        err_set(&err, "'%s' holds a %s: give %s--restart to begin again", config->model_dir,
                progress == DISTILL_NONE ? "model" : "distillation",
                progress == DISTILL_NONE ? "" : "--resume to go on with it or ");
        return fail_wrong_use(&err);
    }
    if (s->start == TRAIN_RESUME && progress == DISTILL_NONE) {
        err_set(&err, "nothing to resume in '%s'", config->model_dir);
        return fail(&err);
    }
    char *begun = distill_begun_config(config->model_dir); /* which has a copy of the config */
    const bool keeps_config = has_model || begun;
    xfree(begun);
    return keeps_config ? EXIT_DONE : train_check_overwritten(config, s->path);
}

/* Removes all but the student, or says what it takes of the disk. */
static int clear_up(const struct config *config, bool keep, struct err *err)
{
    double bytes;
    if (keep) {
        log_info("kept: %s/" DISTILL_FOLDER, config->model_dir);
        return 0;
    }
    if (distill_clear_up(config->model_dir, &bytes, err))
        return -1;
    log_info("removed: %.1f MiB of teachers and their translations", bytes / 1048576);
    return 0;
}

static int distill(const struct settings *s, const struct config *config, const struct config *teacher,
                   struct err *err)
{
    const struct distill_configs configs = {config, teacher};
    const struct distill_watch watch = {train_catch_signals, train_let_signals, train_report_progress,
                                        &train_signal};
    if (distill_run(&configs, &s->options, s->start, NMT_VERSION, &watch, err))
        return fail(err);
    if (train_signal)
        return 128 + train_signal;
    return train_tune_and_report(config, err) || clear_up(config, s->keep, err) ? fail(err) : EXIT_DONE;
}

/* The teachers' config: the student's, with network and search of the config that is named for them, if there
 * is one. */
static int load_teacher(struct config *teacher, const char *path, const struct config *config,
                        struct err *err)
{
    struct config named;
    struct err reason;
    config_copy(teacher, config);
    if (!path)
        return 0;
    config_init(&named);
    int status = config_load(&named, path, err);
    if (!status) {
        config_take_model(teacher, &named);
        if (config_check(teacher, &reason) || network_check(teacher, &reason))
            status = err_set(err, "%s: %s", path, reason.text);
    }
    config_release(&named);
    return status;
}

/* Distills with a config that may begin. */
static int distill_checked(const struct settings *s, const struct config *config)
{
    struct config teacher;
    struct err err;
    if (is_over(config, s)) {
        log_info("the distillation in '%s' is finished", config->model_dir);
        return EXIT_DONE;
    }
    int status = check_start(config, s);
    if (status != EXIT_DONE)
        return status;
    status =
        load_teacher(&teacher, s->teacher, config, &err) ? fail(&err) : distill(s, config, &teacher, &err);
    config_release(&teacher);
    return status;
}

/* Loads what --config names. If that is the config in the model directory, which the student's training
 * replaces by its own, a distillation that was begun goes by its copy of it. */
static int load_config(struct config *config, const struct settings *s, const struct ranks *ranks,
                       struct err *err)
{
    if (config_options_load(config, s->path, &s->settings, ranks, err))
        return -1;
    char *own = path_join(config->model_dir, MODEL_CONFIG),
         *begun = s->start == TRAIN_NEW ? NULL : distill_begun_config(config->model_dir);
    int status = 0;
    if (begun && paths_are_same(own, s->path)) {
        config_release(config);
        config_init(config);
        log_info("config: %s", begun);
        status = config_options_load(config, begun, &s->settings, ranks, err);
    }
    xfree(own);
    xfree(begun);
    return status;
}

static int distill_alone(const void *settings, const struct ranks *ranks)
{
    const struct settings *s = settings;
    struct config config;
    struct err err;
    if (ranks->count > 1) {
        err_set(&err, "nmt distill runs in one process: start it without mpirun");
        return fail_once(ranks, &err);
    }
    config_init(&config);
    int status = load_config(&config, s, ranks, &err) ? fail(&err) : EXIT_DONE;
    if (status == EXIT_DONE)
        status = distill_checked(s, &config);
    config_release(&config);
    return status;
}

int cmd_distill(int argc, char **argv)
{
    struct settings s = {.options = {.students = DISTILL_NOT_GIVEN, .minutes = DISTILL_NOT_GIVEN}};
    int *teachers = s.options.teachers;
    bool resume = false, restart = false;
    const struct option_spec options[] = {
        {"config", 'c', OPTION_STRING, &s.path, "CONFIG", "what to train (a JSON file)", 0, 0},
        SET_OPTION(&s.settings),
        {"teacher", 0, OPTION_STRING, &s.teacher, "CONFIG",
         "config that the teachers' network and search are taken from (default: that of --config)", 0, 0},
        {"forward", 0, OPTION_INT, &teachers[TEACHER_FORWARD], "N",
         "teachers that translate the source of the training text (default: 1)", 0, DISTILL_MOST_MODELS},
        {"right-to-left", 0, OPTION_INT, &teachers[TEACHER_RIGHT_TO_LEFT], "N",
         "teachers that translate the source from right to left (default: 1)", 0, DISTILL_MOST_MODELS},
        {"backward", 0, OPTION_INT, &teachers[TEACHER_BACKWARD], "N",
         "teachers that translate the target of the training text back (default: 1)", 0, DISTILL_MOST_MODELS},
        {"students", 0, OPTION_INT, &s.options.students, "N",
         "students, of which the best by validation becomes the model (default: 1)", 1,
         DISTILL_MOST_STUDENTS},
        {"minutes", 0, OPTION_REAL, &s.options.minutes, "MINUTES",
         "time for all of it, divided among the trainings (default: each ends as the config says)", 0.01,
         1e6},
        {"resume", 0, OPTION_FLAG, &resume, NULL, "continue a distillation that was stopped", 0, 0},
        {"restart", 0, OPTION_FLAG, &restart, NULL, "delete all of it in model_dir and start again", 0, 0},
        {"keep", 'k', OPTION_FLAG, &s.keep, NULL, "keep teachers and translations in model_dir", 0, 0},
        {NULL, 0, OPTION_FLAG, NULL, NULL, NULL, 0, 0},
    };
    const struct command_help help = {
        "nmt distill --config CONFIG [--set KEY=VALUE]... [options]",
        "Trains several models, lets them translate the training text, and trains another on it and\n"
        "their translations: an ordinary model in model_dir, often better than that of nmt train. Ctrl-C\n"
        "stops; --resume continues as if it had not stopped."};
    for (int i = 0; i < TEACHER_KINDS; i++)
        teachers[i] = DISTILL_NOT_GIVEN;
    PARSE_OR_RETURN(argc, argv, options, &help);
    if (!s.path)
        return wrong_use(&help, "--config is missing");
    if (resume && restart)
        return wrong_use(&help, "--resume and --restart exclude each other");
    if (!teachers[TEACHER_FORWARD] && !teachers[TEACHER_RIGHT_TO_LEFT] && !teachers[TEACHER_BACKWARD])
        return wrong_use(&help,
                         "--forward, --right-to-left and --backward are 0: there is nothing to learn from");
    s.start = resume ? TRAIN_RESUME : restart ? TRAIN_RESTART : TRAIN_NEW;
    return run_on_ranks(distill_alone, &s);
}
