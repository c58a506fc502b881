/* nmt unpack: makes a model directory of a packed file. */
#include "commands.h"
#include "log.h"
#include "model_dir.h"
#include "pack.h"
#include "parseopt.h"
#include "shared_options.h"

#include <string.h>

int cmd_unpack(int argc, char **argv)
{
    const char *model = NULL, *output = NULL;
    const struct option_spec options[] = {
        {"model", 'm', OPTION_OPERAND, &model, "MODEL", "the packed file " DEFAULT_MODEL, 0, 0},
        {"output", 'o', OPTION_STRING, &output, "DIR", "the model directory; must not hold a model", 0, 0},
        {NULL, 0, OPTION_FLAG, NULL, NULL, NULL, 0, 0},
    };
    const struct command_help help = {"nmt unpack FILE --output DIR",
                                      "Unpacks a packed file into a model directory with float32 weights, "
                                      "which translates to the same bytes (of int8, with decoding.precision "
                                      "int8)."};
    PARSE_OR_RETURN(argc, argv, options, &help);
    if (!output)
        return wrong_use(&help, "option '--output' is missing");
    if (!strcmp(output, "-"))
        return wrong_use(&help, "option '--output' needs a directory, which standard output is not");
    struct err err;
    struct loaded_model loaded;
    if (loaded_model_choose(&loaded, model, &err))
        return fail(&err);
    int failed = loaded.files.packed ? pack_unpack(&loaded, output, &err)
                                     : err_set(&err, "cannot unpack '%s': it is a model directory already",
                                               loaded.files.path);
    if (!failed)
        log_info("unpacked: %s", output);
    loaded_model_close(&loaded);
    return failed ? fail(&err) : EXIT_DONE;
}
