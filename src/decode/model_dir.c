/* Finds a model directory, opens its files, and marks the one trained last. Writing a model is left to
 * train. */
#include "model_dir.h"

#include "fileio.h"
#include "log.h"
#include "mem.h"
#include "network_check.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define LATEST "latest"

char *model_dir_choose(const char *given, struct err *err)
{
    const char *named = given ? given : getenv("NMT_MODEL");
    if (named && *named)
        return xstrdup(named);
    const char *latest = "models/" LATEST;
    char *config = path_join(latest, MODEL_CONFIG);
    const bool exists = file_exists(config);
    xfree(config);
    if (exists)
        return path_absolute(latest);
    err_set(err, "no model: give --model DIR, set NMT_MODEL, or train one under ./models");
    return NULL;
}

int model_dir_config(struct config *config, const char *dir, struct err *err)
{
    char *path = path_join(dir, MODEL_CONFIG);
    const int status = file_check_regular(path, err) ? -1 : config_load(config, path, err);
    xfree(path);
    return status;
}

void model_dir_mark_latest(const char *dir)
{
    char *parent = path_dir(dir);
    char *link = path_join(parent, LATEST);
    struct stat info;
    const bool taken = !lstat(link, &info) && !S_ISLNK(info.st_mode);
    if (taken && !strcmp(path_base(dir), LATEST))
        ; /* a model of that name, which needs no link */
    else if (taken)
        log_warn("'%s' is in the place of the link to the model trained last: give commands --model", link);
    else if (link_replace(path_base(dir), link))
        log_warn("cannot make the link '%s' to the model trained last: %s: give commands --model", link,
                 strerror(errno));
    xfree(link);
    xfree(parent);
}

int loaded_model_choose(struct loaded_model *loaded, const char *given, struct err *err)
{
    char *dir = model_dir_choose(given, err);
    if (!dir)
        return -1;
    const int status = loaded_model_open(loaded, dir, err);
    if (!status)
        log_info("model: %s", dir);
    xfree(dir);
    return status;
}

int loaded_model_open(struct loaded_model *loaded, const char *dir, struct err *err)
{
    memset(loaded, 0, sizeof *loaded);
    char *config_path = path_join(dir, MODEL_CONFIG), *weights_path = path_join(dir, MODEL_WEIGHTS);
    loaded->dir = xstrdup(dir);
    config_init(&loaded->config);
    int status = model_dir_config(&loaded->config, dir, err);
    if (!status && network_check(&loaded->config, err))
        status = err_set(err, "cannot use '%s': %s", config_path, err->text);
    if (!status)
        status = language_pair_load(&loaded->pair, &loaded->config, dir, err);
    if (!status) {
        seq2seq_init(&loaded->model, &loaded->config,
                     (size_t)vocab_size(loaded->pair.tokenizer[SOURCE].vocab),
                     (size_t)vocab_size(loaded->pair.tokenizer[TARGET].vocab));
        status = weights_open(&loaded->weights, weights_path, &loaded->model.layout, err);
    }
    if (!status)
        status = language_pair_set_tag(&loaded->pair, &loaded->config, err);
    xfree(config_path);
    xfree(weights_path);
    if (status)
        loaded_model_close(loaded);
    return status;
}

void loaded_model_close(struct loaded_model *loaded)
{
    weights_close(&loaded->weights);
    language_pair_release(&loaded->pair);
    config_release(&loaded->config);
    xfree(loaded->dir);
    memset(loaded, 0, sizeof *loaded);
}
