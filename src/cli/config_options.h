/* config_options: what --config and --set give a command. */
#ifndef NMT_CONFIG_OPTIONS_H
#define NMT_CONFIG_OPTIONS_H

#include "config.h"
#include "parseopt.h"
#include "ranks.h"

/* Loads a config and checks all but that its training ends (config_check_end); `path` "-": from standard
 * input. Where it names no model_dir, the file's name does. `config` is that of config_init. All ranks call
 * it. */
int config_options_load(struct config *config, const char *path, const struct string_list *settings,
                        const struct ranks *ranks, struct err *err);
/* EXIT_WRONG_USE, with a message on standard error, if two of the config and its corpora are the same stream,
 * or standard output is one of them; else EXIT_DONE. */
int config_options_check_files(const char *path, const struct config *config);

#endif
