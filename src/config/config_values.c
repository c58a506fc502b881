/* Sets one config key from text (a default, --set) or JSON, and checks its type and range. Checks over
 * several keys are in config_check.c. */
#include "config_values.h"

#include "fileio.h"
#include "language_tag.h"
#include "mem.h"
#include "names.h"
#include "number.h"
#include "utf8_check.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

struct place place_of(const struct origin *origin, const char *path)
{
    struct place place = {""};
    const char *last = strrchr(path, '.');
    int earlier = 0; /* earlier items of the list that have the key */
    for (const struct json *item = origin->list ? json_first(origin->list) : NULL; item != origin->item;
         item = json_next(item))
        earlier += last && json_member(item, last + 1);
    const int line = origin->text ? json_line_of(origin->text, path, earlier) : 0;
    if (line > 0)
        snprintf(place.text, sizeof place.text, " at line %d", line);
    return place;
}

static const char *type_name(enum key_type type)
{
    static const char *const names[] = {[KEY_INT] = "a whole number",
                                        [KEY_SEED] = "a whole number",
                                        [KEY_REAL] = "a number",
                                        [KEY_BOOL] = "true or false",
                                        [KEY_CHOICE] = "a string",
                                        [KEY_PATH] = "a string",
                                        [KEY_WORD] = "a string",
                                        [KEY_LANGUAGE] = "a string",
                                        [KEY_SET] = "true, false or a list of names"};
    return names[type];
}

/* What a value must be, for messages. */
struct wanted {
    char text[64];
};
static struct wanted wanted_of(const struct key *key)
{
    struct wanted wanted;
    const bool or_auto = config_key_may_be_auto(key);
    if (or_auto && key->type == KEY_BOOL)
        snprintf(wanted.text, sizeof wanted.text, "true, false or auto");
    else
        snprintf(wanted.text, sizeof wanted.text, "%s%s", type_name(key->type), or_auto ? " or auto" : "");
    return wanted;
}

static int wrong_word(const struct key *key, const char *text, const struct origin *origin, struct err *err)
{
    return err_set(err, "config key '%s'%s must be %s, not '%s'", key->path, place_of(origin, key->path).text,
                   wanted_of(key).text, text);
}

static int range_error(const struct key *key, const char *where, double value, struct err *err)
{
    if (key->type == KEY_REAL)
        return err_set(err, "config key '%s'%s is %.15g, out of range %.15g to %.15g", key->path, where,
                       value, key->min, key->max);
    return err_set(err, "config key '%s'%s is %.0f, out of range %.0f to %.0f", key->path, where, value,
                   key->min, key->max);
}

static int set_number(struct config *config, const struct key *key, double value, const struct origin *origin,
                      struct err *err)
{
    if (key->type != KEY_REAL && value != floor(value))
        return err_set(err, "config key '%s'%s must be %s, not %.15g", key->path,
                       place_of(origin, key->path).text, wanted_of(key).text, value);
    if (!(value >= key->min && value <= key->max))
        return range_error(key, place_of(origin, key->path).text, value, err);
    if (key->type == KEY_REAL)
        *(double *)config_field(config, key) = value;
    else if (key->type == KEY_SEED)
        *(int64_t *)config_field(config, key) = (int64_t)value;
    else
        *(int *)config_field(config, key) = (int)value;
    return 0;
}

char *model_dir_absolute(const char *path)
{
    size_t length = strlen(path);
    while (length > 1 && path[length - 1] == '/')
        length--;
    char *given = xstrndup(path, length), *dir = path_dir(given), *absolute = path_absolute(dir);
    const char *name = path_base(given);
    const bool stays =
        *name && strcmp(name, ".") != 0 && strcmp(name, "..") != 0 && strcmp(name, "latest") != 0;
    char *place = stays ? path_join(absolute, name) : path_absolute(given);
    xfree(absolute);
    xfree(dir);
    xfree(given);
    return place;
}

static int set_path(struct config *config, const struct key *key, const char *text,
                    const struct origin *origin, struct err *err)
{
    if (!*text)
        return err_set(err, "config key '%s'%s is empty where a path is needed", key->path,
                       place_of(origin, key->path).text);
    char **field = config_field(config, key);
    char *joined = strcmp(text, "-") ? path_join(origin->dir, text) : xstrdup(text);
    char *path = !strcmp(text, "-")            ? xstrdup(text)
                 : field == &config->model_dir ? model_dir_absolute(joined)
                                               : path_absolute(joined);
    xfree(joined);
    xfree(*field);
    *field = path;
    return 0;
}

/* Does the vocabulary have the word anyhow, for a mark or a placeholder (placeholder.h)? */
static bool is_reserved(const char *word)
{
    static const char open[] = "\xef\xbd\x9f"; /* U+FF5F */
    const size_t bytes = sizeof open - 1;
    return names_index("<s>|</s>|<unk>", word) >= 0 ||
           (!strncmp(word, open, bytes) && word[bytes] >= '0' && word[bytes] <= '9');
}

static int set_word(struct config *config, const struct key *key, const char *text,
                    const struct origin *origin, struct err *err)
{
    if (!utf8_valid(text))
        return err_set(err, "config key '%s'%s is not valid UTF-8", key->path,
                       place_of(origin, key->path).text);
    const bool none = !*text && config_key_in_section(key, "decoding"); /* takes away what the model has */
    if ((!*text && !none) || strpbrk(text, " \t\r\n\v\f"))
        return err_set(err, "config key '%s'%s is '%s' where one word is needed", key->path,
                       place_of(origin, key->path).text, text);
    if (is_reserved(text))
        return err_set(err, "config key '%s'%s is '%s', which stands for something else in vocabularies",
                       key->path, place_of(origin, key->path).text, text);
    char **field = config_field(config, key);
    char *word = none ? NULL : xstrdup(text);
    xfree(*field);
    *field = word;
    return 0;
}

static int set_language(struct config *config, const struct key *key, const char *text,
                        const struct origin *origin, struct err *err)
{
    if (!language_tag_valid(text))
        return err_set(err,
                       "config key '%s'%s is '%s' where a language is needed, such as en or pt-BR (BCP 47)",
                       key->path, place_of(origin, key->path).text, text);
    char **field = config_field(config, key);
    xfree(*field);
    *field = xstrdup(text);
    return 0;
}

static int set_choice(struct config *config, const struct key *key, const char *text,
                      const struct origin *origin, struct err *err)
{
    const int index = names_index(key->choices, text);
    if (index < 0)
        return err_set(err, "config key '%s'%s is '%s' where one of %s%s is needed", key->path,
                       place_of(origin, key->path).text, text, config_key_may_be_auto(key) ? "auto|" : "",
                       key->choices);
    *(unsigned *)config_field(config, key) = (unsigned)index;
    return 0;
}

/* Adds a name to a set. */
static int add_to_set(unsigned *set, const struct key *key, const char *name, const struct origin *origin,
                      struct err *err)
{
    const int index = names_index(key->choices, name);
    if (index < 0)
        return err_set(err, "config key '%s'%s has '%s' where one of %s is needed", key->path,
                       place_of(origin, key->path).text, name, key->choices);
    *set |= 1u << index;
    return 0;
}

/* "true", "false", or names with commas between them. */
static int set_set(struct config *config, const struct key *key, const char *text,
                   const struct origin *origin, struct err *err)
{
    const int truth = names_index("false|true", text);
    unsigned set = truth > 0 ? key->truth : 0;
    for (const char *at = text; at && truth < 0;) {
        const char *comma = strchr(at, ',');
        char *name = comma ? xstrndup(at, (size_t)(comma - at)) : xstrdup(at);
        const int status = add_to_set(&set, key, name, origin, err);
        xfree(name);
        if (status)
            return status;
        at = comma ? comma + 1 : NULL;
    }
    *(unsigned *)config_field(config, key) = set;
    return 0;
}

static int set_list(struct config *config, const struct key *key, const struct json *list,
                    const struct origin *origin, struct err *err)
{
    unsigned set = 0;
    for (const struct json *item = json_first(list); item; item = json_next(item)) {
        if (json_kind(item) != JSON_STRING)
            return err_set(err, "config key '%s'%s must be %s, not a list of %s", key->path,
                           place_of(origin, key->path).text, type_name(key->type),
                           json_kind_name(json_kind(item)));
        if (add_to_set(&set, key, json_string(item), origin, err))
            return -1;
    }
    *(unsigned *)config_field(config, key) = set;
    return 0;
}

static int set_string(struct config *config, const struct key *key, const char *text,
                      const struct origin *origin, struct err *err)
{
    return key->type == KEY_PATH       ? set_path(config, key, text, origin, err)
           : key->type == KEY_WORD     ? set_word(config, key, text, origin, err)
           : key->type == KEY_LANGUAGE ? set_language(config, key, text, origin, err)
                                       : set_choice(config, key, text, origin, err);
}

static bool is_string(const struct key *key)
{
    return config_key_is_text(key) || key->type == KEY_CHOICE;
}

static int set_text(struct config *config, const struct key *key, const char *text,
                    const struct origin *origin, struct err *err)
{
    if (is_string(key))
        return set_string(config, key, text, origin, err);
    if (key->type == KEY_SET)
        return set_set(config, key, text, origin, err);
    if (key->type == KEY_BOOL) {
        const int truth = names_index("false|true", text);
        if (truth >= 0)
            *(bool *)config_field(config, key) = truth;
        return truth < 0 ? wrong_word(key, text, origin, err) : 0;
    }
    double value;
    if (number_read(&value, text))
        return wrong_word(key, text, origin, err);
    return set_number(config, key, value, origin, err);
}

static int set_json(struct config *config, const struct key *key, const struct json *value,
                    const struct origin *origin, struct err *err)
{
    const enum json_kind kind = json_kind(value);
    if (is_string(key) && kind == JSON_STRING)
        return set_string(config, key, json_string(value), origin, err);
    if (key->type == KEY_BOOL && kind == JSON_BOOL) {
        *(bool *)config_field(config, key) = json_bool(value);
        return 0;
    }
    if (key->type == KEY_SET && kind == JSON_BOOL)
        return set_set(config, key, json_bool(value) ? "true" : "false", origin, err);
    if (key->type == KEY_SET && kind == JSON_ARRAY)
        return set_list(config, key, value, origin, err);
    if (!is_string(key) && key->type != KEY_BOOL && key->type != KEY_SET && kind == JSON_NUMBER)
        return set_number(config, key, json_number(value), origin, err);
    if (config_key_may_be_auto(key) && kind == JSON_STRING)
        return wrong_word(key, json_string(value), origin, err);
    return err_set(err, "config key '%s'%s must be %s, not %s", key->path, place_of(origin, key->path).text,
                   wanted_of(key).text, json_kind_name(kind));
}

/* ---- with auto ---- */

/* Is the value auto, and the key one that may be? */
static bool means_auto(const struct key *key, const char *text)
{
    return text && !strcmp(text, "auto") && config_key_may_be_auto(key);
}

/* Notes whether the key is auto; `status` is that of setting it. */
static int note_auto(struct config *config, const struct key *key, bool automatic, int status)
{
    const unsigned bit = config_key_auto_bit(key);
    if (!status)
        config->automatic = automatic ? config->automatic | bit : config->automatic & ~bit;
    return status;
}

int config_set_text(struct config *config, const struct key *key, const char *text,
                    const struct origin *origin, struct err *err)
{
    const bool automatic = means_auto(key, text);
    return note_auto(config, key, automatic, automatic ? 0 : set_text(config, key, text, origin, err));
}

int config_set_json(struct config *config, const struct key *key, const struct json *value,
                    const struct origin *origin, struct err *err)
{
    const bool automatic = means_auto(key, json_kind(value) == JSON_STRING ? json_string(value) : NULL);
    return note_auto(config, key, automatic, automatic ? 0 : set_json(config, key, value, origin, err));
}
