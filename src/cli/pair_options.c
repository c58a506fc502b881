/* Checks which files of a sentence pair a command was given. */
#include "pair_options.h"

#include <stddef.h>

const char *pair_files_wrong(const struct pair_files *files)
{
    const bool given = files->tsv ? !files->source && !files->target : files->source && files->target;
    return given ? NULL : "give --source and --target, or --pairs";
}
