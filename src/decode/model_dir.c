/* Chooses a model, opens its files, and marks the one trained last. Writing a directory is left to train,
 * packing to pack.c. */
#include "model_dir.h"

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

/* A file that a packed config names would be another one on each machine. */
static int check_packed_config(const struct config *config, const char *name, struct err *err)
{
    const char *key = config_names_file(config);
    return key ? err_set(err, "cannot use '%s': key '%s' names a file", name, key) : 0;
}

int model_dir_config(struct config *config, const struct model_files *files, struct err *err)
{
    struct strbuf text;
    strbuf_init(&text);
    char *name = model_files_name(files, MODEL_CONFIG);
    int status = model_files_slurp(&text, files, MODEL_CONFIG, err);
    if (!status)
        status = config_read(config, &text, name, files->path, err);
    if (!status && files->packed)
        status = check_packed_config(config, name, err);
    xfree(name);
    strbuf_release(&text);
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
    char *path = model_dir_choose(given, err);
    if (!path)
        return -1;
    const int status = loaded_model_open(loaded, path, err);
    if (!status)
        log_info("model: %s", path);
    xfree(path);
    return status;
}

static int load_config(struct loaded_model *loaded, struct err *err)
{
    if (model_dir_config(&loaded->config, &loaded->files, err))
        return -1;
    if (!network_check(&loaded->config, err))
        return 0;
    char *name = model_files_name(&loaded->files, MODEL_CONFIG);
    err_set(err, "cannot use '%s': %s", name, err->text);
    xfree(name);
    return -1;
}

static int load_weights(struct loaded_model *loaded, struct err *err)
{
    const struct safetensors *file = model_files_weights(&loaded->files, err);
    if (!file)
        return -1;
    seq2seq_init(&loaded->model, &loaded->config, (size_t)vocab_size(loaded->pair.tokenizer[SOURCE].vocab),
                 (size_t)vocab_size(loaded->pair.tokenizer[TARGET].vocab));
    return weights_open(&loaded->weights, file, &loaded->model.layout, err);
}

int loaded_model_open(struct loaded_model *loaded, const char *path, struct err *err)
{
    memset(loaded, 0, sizeof *loaded);
    if (model_files_open(&loaded->files, path, err))
        return -1;
    config_init(&loaded->config);
    int status = load_config(loaded, err);
    if (!status)
        status = language_pair_load(&loaded->pair, &loaded->config, &loaded->files, err);
    if (!status)
        status = load_weights(loaded, err);
    if (!status)
        status = language_pair_set_tag(&loaded->pair, &loaded->config, err);
    if (status)
        loaded_model_close(loaded);
    return status;
}

void loaded_model_close(struct loaded_model *loaded)
{
    weights_close(&loaded->weights);
    language_pair_release(&loaded->pair);
    config_release(&loaded->config);
    model_files_close(&loaded->files);
    memset(loaded, 0, sizeof *loaded);
}
