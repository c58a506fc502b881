/* nmt tune: chooses beam search settings on the validation set, and writes them to the model's config. */
#include "commands.h"
#include "models.h"
#include "output.h"
#include "parseopt.h"
#include "shared_options.h"
#include "team.h"
#include "tuning.h"

#include <stdio.h>

int cmd_tune(int argc, char **argv)
{
    struct string_list given = {{NULL}, 0};
    struct tuning_settings settings = {.max_beam = TUNING_MAX_BEAM};
    const struct option_spec options[] = {
        MODEL_DIRS_OPTION(&given, "are an ensemble"),
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
    struct err err;
    struct models models;
    const struct string_list no_settings = {{NULL}, 0};
    if (models_open(&models, &given, &no_settings, &err))
        return fail(&err);
    settings.threads = team_threads(settings.threads);
    const struct config_decoding *chosen = &models.loaded[0].config.decoding;
    const int status = tuning_run(&models, &settings, &err) ? fail(&err) : EXIT_DONE;
    if (!status)
        output_addf("chosen: beam %d, length_penalty %g, coverage_penalty %g\n", chosen->beam,
                    chosen->length_penalty, chosen->coverage_penalty);
    models_close(&models);
    return status;
}
