/* Opens models, shares them among translators, and frees them after the last. */
#include "model.h"

#include "border.h"
#include "mem.h"

#include <stdatomic.h>

struct nmt_model {
    atomic_int users;
    struct loaded_model *loaded; /* [count] */
    int count;
    struct ensemble ensemble;
};

static void close_members(struct nmt_model *model)
{
    while (model->count > 0)
        loaded_model_close(&model->loaded[--model->count]);
    xfree(model->loaded);
    xfree(model);
}

/* ---- opening ---- */

struct opening {
    const char *const *paths;
    size_t count;
    struct nmt_model *model; /* the result */
};

static enum nmt_error_code check_paths(const struct opening *opening, struct err *err)
{
    if (!opening->paths || !opening->count)
        return wrong_use(err, "no model given");
    if (opening->count > MOST_MEMBERS)
        return wrong_use(err, "an ensemble has at most %d models", MOST_MEMBERS);
    for (size_t i = 0; i < opening->count; i++)
        if (!opening->paths[i] || !*opening->paths[i])
            return wrong_use(err, "no model given");
    return NMT_NO_ERROR;
}

static enum nmt_error_code open_models(void *context, struct err *err)
{
    struct opening *opening = context;
    const enum nmt_error_code wrong = check_paths(opening, err);
    if (wrong)
        return wrong;
    struct nmt_model *model = xcalloc(1, sizeof *model);
    model->loaded = xcalloc(opening->count, sizeof *model->loaded);
    atomic_init(&model->users, 1);
    while (model->count < (int)opening->count &&
           !loaded_model_open(&model->loaded[model->count], opening->paths[model->count], err))
        model->count++;
    if (model->count < (int)opening->count ||
        ensemble_open(&model->ensemble, model->loaded, model->count, err)) {
        close_members(model);
        return NMT_WRONG_INPUT;
    }
    ensemble_drop_weights(&model->ensemble, model->loaded);
    opening->model = model;
    return NMT_NO_ERROR;
}

EXPORT struct nmt_model *nmt_open_ensemble(const char *const *paths, size_t count, char *error,
                                           size_t error_bytes)
{
    struct opening opening = {paths, count, NULL};
    struct failure failure;
    const int failed = border_cross(open_models, &opening, NULL, &failure);
    give_error(&failure, error, error_bytes);
    return failed ? NULL : opening.model;
}

EXPORT struct nmt_model *nmt_open(const char *path, char *error, size_t error_bytes)
{
    return nmt_open_ensemble(&path, 1, error, error_bytes);
}

/* ---- use ---- */

struct nmt_model *model_share(struct nmt_model *model)
{
    atomic_fetch_add(&model->users, 1);
    return model;
}

EXPORT void nmt_close(struct nmt_model *model)
{
    if (!model || atomic_fetch_sub(&model->users, 1) > 1)
        return;
    ensemble_release(&model->ensemble);
    close_members(model);
}

const struct ensemble *model_ensemble(const struct nmt_model *model)
{
    return &model->ensemble;
}

const struct config *model_config(const struct nmt_model *model)
{
    return &model->loaded[0].config;
}

int model_check_options(const struct nmt_model *model, const struct translate_options *options,
                        struct err *err)
{
    return translate_options_check(options, model->loaded, model->count, err);
}

struct asked_key {
    const struct nmt_model *model;
    const char *key;
    char *value;
    size_t value_bytes;
    int length;
};

static enum nmt_error_code get_key(void *context, struct err *err)
{
    struct asked_key *asked = context;
    char *text = config_get(model_config(asked->model), asked->key, err);
    if (!text)
        return NMT_WRONG_USE;
    asked->length = give_value(text, asked->value, asked->value_bytes);
    xfree(text);
    return NMT_NO_ERROR;
}

EXPORT int nmt_model_get(const struct nmt_model *model, const char *key, char *value, size_t value_bytes)
{
    struct asked_key asked = {model, key, value, value_bytes, -1};
    struct failure failure;
    if (!model || !key)
        return -1;
    if (border_cross(get_key, &asked, NULL, &failure))
        return failure.code == NMT_OUT_OF_MEMORY ? -2 : -1;
    return asked.length;
}
