/* search_options: the options that stand for keys of `decoding`. */
#ifndef NMT_SEARCH_OPTIONS_H
#define NMT_SEARCH_OPTIONS_H

#include "config.h"

/* What was not given is that of SEARCH_OPTIONS_NONE. */
struct search_options {
    int beam, split; /* split: of enum split_kind */
    double length_penalty, coverage_penalty, max_length_ratio;
};
#define SEARCH_OPTIONS_NONE ((struct search_options){0, -1, -1, -1, 0})

/* Overrides the config's keys, also those of --set. */
void search_options_apply(const struct search_options *options, struct config_decoding *decoding);

#endif
