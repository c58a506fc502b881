/* Loads configs: looks up keys, sets and checks one value, then what no single key shows. The table of keys
 * is config_keys.c; whether the network can be built is the model's to say. */
#include "config.h"

#include "config_keys.h"
#include "fileio.h"
#include "json.h"
#include "mem.h"
#include "utf8_check.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- looking up keys ---- */

/* Is `path` the name of a section, such as "model.encoder"? */
static bool is_section(const char *path)
{
    const size_t length = strlen(path);
    for (size_t i = 0; i < config_key_count; i++) {
        const char *key = config_keys[i].path;
        if (!strncmp(key, path, length) && key[length] == '.')
            return true;
    }
    return false;
}

/* Levenshtein distance, for texts of less than 64 bytes. */
static int distance(const char *a, const char *b)
{
    int row[64];
    const int length = (int)strlen(b);
    for (int j = 0; j <= length; j++)
        row[j] = j;
    for (int i = 1; a[i - 1]; i++) {
        int diagonal = row[0];
        row[0] = i;
        for (int j = 1; j <= length; j++) {
            const int replaced = diagonal + (a[i - 1] != b[j - 1]);
            diagonal = row[j];
            const int added = row[j - 1] + 1, removed = row[j] + 1;
            row[j] = replaced < added ? replaced : added;
            row[j] = row[j] < removed ? row[j] : removed;
        }
    }
    return row[length];
}

/* The key or section nearest to a mistyped path: a path of as many parts, which for a section is cut short.
 */
static void nearest_key(const char *path, char *nearest, size_t bytes)
{
    int parts = 1, best = 1 << 20;
    for (const char *dot = strchr(path, '.'); dot; dot = strchr(dot + 1, '.'))
        parts++;
    for (size_t i = 0; i < config_key_count; i++) {
        char candidate[64];
        snprintf(candidate, sizeof candidate, "%s", config_keys[i].path);
        char *cut = candidate;
        for (int part = 0; cut && part < parts; part++)
            cut = strchr(cut + (part > 0), '.');
        if (cut)
            *cut = '\0';
        const int d = strlen(path) < 64 ? distance(path, candidate) : 1 << 19;
        if (d < best) {
            best = d;
            snprintf(nearest, bytes, "%s", candidate);
        }
    }
}

static int unknown_key(const char *path, const char *where, struct err *err)
{
    char nearest[64];
    nearest_key(path, nearest, sizeof nearest);
    return err_set(err, "unknown key '%.200s'%s; did you mean '%s'?", path, where, nearest);
}

/* " at line N" where there is a file. */
static const char *place(char *text, size_t bytes, const char *json, const char *path)
{
    const int line = json ? json_line_of(json, path) : 0;
    text[0] = '\0';
    if (line > 0) /* in a list it is not known */
        snprintf(text, bytes, " at line %d", line);
    return text;
}

/* ---- setting one value ---- */

static int range_error(const struct key *key, const char *where, double value, struct err *err)
{
    if (key->type == KEY_REAL)
        return err_set(err, "config key '%s'%s is %g, out of range %g to %g", key->path, where, value,
                       key->min, key->max);
    return err_set(err, "config key '%s'%s is %.0f, out of range %.0f to %.0f", key->path, where, value,
                   key->min, key->max);
}

static int set_number(struct config *config, const struct key *key, double value, const char *where,
                      struct err *err)
{
    if (key->type != KEY_REAL && value != floor(value))
        return err_set(err, "config key '%s'%s must be a whole number, not %g", key->path, where, value);
    if (!(value >= key->min && value <= key->max))
        return range_error(key, where, value, err);
    if (key->type == KEY_REAL)
        *(double *)config_field(config, key) = value;
    else if (key->type == KEY_SEED)
        *(int64_t *)config_field(config, key) = (int64_t)value;
    else
        *(int *)config_field(config, key) = (int)value;
    return 0;
}

static bool is_utf8(const char *text)
{
    const size_t bytes = strlen(text);
    return utf8_check(text, bytes) == bytes;
}

static int set_string(struct config *config, const struct key *key, const char *text, const char *base,
                      const char *where, struct err *err)
{
    if (key->type == KEY_PATH) {
        if (!*text)
            return err_set(err, "config key '%s'%s is empty where a path is needed", key->path, where);
        char **field = config_field(config, key);
        char *joined = strcmp(text, "-") ? path_join(base, text) : xstrdup(text);
        free(*field);
        *field = strcmp(text, "-") ? path_absolute(joined) : xstrdup(text);
        free(joined);
        return 0;
    }
    if (key->type == KEY_WORD) {
        if (!is_utf8(text))
            return err_set(err, "config key '%s'%s is not valid UTF-8", key->path, where);
        if (!*text || strpbrk(text, " \t\r\n\v\f"))
            return err_set(err, "config key '%s'%s is '%s' where one word is needed", key->path, where, text);
        char **field = config_field(config, key);
        free(*field);
        *field = xstrdup(text);
        return 0;
    }
    const int index = choice_index(key->choices, text);
    if (index < 0)
        return err_set(err, "config key '%s'%s is '%s' where one of %s is needed", key->path, where, text,
                       key->choices);
    *(int *)config_field(config, key) = index;
    return 0;
}

static const char *type_name(enum key_type type)
{
    static const char *const names[] = {
        [KEY_INT] = "a whole number", [KEY_SEED] = "a whole number", [KEY_REAL] = "a number",
        [KEY_BOOL] = "true or false", [KEY_CHOICE] = "a string",     [KEY_PATH] = "a string",
        [KEY_WORD] = "a string"};
    return names[type];
}

/* From text, as a default or in --set. */
static int set_text(struct config *config, const struct key *key, const char *text, const char *base,
                    struct err *err)
{
    if (config_key_is_text(key) || key->type == KEY_CHOICE)
        return set_string(config, key, text, base, "", err);
    if (key->type == KEY_BOOL) {
        const int truth = choice_index("false|true", text);
        if (truth >= 0)
            *(bool *)config_field(config, key) = truth;
        return truth < 0 ? err_set(err, "config key '%s' must be true or false, not '%s'", key->path, text)
                         : 0;
    }
    char *end;
    errno = 0;
    const double value = strtod(text, &end);
    if (end == text || *end || errno == ERANGE || !isfinite(value))
        return err_set(err, "config key '%s' must be %s, not '%s'", key->path, type_name(key->type), text);
    return set_number(config, key, value, "", err);
}

static int set_json(struct config *config, const struct key *key, const struct json *value, const char *base,
                    const char *where, struct err *err)
{
    const enum json_kind kind = json_kind(value);
    const bool wants_string = config_key_is_text(key) || key->type == KEY_CHOICE;
    if (wants_string && kind == JSON_STRING)
        return set_string(config, key, json_string(value), base, where, err);
    if (key->type == KEY_BOOL && kind == JSON_BOOL) {
        *(bool *)config_field(config, key) = json_bool(value);
        return 0;
    }
    if (!wants_string && key->type != KEY_BOOL && kind == JSON_NUMBER)
        return set_number(config, key, json_number(value), where, err);
    return err_set(err, "config key '%s'%s must be %s, not %s", key->path, where, type_name(key->type),
                   json_kind_name(kind));
}

/* ---- whole configs ---- */

void config_init(struct config *config)
{
    memset(config, 0, sizeof *config);
    for (size_t i = 0; i < config_key_count; i++) {
        struct err err;
        if (config_keys[i].fallback && set_text(config, &config_keys[i], config_keys[i].fallback, "", &err))
            BUG("default of a config key: %s", err.text);
    }
}

static void pairs_release(struct config_pairs *pairs)
{
    free(pairs->source);
    free(pairs->target);
    free(pairs->tsv);
    free(pairs->alignment);
    free(pairs->tag);
    memset(pairs, 0, sizeof *pairs);
}

const struct config_pairs *config_train(const struct config *config, int i)
{
    const struct config_data *data = &config->data;
    return i == 0 ? &data->train : i <= data->more_count ? &data->more[i - 1] : NULL;
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

void config_release(struct config *config)
{
    for (size_t i = 0; i < config_key_count; i++)
        if (config_key_is_text(&config_keys[i]))
            free(*(char **)config_field(config, &config_keys[i]));
    for (int i = 0; i < config->data.more_count; i++)
        pairs_release(&config->data.more[i]);
    free(config->data.more);
    memset(config, 0, sizeof *config);
}

struct source {
    const char *file, *text, *dir;
};

static int take_object(struct config *config, const struct json *object, const char *prefix,
                       const struct source *source, struct err *err);

/* Training corpora: each is read as if it were the only one, and then put behind those before it. */
static int take_list(struct config *config, const struct json *list, const struct source *source,
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
                     : take_object(config, item, CONFIG_LIST, source, err);
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

static int take_object(struct config *config, const struct json *object, const char *prefix,
                       const struct source *source, struct err *err)
{
    int status = 0;
    for (const struct json *member = json_first(object); member && !status; member = json_next(member)) {
        char where[48];
        char *path = xasprintf("%s%s%s", prefix, *prefix ? "." : "", json_key(member));
        const struct key *key = config_key_find(path);
        place(where, sizeof where, source->text, path);
        if (key) {
            status = set_json(config, key, member, source->dir, where, err);
        } else if (is_section(path) && json_kind(member) == JSON_OBJECT) {
            status = take_object(config, member, path, source, err);
        } else if (!strcmp(path, CONFIG_LIST) && json_kind(member) == JSON_ARRAY) {
            status = take_list(config, member, source, err);
        } else if (is_section(path)) {
            status = err_set(err, "config key '%s'%s must be an object, not %s", path, where,
                             json_kind_name(json_kind(member)));
        } else {
            status = unknown_key(path, where, err);
        }
        free(path);
    }
    return status;
}

int config_load(struct config *config, const char *path, struct err *err)
{
    struct strbuf text;
    strbuf_init(&text);
    int status = -1;
    char *dir = path_dir(path);
    struct json *root = file_slurp(&text, path, err) ? NULL : json_parse(text.text, text.length, path, err);
    if (root && json_kind(root) != JSON_OBJECT)
        err_set(err, "cannot use '%s': a config must be a JSON object, not %s", path,
                json_kind_name(json_kind(root)));
    else if (root)
        status = take_object(config, root, "", &(struct source){path, text.text, dir}, err);
    if (root && status && strncmp(err->text, "cannot", 6))
        err_set(err, "%s: %s", path, err->text);
    json_free(root);
    free(dir);
    strbuf_release(&text);
    return status;
}

int config_set(struct config *config, const char *assignment, struct err *err)
{
    const char *equals = strchr(assignment, '=');
    if (!equals)
        return err_set(err, "'%s' is not an assignment such as training.learning_rate=0.001", assignment);
    char *path = xstrndup(assignment, (size_t)(equals - assignment));
    const struct key *key = config_key_find(path);
    int status;
    if (key) {
        status = set_text(config, key, equals + 1, "", err);
    } else if (is_section(path)) {
        status = err_set(err, "config key '%s' is an object: set the keys in it, one by one", path);
    } else {
        status = unknown_key(path, "", err);
    }
    free(path);
    return status;
}

static int check_pairs(const struct config_pairs *pairs, const char *name, bool needed, struct err *err)
{
    if (pairs->tsv && (pairs->source || pairs->target))
        return err_set(err, "config key 'data.%s' has both 'tsv' and 'source' or 'target'", name);
    if (!pairs->source != !pairs->target)
        return err_set(err, "config key 'data.%s' has '%s' but no '%s'", name,
                       pairs->source ? "source" : "target", pairs->source ? "target" : "source");
    if (needed && !pairs->tsv && !pairs->source)
        return err_set(err, "config key 'data.%s' is missing: name 'source' and 'target', or 'tsv'", name);
    return 0;
}

/* A loss that pulls the attention to right alignments, and those, need each other. */
static int check_guides(const struct config *config, struct err *err)
{
    bool aligned = false;
    for (int i = 0; config_train(config, i); i++)
        aligned |= config_train(config, i)->alignment != NULL;
    if (aligned != (config->training.guided_alignment > 0))
        return err_set(err, "'training.guided_alignment' and 'data.train.alignment' need each other");
    return 0;
}

/* The most that weight decay may take of a weight with each update: more, and nothing is kept long enough to
 * be learned. */
#define MOST_DECAY 0.02

static int check_training(const struct config *config, struct err *err)
{
    const struct config_training *t = &config->training;
    const bool validated = config->data.valid.source || config->data.valid.tsv;
    const bool ends = t->max_epochs || t->max_updates || t->max_minutes > 0;
    const double decay = t->learning_rate * t->weight_decay;
    if (t->tune && !validated)
        return err_set(err, "config key 'training.tune' needs 'data.valid'");
    if (t->schedule == SCHEDULE_COSINE && !ends)
        return err_set(err, "config key 'training.schedule' cosine needs an end: 'max_epochs', 'max_updates' "
                            "or 'max_minutes'");
    if (t->cooldown > 0 && !ends && !(t->patience && validated))
        return err_set(err, "config key 'training.cooldown' needs an end: 'max_epochs', 'max_updates', "
                            "'max_minutes', or 'patience' and 'data.valid'");
    if (!t->batch_sentences == !t->batch_tokens)
        return err_set(
            err, "exactly one of 'training.batch_sentences' and 'training.batch_tokens' must be above 0");
    if (decay > MOST_DECAY)
        return err_set(
            err,
            "'training.weight_decay' %g at a 'training.learning_rate' of %g would take %g of every "
            "weight with each update, and nothing would be learned: %g is the most",
            t->weight_decay, t->learning_rate, decay, MOST_DECAY / t->learning_rate);
    return 0;
}

/* A config, a log and a report with other paths in them would be no JSON and no HTML. */
static int check_utf8(const struct config *config, struct err *err)
{
    for (size_t i = 0; i < config_key_count; i++) {
        const struct key *key = &config_keys[i];
        const char *text = config_key_is_text(key) ? *(char *const *)config_const_field(config, key) : NULL;
        if (text && !is_utf8(text))
            return err_set(err, "config key '%s' is not valid UTF-8", key->path);
    }
    const char *path;
    for (int i = 0; (path = config_train_file(config, i)) != NULL; i++)
        if (!is_utf8(path))
            return err_set(err, "config key '" CONFIG_LIST "' has a path that is not valid UTF-8");
    return 0;
}

int config_check(const struct config *config, struct err *err)
{
    if (!config->model_dir)
        return err_set(err, "config key 'model_dir' is missing");
    if (check_utf8(config, err))
        return -1;
    for (int i = 0; config_train(config, i); i++)
        if (check_pairs(config_train(config, i), "train", true, err))
            return -1;
    if (check_pairs(&config->data.valid, "valid", false, err) ||
        check_pairs(&config->data.test, "test", false, err))
        return -1;
    if (config->model.tie == TIE_ALL && !config->text.joint && config->text.subword == SUBWORD_BPE)
        return err_set(err, "config key 'model.tie' is 'all', which needs 'text.joint': true");
    if (check_guides(config, err) || check_training(config, err))
        return -1;
    return 0;
}
