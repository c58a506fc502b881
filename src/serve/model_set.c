/* Opens the models of a server and finds the ways between their languages. How a language is recognised is in
 * detect.c. */
#include "model_set.h"

#include "copied_text.h"
#include "detect.h"
#include "mem.h"
#include "models.h"
#include "translate_options.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* ---- opening ---- */

static int check_languages(const struct served_model *model, const struct model_set *set, struct err *err)
{
    const char *missing = !model->source   ? "data.source_language"
                          : !model->target ? "data.target_language"
                                           : NULL;
    if (missing)
        return err_set(err, "cannot serve '%s': it does not name its languages (config key '%s')",
                       model->path, missing);
    for (size_t i = 0; i < set->count; i++)
        if (!strcasecmp(set->models[i].source, model->source) &&
            !strcasecmp(set->models[i].target, model->target))
            return err_set(err, "cannot serve '%s' beside '%s': both translate %s to %s", model->path,
                           set->models[i].path, model->source, model->target);
    return 0;
}

static int check_options(const struct loaded_model *loaded, struct err *err)
{
    struct translate_options options;
    if (loaded->config.text.reverse_target)
        return err_set(err, "cannot serve '%s': it translates from right to left, to judge others",
                       loaded->files.path);
    translate_options_init(&options, &loaded->config);
    return translate_options_check(&options, loaded, 1, err);
}

static void model_close(struct served_model *model)
{
    strmap_release(&model->zeros);
    ensemble_release(&model->ensemble);
    loaded_model_close(&model->loaded);
    xfree(model->path);
}

/* Adds the model to the set. */
static int model_open(struct model_set *set, const char *path, const struct string_list *settings,
                      struct err *err)
{
    struct served_model *model = &set->models[set->count];
    if (loaded_model_open(&model->loaded, path, err))
        return -1;
    model->path = xstrdup(path);
    model->source = model->loaded.config.data.source_language;
    model->target = model->loaded.config.data.target_language;
    if (loaded_model_set(&model->loaded, settings, err) || check_languages(model, set, err) ||
        check_options(&model->loaded, err) || ensemble_open(&model->ensemble, &model->loaded, 1, err)) {
        loaded_model_close(&model->loaded);
        xfree(model->path);
        return -1;
    }
    ensemble_drop_weights(&model->ensemble, &model->loaded);
    strmap_init(&model->zeros);
    copied_text_find_zeros(&model->zeros, model->loaded.pair.tokenizer[TARGET].vocab);
    set->count++;
    return 0;
}

static void model_set_free(struct model_set *set)
{
    while (set->count)
        model_close(&set->models[--set->count]);
    for (size_t i = 0; i < set->language_count; i++) {
        language_profile_release(&set->languages[i].profile);
        xfree(set->languages[i].targets);
    }
    xfree(set->languages);
    xfree(set->models);
    xfree(set);
}

/* ---- languages ---- */

static int by_code(const void *a, const void *b)
{
    const struct served_language *x = a, *y = b;
    return strcmp(x->code, y->code);
}

static void add_language(struct model_set *set, const char *code)
{
    for (size_t i = 0; i < set->language_count; i++)
        if (!strcasecmp(set->languages[i].code, code))
            return;
    set->languages[set->language_count++].code = code;
}

static bool is_source(const struct model_set *set, const char *code)
{
    for (size_t i = 0; i < set->count; i++)
        if (!strcasecmp(set->models[i].source, code))
            return true;
    return false;
}

/* A language of which there is no model translates into no other; the others, also into themselves. */
static void find_targets(struct served_language *language, const struct model_set *set)
{
    language->targets = xcalloc(set->language_count, sizeof *language->targets);
    for (size_t i = 0; i < set->language_count && is_source(set, language->code); i++)
        if (model_set_route(set, language->code, set->languages[i].code).found)
            language->targets[language->target_count++] = set->languages[i].code;
}

static void find_languages(struct model_set *set)
{
    set->languages = xcalloc(2 * set->count, sizeof *set->languages);
    for (size_t i = 0; i < set->count; i++) {
        add_language(set, set->models[i].source);
        add_language(set, set->models[i].target);
    }
    qsort(set->languages, set->language_count, sizeof *set->languages, by_code);
    for (size_t i = 0; i < set->language_count; i++)
        find_targets(&set->languages[i], set);
    for (size_t i = 0; i < set->language_count; i++)
        detect_find_profile(&set->languages[i], set);
}

struct model_set *model_set_open(const struct string_list *paths, const struct string_list *settings,
                                 struct err *err)
{
    struct model_set *set = xcalloc(1, sizeof *set);
    set->models = xcalloc((size_t)paths->count, sizeof *set->models);
    atomic_init(&set->users, 1);
    for (int i = 0; i < paths->count; i++)
        if (model_open(set, paths->items[i], settings, err)) {
            model_set_free(set);
            return NULL;
        }
    find_languages(set);
    return set;
}

struct model_set *model_set_share(struct model_set *set)
{
    atomic_fetch_add(&set->users, 1);
    return set;
}

void model_set_release(struct model_set *set)
{
    if (set && atomic_fetch_sub(&set->users, 1) == 1)
        model_set_free(set);
}

/* ---- routes ---- */

/* Is one of the codes a language, and the other the same with its script or region? */
static bool is_kind_of(const char *code, const char *other)
{
    const size_t bytes = strcspn(code, "-");
    return !strncasecmp(code, other, bytes) && strcspn(other, "-") == bytes &&
           (!code[bytes] || !other[bytes]);
}

static const char *find_language(const struct model_set *set, const char *code)
{
    const char *only = NULL;
    size_t found = 0;
    for (size_t i = 0; i < set->language_count; i++)
        if (!strcasecmp(set->languages[i].code, code))
            return set->languages[i].code;
    for (size_t i = 0; i < set->language_count; i++)
        if (is_kind_of(code, set->languages[i].code)) {
            only = set->languages[i].code;
            found++;
        }
    return found == 1 ? only : NULL;
}

const char *model_set_language(const struct model_set *set, const char *code)
{
    char *tag = xstrdup(code);
    for (char *c = tag; (c = strchr(c, '_'));)
        *c = '-';
    const char *language = find_language(set, tag);
    xfree(tag);
    return language;
}

static const struct served_model *find_model(const struct model_set *set, const char *source,
                                             const char *target)
{
    for (size_t i = 0; i < set->count; i++)
        if (!strcasecmp(set->models[i].source, source) && !strcasecmp(set->models[i].target, target))
            return &set->models[i];
    return NULL;
}

struct route model_set_route(const struct model_set *set, const char *source, const char *target)
{
    struct route route = {.found = !strcasecmp(source, target), .count = 0};
    if (route.found)
        return route;
    route.models[0] = find_model(set, source, target);
    if (route.models[0]) {
        route.found = true;
        route.count = 1;
    }
    for (size_t i = 0; i < set->count && !route.found; i++) {
        const struct served_model *first = &set->models[i];
        const struct served_model *second = find_model(set, first->target, target);
        if (!strcasecmp(first->source, source) && second)
            route = (struct route){{first, second}, 2, true};
    }
    return route;
}
