/* Opens the models of one command. What joins them is in ensemble.c, and, to score pairs, in cmd_score.c. */
#include "models.h"

#include "mem.h"

#include <string.h>

int loaded_model_set(struct loaded_model *loaded, const struct string_list *settings, struct err *err)
{
    struct config *config = &loaded->config;
    for (int i = 0; i < settings->count; i++) {
        if (strncmp(settings->items[i], "decoding.", 9))
            return err_set(err, "cannot set '%s': only keys of 'decoding' can be set here",
                           settings->items[i]);
        if (config_set(config, settings->items[i], err))
            return -1;
    }
    return language_pair_set_tag(&loaded->pair, config, err);
}

int models_open(struct models *models, const struct string_list *given, const struct string_list *settings,
                struct err *err)
{
    *models = (struct models){.count = 0};
    if (given->count > MOST_MEMBERS)
        return err_set(err, "an ensemble has at most %d models", MOST_MEMBERS);
    models->loaded = xcalloc(given->count ? (size_t)given->count : 1, sizeof *models->loaded);
    do {
        if (loaded_model_choose(&models->loaded[models->count],
                                given->count ? given->items[models->count] : NULL, err)) {
            models_close(models);
            return -1;
        }
    } while (++models->count < given->count);
    if (loaded_model_set(&models->loaded[0], settings, err)) {
        models_close(models);
        return -1;
    }
    return 0;
}

int models_open_judged(struct models *models, const struct string_list *given,
                       const struct string_list *settings, const char *const judges[JUDGE_KINDS], int threads,
                       struct err *err)
{
    if (models_open(models, given, settings, err))
        return -1;
    if (judges_open(&models->judges, judges, models->loaded, models->count, threads, err)) {
        models_close(models);
        return -1;
    }
    return 0;
}

void models_close(struct models *models)
{
    judges_close(&models->judges);
    while (models->count > 0)
        loaded_model_close(&models->loaded[--models->count]);
    xfree(models->loaded);
    models->loaded = NULL;
}
