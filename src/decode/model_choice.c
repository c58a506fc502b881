/* Chooses the model of a command, and marks the one trained last. Opening it is left to model_dir.c. */
#include "model_dir.h"

#include "folder.h"
#include "log.h"
#include "mem.h"
#include "safetensors.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define MODELS "models"
#define LATEST "latest"
#define PACKED_ENDING ".nmt"
#define MOST_NAMED 8 /* models in an error */

/* ---- the models of a directory ---- */

struct found {
    const char *path;
    char **names;
    size_t count, capacity;
};

static bool ends_with(const char *text, const char *end)
{
    const size_t length = strlen(text), end_length = strlen(end);
    return length > end_length && !strcmp(text + length - end_length, end);
}

static bool holds_file(const char *dir, const char *name)
{
    char *path = path_join(dir, name);
    const bool holds = file_exists(path);
    xfree(path);
    return holds;
}

/* Is it a directory with config and weights, or a file called like a packed one? */
static bool is_model(const char *path)
{
    struct stat info;
    if (path_base(path)[0] == '.' || stat(path, &info) != 0)
        return false;
    if (S_ISREG(info.st_mode))
        return ends_with(path, PACKED_ENDING);
    return S_ISDIR(info.st_mode) && holds_file(path, MODEL_CONFIG) && holds_file(path, MODEL_WEIGHTS);
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static void take_model(void *context, const char *name)
{
    struct found *found = context;
    char *model = path_join(found->path, name);
    if (is_model(model)) {
        GROW(found->names, found->count + 1, found->capacity);
        found->names[found->count++] = xstrdup(name);
    }
    xfree(model);
}

/* Finds the models, in the order of their names. A directory that does not exist has none. */
static int find_models(struct found *found, const char *path, struct err *err)
{
    *found = (struct found){.path = path};
    const int status = folder_each(path, take_model, found, err);
    if (found->count)
        qsort(found->names, found->count, sizeof *found->names, by_name);
    return status;
}

static void found_release(struct found *found)
{
    for (size_t i = 0; i < found->count; i++)
        xfree(found->names[i]);
    xfree(found->names);
}

/* ---- the choice ---- */

static int refuse_several(const struct found *found, struct err *err)
{
    struct strbuf names;
    strbuf_init(&names);
    for (size_t i = 0; i < found->count && i < MOST_NAMED; i++)
        strbuf_addf(&names, "%s%s", i ? ", " : "", found->names[i]);
    if (found->count > MOST_NAMED)
        strbuf_addf(&names, " and %zu more", found->count - MOST_NAMED);
    err_set(err, "cannot choose a model: give --model MODEL or set NMT_MODEL; under ./" MODELS " are %s",
            names.text);
    strbuf_release(&names);
    return -1;
}

/* Sets `name` to that of the only model under ./models, which the caller frees. */
static int only_model(char **name, struct err *err)
{
    struct found found;
    int status = find_models(&found, MODELS, err);
    if (status)
        ; /* some may not have been found */
    else if (found.count == 1)
        *name = xstrdup(found.names[0]);
    else if (found.count > 1)
        status = refuse_several(&found, err);
    else
        status = err_set(err, "no model: give --model MODEL, set NMT_MODEL, or train one under ./" MODELS);
    found_release(&found);
    return status;
}

/* Does the link lead to a directory with a config, or to a file? */
static bool has_latest(const char *latest)
{
    struct stat info;
    return !stat(latest, &info) && (S_ISREG(info.st_mode) || holds_file(latest, MODEL_CONFIG));
}

/* The model of the environment; NULL if another one is given, or none is set. */
static const char *set_model(const char *given)
{
    const char *set = given ? NULL : getenv("NMT_MODEL");
    return set && *set ? set : NULL;
}

int model_dir_name_variable(const char *given, struct err *err)
{
    return set_model(given) ? err_set(err, "%s (of NMT_MODEL)", err->text) : -1;
}

char *model_dir_choose(const char *given, struct err *err)
{
    const char *set = set_model(given);
    if (given || set)
        return xstrdup(given ? given : set);
    if (has_latest(MODELS "/" LATEST))
        return path_absolute(MODELS "/" LATEST);
    char *name = NULL;
    if (only_model(&name, err))
        return NULL;
    char *path = path_join(MODELS, name), *absolute = path_absolute(path);
    xfree(path);
    xfree(name);
    return absolute;
}

/* May the link be made here: is there nothing, or a link to a model, to nowhere or, as nmt makes them, to a
 * name beside it? */
static bool is_free(const char *link)
{
    struct stat info;
    char to[PATH_MAX];
    const ssize_t length = readlink(link, to, sizeof to);
    if (length < 0)
        return errno != EINVAL; /* it is no link */
    return !memchr(to, '/', (size_t)length) || stat(link, &info) || holds_file(link, MODEL_CONFIG) ||
           safetensors_looks_like(link);
}

void model_dir_mark_latest(const char *dir)
{
    char *parent = path_dir(dir);
    char *link = path_join(parent, LATEST);
    if (paths_are_same(dir, link))
        ; /* a model of that name, which needs no link; or one made before, through which `dir` may lead */
    else if (!is_free(link))
        log_warn("'%s' is in the place of the link to the model trained last: give commands --model", link);
    else if (link_replace(path_base(dir), link))
        log_warn("cannot make the link '%s' to the model trained last: %s: give commands --model", link,
                 strerror(errno));
    xfree(link);
    xfree(parent);
}
