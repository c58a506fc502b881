#include "cmd_shared.h"

#include "log.h"
#include "mem.h"
#include "plural.h"
#include "team.h"

#include <stdlib.h>
#include <string.h>

static int apply_settings(struct config *config, const struct string_list *settings, struct err *err)
{
    for (int i = 0; i < settings->count; i++) {
        if (strncmp(settings->items[i], "decoding.", 9))
            return err_set(err, "cannot set '%s': only keys of 'decoding' can be set here",
                           settings->items[i]);
        if (config_set(config, settings->items[i], err))
            return -1;
    }
    return 0;
}

int open_models(struct models *models, const struct string_list *given, const struct string_list *settings,
                struct err *err)
{
    *models = (struct models){NULL, 0};
    if (given->count > MOST_MEMBERS)
        return err_set(err, "an ensemble has at most %d models", MOST_MEMBERS);
    models->loaded = xcalloc(given->count ? (size_t)given->count : 1, sizeof *models->loaded);
    do {
        if (loaded_model_choose(&models->loaded[models->count],
                                given->count ? given->items[models->count] : NULL, err)) {
            close_models(models);
            return -1;
        }
    } while (++models->count < given->count);
    struct loaded_model *first = &models->loaded[0];
    if (apply_settings(&first->config, settings, err) ||
        language_pair_set_tag(&first->pair, &first->config, err)) {
        close_models(models);
        return -1;
    }
    return 0;
}

void close_models(struct models *models)
{
    while (models->count > 0)
        loaded_model_close(&models->loaded[--models->count]);
    free(models->loaded);
    models->loaded = NULL;
}

int open_translator(struct translator *translator, const struct loaded_model *members, int count,
                    const struct translate_options *options, struct err *err)
{
    translator_open(translator, &members[0], options);
    for (int i = 1; i < count; i++)
        if (translator_join(translator, &members[i], err)) {
            translator_release(translator);
            return -1;
        }
    return 0;
}

void warn_overflowed(const struct translator *translator, const struct ranks *ranks)
{
    double lines = (double)translator->overflowed_lines;
    ranks_sum(ranks, &lines, 1);
    if (lines > 0)
        log_warn("the translations of %.0f line%s end where the model's numbers are no longer finite", lines,
                 plural(lines));
}

void warn_cut(const struct reader *reader)
{
    if (reader->cut)
        log_warn("%lld line%s cut to %zu MiB", (long long)reader->cut, plural((double)reader->cut),
                 LINE_MAX_BYTES >> 20);
}

int thread_count(int option)
{
    return option ? option : team_processors();
}
