/* Puts options of the command line in the place of the config's keys. Their rows are in shared_options.h and
 * in the commands' tables. */
#include "search_options.h"

void search_options_apply(const struct search_options *options, struct config_decoding *decoding)
{
    if (options->beam)
        decoding->beam = options->beam;
    if (options->split >= 0)
        decoding->split = (enum split_kind)options->split;
    if (options->length_penalty >= 0)
        decoding->length_penalty = options->length_penalty;
    if (options->coverage_penalty >= 0)
        decoding->coverage_penalty = options->coverage_penalty;
    if (options->max_length_ratio > 0)
        decoding->max_length_ratio = options->max_length_ratio;
}
