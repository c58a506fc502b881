/* Loads the config of a command, from a file or standard input. Parsing it is up to the config layer. */
#include "config_options.h"

#include "file_uses.h"
#include "fileio.h"
#include "network_check.h"

#include <string.h>

/* Reads standard input, which rank 0 alone has under mpirun, on all ranks. */
static int slurp_standard_input(struct strbuf *text, const struct ranks *ranks, struct err *err)
{
    const int status = ranks_is_first(ranks) ? file_slurp(text, "-", err) : 0;
    if (ranks_agree(ranks, status, err))
        return -1;
    ranks_broadcast_text(ranks, text);
    return 0;
}

static int load_standard_input(struct config *config, const struct ranks *ranks, struct err *err)
{
    struct strbuf text;
    strbuf_init(&text);
    int status = slurp_standard_input(&text, ranks, err);
    if (!status)
        status = config_read(config, &text, file_shown_name("-"), ".", err);
    strbuf_release(&text);
    return status;
}

int config_options_load(struct config *config, const char *path, const struct string_list *settings,
                        const struct ranks *ranks, struct err *err)
{
    const bool is_file = strcmp(path, "-") != 0;
    if (!ranks_same(ranks, is_file))
        return err_set(err, "the ranks of this training differ in their config");
    if (is_file ? config_load(config, path, err) : load_standard_input(config, ranks, err))
        return -1;
    for (int i = 0; i < settings->count; i++)
        if (config_set(config, settings->items[i], err))
            return -1;
    if (is_file)
        config_name_model_dir(config, path);
    else if (!config->model_dir)
        return err_set(err, "config key 'model_dir' is missing: standard input has no name to take it from");
    return config_check(config, err) || network_check(config, err) ? -1 : 0;
}

int config_options_check_files(const char *path, const struct config *config)
{
    struct file_uses uses = {.count = 0};
    file_uses_input(&uses, path, "--config");
    file_uses_corpora(&uses, config);
    file_uses_standard_output(&uses);
    return file_uses_check(&uses);
}
