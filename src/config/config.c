/* Whole configs: defaults, loading from JSON, --set. Setting one value is in config_values.c, checks over
 * several keys in config_check.c. */
#include "config.h"

#include "config_auto.h"
#include "config_keys.h"
#include "config_values.h"
#include "fileio.h"
#include "json.h"
#include "mem.h"
#include "paths.h"
#include "safetensors.h"
#include "utf8_check.h"

#include <string.h>

/* The origin of values that come from no file. */
static const struct origin no_file = {.dir = ""};

/* Values for keys that are auto, as long as the text is not known. */
static void choose_typical(struct config *config)
{
    config_auto_choose(config, &(struct text_facts){.pairs = TYPICAL_PAIRS});
}

void config_init(struct config *config)
{
    memset(config, 0, sizeof *config);
    for (size_t i = 0; i < config_key_count; i++) {
        struct err err;
        if (config_keys[i].fallback &&
            config_set_text(config, &config_keys[i], config_keys[i].fallback, &no_file, &err))
            BUG("default of a config key: %s", err.text);
    }
    choose_typical(config);
}

static void pairs_release(struct config_pairs *pairs)
{
    xfree(pairs->source);
    xfree(pairs->target);
    xfree(pairs->tsv);
    xfree(pairs->alignment);
    xfree(pairs->tag);
    memset(pairs, 0, sizeof *pairs);
}

const struct config_pairs *config_train(const struct config *config, int i)
{
    const struct config_data *data = &config->data;
    return i == 0 ? &data->train : i <= data->more_count ? &data->more[i - 1] : NULL;
}

bool config_pairs_given(const struct config_pairs *pairs)
{
    return pairs->source || pairs->tsv;
}

bool config_has_test_set(const struct config *config)
{
    return config_pairs_given(&config->data.test);
}

bool config_has_attention(const struct config *config)
{
    return config->model.attention.score != SCORE_NONE;
}

void config_limit_train(struct config *config, int count)
{
    struct config_data *data = &config->data;
    while (data->more_count && data->more_count + 1 > count)
        pairs_release(&data->more[--data->more_count]);
}

const char *config_train_file(const struct config *config, int i)
{
    for (int c = 0; config_train(config, c); c++) {
        const struct config_pairs *pairs = config_train(config, c);
        const char *const paths[] = {pairs->source, pairs->target, pairs->tsv, pairs->alignment};
        for (size_t k = 0; k < sizeof paths / sizeof paths[0]; k++)
            if (paths[k] && i-- == 0)
                return paths[k];
    }
    return NULL;
}

const char *config_names_file(const struct config *config)
{
    for (size_t i = 0; i < config_key_count; i++)
        if (config_keys[i].type == KEY_PATH && *(char *const *)config_const_field(config, &config_keys[i]))
            return config_keys[i].path;
    return config_train_file(config, 0) ? CONFIG_LIST : NULL;
}

void config_release(struct config *config)
{
    for (size_t i = 0; i < config_key_count; i++)
        if (config_key_is_text(&config_keys[i]))
            xfree(*(char **)config_field(config, &config_keys[i]));
    for (int i = 0; i < config->data.more_count; i++)
        pairs_release(&config->data.more[i]);
    xfree(config->data.more);
    memset(config, 0, sizeof *config);
}

/* ---- loading ---- */

#define GZIP "\x1f\x8b"  /* how a file of gzip begins */
#define SCHEMA "$schema" /* the name of a schema, by which editors complete keys; it sets nothing */

static int unknown_key(const char *path, const struct origin *origin, struct err *err)
{
    return err_set(err, "unknown key '%.*s'%s; did you mean '%s'?", (int)utf8_fitting_bytes(path, 200), path,
                   place_of(origin, path).text, config_key_nearest(path).path);
}

static int read_object(struct config *config, const struct json *object, const char *prefix,
                       const struct origin *origin, struct err *err);

/* Reads a list of training corpora: each item as if it were the only corpus, then appended to those before
 * it. */
static int read_list(struct config *config, const struct json *list, const struct origin *origin,
                     struct err *err)
{
    struct config_data *data = &config->data;
    struct config_pairs first = {.weight = 1};
    int status = 0, count = 0;
    pairs_release(&data->train);
    for (const struct json *item = json_first(list); item && !status; item = json_next(item), count++) {
        data->train.weight = 1;
        status = json_kind(item) != JSON_OBJECT
                     ? err_set(err, "config key '" CONFIG_LIST "' must be a list of objects, not of %s",
                               json_kind_name(json_kind(item)))
                     : read_object(config, item, CONFIG_LIST,
                                   &(struct origin){origin->text, origin->dir, list, item}, err);
        if (count == 0) {
            first = data->train;
        } else {
            data->more = xrealloc(data->more, (size_t)data->more_count + 1, sizeof *data->more);
            data->more[data->more_count++] = data->train;
        }
        data->train = (struct config_pairs){.weight = 1};
    }
    data->train = first;
    return status;
}

static int read_object(struct config *config, const struct json *object, const char *prefix,
                       const struct origin *origin, struct err *err)
{
    int status = 0;
    for (const struct json *member = json_first(object); member && !status; member = json_next(member)) {
        char *path = xasprintf("%s%s%s", prefix, *prefix ? "." : "", json_key(member));
        const struct key *key = config_key_find(path);
        if (strchr(json_key(member), '.') && (key || config_is_section(path))) {
            status = err_set(err, "config key '%s'%s must be in an object within an object, without dots",
                             path, place_of(origin, path).text);
        } else if (key) {
            status = config_set_json(config, key, member, origin, err);
        } else if (config_is_section(path) && json_kind(member) == JSON_OBJECT) {
            status = read_object(config, member, path, origin, err);
        } else if (!strcmp(path, CONFIG_LIST) && json_kind(member) == JSON_ARRAY) {
            status = read_list(config, member, origin, err);
        } else if (config_is_section(path)) {
            status = err_set(err, "config key '%s'%s must be an object, not %s", path,
                             place_of(origin, path).text, json_kind_name(json_kind(member)));
        } else if (strcmp(path, SCHEMA) != 0) {
            status = unknown_key(path, origin, err);
        } else if (json_kind(member) != JSON_STRING) {
            status = err_set(err, "config key '%s'%s must be a string, not %s", path,
                             place_of(origin, path).text, json_kind_name(json_kind(member)));
        }
        xfree(path);
    }
    return status;
}

int config_read(struct config *config, const struct strbuf *text, const char *name, const char *dir,
                struct err *err)
{
    int status = -1;
    struct json *root = json_parse(text->text, text->length, name, err);
    if (root && json_kind(root) != JSON_OBJECT)
        err_set(err, "cannot use '%s': a config must be a JSON object, not %s", name,
                json_kind_name(json_kind(root)));
    else if (root)
        status = read_object(config, root, "", &(struct origin){.text = text->text, .dir = dir}, err);
    choose_typical(config);
    if (root && status && strncmp(err->text, "cannot", 6))
        err_set(err, "%s: %s", name, err->text);
    json_free(root);
    return status;
}

/* Is it a file, and where files are? What the shell passes is not, whatever it is called: /dev/fd/63. */
static bool has_place(const char *path)
{
    struct err ignored;
    const bool descriptor = !strcmp(path, "/dev/stdin") || !strncmp(path, "/dev/fd/", 8) ||
                            (!strncmp(path, "/proc/", 6) && strstr(path, "/fd/"));
    return !descriptor && !file_check_regular(path, &ignored);
}

int config_load(struct config *config, const char *path, struct err *err)
{
    struct strbuf text;
    if (safetensors_looks_like(path))
        return err_set(err, "cannot use '%s': it holds a model, where a config is needed", path);
    strbuf_init(&text);
    char *dir = has_place(path) ? path_dir(path) : xstrdup(".");
    int status = file_slurp(&text, path, err);
    if (!status && text.length > 1 && !memcmp(text.text, GZIP, 2))
        status = err_set(err, "cannot use '%s': it is compressed, where a config is needed", path);
    if (!status)
        status = config_read(config, &text, path, dir, err);
    xfree(dir);
    strbuf_release(&text);
    return status;
}

void config_name_model_dir(struct config *config, const char *path)
{
    if (config->model_dir || !has_place(path))
        return;
    char *name = xstrdup(path_base(path)), *end = strrchr(name, '.');
    if (end && !strcmp(end, ".json"))
        *end = '\0';
    if (*name && strcmp(name, ".") != 0 && strcmp(name, "..") != 0 && /* else it is not under models, … */
        strcmp(name, "latest") != 0) { /* … or in the way of the link to the model trained last */
        char *dir = xasprintf("models/%s", name);
        config->model_dir = model_dir_absolute(dir);
        xfree(dir);
    }
    xfree(name);
}

/* The key with that path; NULL and the reason if there is none. */
static const struct key *expect_key(const char *path, struct err *err)
{
    const struct key *key = config_key_find(path);
    if (!key && config_is_section(path))
        err_set(err, "config key '%s' is an object: set the keys in it, one by one", path);
    else if (!key)
        unknown_key(path, &no_file, err);
    return key;
}

int config_set(struct config *config, const char *assignment, struct err *err)
{
    const char *equals = strchr(assignment, '=');
    if (!equals)
        return err_set(err, "'%s' is not an assignment such as training.learning_rate=0.001", assignment);
    char *path = xstrndup(assignment, (size_t)(equals - assignment));
    const struct key *key = expect_key(path, err);
    int status = -1;
    if (key && config_key_in_list(key) && config->data.more_count)
        err_set(err, "config key '%s' cannot be set: '" CONFIG_LIST "' is a list of corpora", path);
    else if (key)
        status = config_set_text(config, key, equals + 1, &no_file, err);
    choose_typical(config);
    xfree(path);
    return status;
}

/* "false", or the names with commas between them. */
static char *set_text(const struct key *key, unsigned set)
{
    struct strbuf text;
    strbuf_init(&text);
    for (unsigned i = 0; i < MOST_OF_SET; i++)
        if (set >> i & 1)
            strbuf_addf(&text, "%s%s", text.length ? "," : "", choice_name(key->choices, i).name);
    if (!set)
        strbuf_adds(&text, "false");
    return strbuf_detach(&text);
}

char *config_get(const struct config *config, const char *path, struct err *err)
{
    const struct key *key = expect_key(path, err);
    if (!key)
        return NULL;
    if (config_key_is_text(key)) {
        const char *text = *(char *const *)config_const_field(config, key);
        return xstrdup(text ? text : "");
    }
    if (config_key_is_auto(config, key))
        return xstrdup("auto");
    if (key->type == KEY_SET)
        return set_text(key, *(const unsigned *)config_const_field(config, key));
    if (key->type == KEY_CHOICE)
        return xstrdup(choice_name(key->choices, *(const unsigned *)config_const_field(config, key)).name);
    return config_value(config, key);
}
