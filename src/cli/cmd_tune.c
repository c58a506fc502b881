/* nmt tune: chooses beam search settings on the validation set, and writes them to the model's config. */
#include "commands.h"
#include "file_uses.h"
#include "models.h"
#include "output.h"
#include "parseopt.h"
#include "shared_options.h"
#include "team.h"
#include "tuning.h"

#include <stdio.h>

static int check_files(const struct models *models)
{
    struct file_uses uses = {.count = 0};
    file_uses_models(&uses, models);
    file_uses_standard_output(&uses);
    return file_uses_check(&uses);
}

static void print_chosen(const struct config_decoding *chosen, const char *const judges[JUDGE_KINDS])
{
    output_addf("chosen: beam %d, length_penalty %g, coverage_penalty %g", chosen->beam,
                chosen->length_penalty, chosen->coverage_penalty);
    for (enum judge_kind kind = 0; kind < JUDGE_KINDS; kind++)
        if (judges[kind])
            output_addf(", %s %g", judge_kinds[kind].weight_name, judge_weight(chosen, kind));
    output_adds("\n");
}

int cmd_tune(int argc, char **argv)
{
    struct string_list given = {{NULL}, 0};
    const char *judges[JUDGE_KINDS] = {NULL};
    struct tuning_settings settings = {.max_beam = TUNING_MAX_BEAM};
    const struct option_spec options[] = {
        MODEL_DIRS_OPTION(&given, "are an ensemble"),
        JUDGE_OPTIONS(judges),
        {"max-beam", 0, OPTION_INT, &settings.max_beam, "N", "widest beam to try (default: 12)", 1, 1000},
        {"keep", 'k', OPTION_FLAG, &settings.keep, NULL, "do not change the model's config", 0, 0},
        THREADS_OPTION(&settings.threads),
        {NULL, 0, OPTION_FLAG, NULL, NULL, NULL, 0, 0},
    };
    const struct command_help help = {
        "nmt tune [--model DIR]... [options]",
        "Translates the validation set with one setting of beam search after another, starting from the "
        "defaults. Of the settings within one standard error of the best, it chooses the one nearest to the "
        "defaults, prints it and writes it into the model's config.json. For an ensemble, it only prints "
        "it."};
    PARSE_OR_RETURN(argc, argv, options, &help);
    if (judges_are_named(judges) && settings.max_beam < 2)
        return wrong_use(&help, "--backward-model and --right-to-left-model need a --max-beam of at least 2");
    struct err err;
    struct models models;
    const struct string_list no_settings = {{NULL}, 0};
    settings.threads = team_threads(settings.threads);
    if (models_open_judged(&models, &given, &no_settings, judges, settings.threads, &err))
        return fail(&err);
    int status = check_files(&models);
    if (status == EXIT_DONE) {
        const int tuned = tuning_run(&models, &settings, &err);
        if (tuned < 0)
            status = fail(&err);
        else if (!tuned)
            print_chosen(&models.loaded[0].config.decoding, judges);
    }
    models_close(&models);
    return status;
}
