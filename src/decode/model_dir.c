/* Opens the files of a model. Choosing one is in model_choice.c; writing a directory is left to train,
 * packing to pack.c. */
#include "model_dir.h"

#include "config_auto.h"
#include "log.h"
#include "mem.h"
#include "network_check.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

/* ---- files ---- */

/* False also where it cannot be known. */
static bool is_missing(const char *dir, const char *name)
{
    struct stat info;
    char *path = path_join(dir, name);
    const bool missing = stat(path, &info) != 0 && errno == ENOENT;
    xfree(path);
    return missing;
}

static bool is_being_distilled(const char *dir)
{
    char *state = path_join(dir, DISTILL_FOLDER "/" DISTILL_STATE);
    const bool begun = file_exists(state) && is_missing(dir, MODEL_WEIGHTS);
    xfree(state);
    return begun;
}

/* A directory has what every model has, or the error lists what is missing. */
static int check_directory(const char *dir, bool weights, struct err *err)
{
    static const char *const names[] = {MODEL_CONFIG, "source.vocab", "target.vocab", MODEL_WEIGHTS};
    const size_t all = sizeof names / sizeof names[0], wanted = weights ? all : all - 1;
    struct strbuf missing;
    size_t count = 0;
    strbuf_init(&missing);
    for (size_t i = 0; i < wanted; i++)
        if (is_missing(dir, names[i]))
            strbuf_addf(&missing, "%s%s", count++ ? ", " : "", names[i]);
    if (count)
        err_set(err, "cannot use '%s': it holds no %smodel: %s %s missing%s", dir,
                count < wanted ? "whole " : "", missing.text, count == 1 ? "is" : "are",
                is_being_distilled(dir) ? "; " DISTILL_GOES_ON : "");
    strbuf_release(&missing);
    return count ? -1 : 0;
}

int model_dir_open(struct model_files *files, const char *path, bool weights, struct err *err)
{
    struct stat info;
    if (stat(path, &info) != 0)
        return err_set_errno(err, "cannot open model '%s'", path);
    if (S_ISDIR(info.st_mode) && check_directory(path, weights, err))
        return -1;
    return model_files_open(files, path, err);
}

/* ---- config ---- */

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
    config->text.protect = 0; /* of models that are older than the key */
    char *name = model_files_name(files, MODEL_CONFIG);
    int status = model_files_slurp(&text, files, MODEL_CONFIG, err);
    if (!status)
        status = config_read(config, &text, name, files->path, err);
    config_auto_settle(config, NULL); /* keys that are younger than the model */
    if (!status && files->packed)
        status = check_packed_config(config, name, err);
    xfree(name);
    strbuf_release(&text);
    return status;
}

/* ---- an open model ---- */

int loaded_model_choose(struct loaded_model *loaded, const char *given, struct err *err)
{
    char *path = model_dir_choose(given, err);
    if (!path)
        return -1;
    const int status = loaded_model_open(loaded, path, err) ? model_dir_name_variable(given, err) : 0;
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
    return shortlist_load(&loaded->shortlist, file, &loaded->pair, err)
               ? -1
               : weights_open(&loaded->weights, file, &loaded->model.layout, err);
}

int loaded_model_open(struct loaded_model *loaded, const char *path, struct err *err)
{
    memset(loaded, 0, sizeof *loaded);
    if (model_dir_open(&loaded->files, path, true, err))
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
    shortlist_release(&loaded->shortlist);
    language_pair_release(&loaded->pair);
    config_release(&loaded->config);
    model_files_close(&loaded->files);
    memset(loaded, 0, sizeof *loaded);
}

enum precision loaded_model_precision(const struct loaded_model *loaded)
{
    const char *name = loaded->model.layout.params[0].name;
    return precision_of(safetensors_find(&loaded->files.weights, name));
}
