/* Prints configs as JSON, and the table of keys as help text, Markdown and JSON Schema. */
#include "config_auto.h"
#include "config_keys.h"
#include "fileio.h"
#include "json.h"
#include "mem.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Adds a path, relative to `dir` if one is given. */
static void print_path(const char *path, const char *dir, struct json *object, const char *name)
{
    if (!path)
        return;
    char *relative = dir ? path_relative(path, dir) : NULL;
    json_set_string(object, name, relative ? relative : path);
    xfree(relative);
}

/* Adds the names of a set, or false for none. */
static void print_set(unsigned set, const char *choices, struct json *object, const char *name)
{
    const char *names[MOST_OF_SET];
    struct choice chosen[MOST_OF_SET];
    int count = 0;
    for (unsigned i = 0; i < MOST_OF_SET; i++)
        if (set >> i & 1) {
            chosen[count] = choice_name(choices, i);
            names[count] = chosen[count].name;
            count++;
        }
    if (count)
        json_set_strings(object, name, names, count);
    else
        json_set_bool(object, name, false);
}

static void print_value(const struct config *config, const struct key *key, const char *dir,
                        struct json *object, const char *name)
{
    const void *field = config_const_field(config, key);
    if (config_key_is_auto(config, key)) {
        json_set_string(object, name, "auto");
        return;
    }
    switch (key->type) {
    case KEY_INT:
        json_set_number(object, name, *(const int *)field);
        break;
    case KEY_SEED:
        json_set_number(object, name, (double)*(const int64_t *)field);
        break;
    case KEY_REAL:
        json_set_number(object, name, *(const double *)field);
        break;
    case KEY_BOOL:
        json_set_bool(object, name, *(const bool *)field);
        break;
    case KEY_CHOICE:
        json_set_string(object, name, choice_name(key->choices, *(const unsigned *)field).name);
        break;
    case KEY_SET:
        print_set(*(const unsigned *)field, key->choices, object, name);
        break;
    case KEY_PATH:
        print_path(*(char *const *)field, dir, object, name);
        break;
    case KEY_WORD:
    case KEY_LANGUAGE:
        if (*(char *const *)field)
            json_set_string(object, name, *(char *const *)field);
        break;
    }
}

char *config_value(const struct config *config, const struct key *key)
{
    struct json *object = json_new_object();
    print_value(config, key, NULL, object, key->path);
    const struct json *value = json_member(object, key->path);
    char *printed = NULL;
    if (value) {
        struct strbuf text;
        strbuf_init(&text);
        json_print(value, false, &text);
        printed = strbuf_detach(&text);
    }
    json_free(object);
    return printed;
}

/* The object that holds the key's last part, created where it is missing; *name becomes that last part. */
static struct json *descend(struct json *root, const char *path, const char *between, const char **name)
{
    struct json *object = root;
    for (const char *dot = strchr(path, '.'); dot; path = dot + 1, dot = strchr(path, '.')) {
        char section[64];
        snprintf(section, sizeof section, "%.*s", (int)(dot - path), path);
        object = json_set_object(object, section);
        if (between) {
            if (!json_member(object, "type")) {
                json_set_string(object, "type", "object");
                json_set_bool(object, "additionalProperties", false);
            }
            object = json_set_object(object, between);
        }
    }
    *name = path;
    return object;
}

/* Adds all training corpora as member "train" of `data`. */
static void print_list(const struct config *config, const char *dir, struct json *data)
{
    for (int c = 0; config_train(config, c); c++) {
        struct config one = *config;
        struct json *object = json_append_object(data, "train");
        one.data.train = *config_train(config, c);
        for (size_t i = 0; i < config_key_count; i++)
            if (config_key_in_list(&config_keys[i]))
                print_value(&one, &config_keys[i], dir, object, config_keys[i].path + sizeof CONFIG_LIST);
    }
}

void config_print_from(const struct config *config, const char *dir, struct strbuf *out)
{
    struct json *root = json_new_object();
    for (size_t i = 0; i < config_key_count; i++) {
        if (config_keys[i].retired || (config->data.more_count && config_key_in_list(&config_keys[i])))
            continue;
        const char *name;
        struct json *object = descend(root, config_keys[i].path, NULL, &name);
        print_value(config, &config_keys[i], dir, object, name);
    }
    if (config->data.more_count)
        print_list(config, dir, json_set_object(root, "data"));
    json_print(root, true, out);
    json_free(root);
}

static bool has_tags(const struct config *config)
{
    bool has = false;
    for (int c = 0; config_train(config, c); c++)
        has |= config_train(config, c)->tag != NULL;
    return has;
}

/* Adds the corpora with nothing but their tags, which translation leaves whole. */
static void print_tags(const struct config *config, struct json *root)
{
    for (int c = 0; has_tags(config) && config_train(config, c); c++) {
        struct json *corpus = json_append_object(json_set_object(root, "data"), "train");
        if (config_train(config, c)->tag)
            json_set_string(corpus, "tag", config_train(config, c)->tag);
    }
}

void config_print_packed(const struct config *config, struct strbuf *out)
{
    struct json *root = json_new_object();
    for (size_t i = 0; i < config_key_count; i++) {
        const struct key *key = &config_keys[i];
        const bool given = !config_key_is_text(key) || *(char *const *)config_const_field(config, key);
        if (!config_key_is_packed(key) || key->retired || !given)
            continue;
        const char *name;
        struct json *object = descend(root, key->path, NULL, &name);
        print_value(config, key, NULL, object, name);
    }
    print_tags(config, root);
    json_print(root, true, out);
    json_free(root);
}

void config_print(const struct config *config, struct strbuf *out)
{
    config_print_from(config, NULL, out);
}

int config_save(const struct config *config, const char *path, struct err *err)
{
    struct strbuf text;
    strbuf_init(&text);
    config_print(config, &text);
    const int status = file_replace(path, text.text, text.length, err);
    strbuf_release(&text);
    return status;
}

#define MOST_RANGE 160

/* Are its values a list of names? */
static bool is_listed(const struct key *key)
{
    return key->type == KEY_CHOICE || key->type == KEY_BOOL;
}

/* With blanks, unlike a choice, so that lines can be broken. */
static void describe_set(const struct key *key, char *text, size_t bytes)
{
    size_t at = (size_t)snprintf(text, bytes, "true|false|a list of ");
    for (const char *c = key->choices; *c && at + 3 < bytes; c++) {
        text[at++] = *c == '|' ? ',' : *c;
        if (*c == '|')
            text[at++] = ' ';
    }
    text[at] = '\0';
}

static void describe_range(const struct key *key, char *text, size_t bytes)
{
    const char *automatic = config_key_may_be_auto(key) ? "auto|" : "";
    if (key->type == KEY_CHOICE)
        snprintf(text, bytes, "%s%s", automatic, key->choices);
    else if (key->type == KEY_BOOL)
        snprintf(text, bytes, "%strue|false", automatic);
    else if (key->type == KEY_SET)
        describe_set(key, text, bytes);
    else if (key->type == KEY_PATH)
        snprintf(text, bytes, "path");
    else if (key->type == KEY_WORD)
        snprintf(text, bytes, "word");
    else if (key->type == KEY_LANGUAGE)
        snprintf(text, bytes, "language");
    else
        snprintf(text, bytes, "%.15g to %.15g", key->min, key->max);
}

/* The same for a key by itself, where numbers have no words before them. */
static void describe_values(const struct key *key, char *text, size_t bytes)
{
    const bool prefixed = config_key_may_be_auto(key) && !is_listed(key);
    const int used = snprintf(text, bytes, "%s", prefixed ? "auto, " : "");
    describe_range(key, text + used, bytes - (size_t)used);
}

static bool is_truth(const struct key *key)
{
    return key->type == KEY_BOOL || key->type == KEY_SET;
}

static const char *offered_choices(const struct key *key)
{
    if (!config_key_may_be_auto(key))
        return is_truth(key) ? "true|false" : key->choices;
    return key->type == KEY_BOOL ? "auto|true|false" : key->choices_or_auto;
}

bool config_key_describe(struct config_key_info *info, size_t i)
{
    const struct key *key = config_keys, *const end = key + config_key_count;
    for (;; key++) {
        if (key == end)
            return false;
        if (!key->retired && i-- == 0)
            break;
    }
    char range[MOST_RANGE];
    describe_range(key, range, sizeof range);
    *info = (struct config_key_info){.path = key->path,
                                     .help = key->help,
                                     .fallback = key->fallback,
                                     .choices = offered_choices(key),
                                     .is_path = key->type == KEY_PATH,
                                     .kept_on_resume = key->kept_on_resume};
    const char *kind = key->type == KEY_REAL                           ? "a number from "
                       : key->type == KEY_INT || key->type == KEY_SEED ? "a whole number from "
                       : is_truth(key) || key->type == KEY_CHOICE      ? ""
                                                                       : "a ";
    snprintf(info->values, sizeof info->values, "%s%s%s",
             config_key_may_be_auto(key) && !is_listed(key) ? "auto, or " : "", kind, range);
    return true;
}

static void print_plain(struct strbuf *out, const struct key *key, const char *range)
{
    const char *fallback = key->fallback ? key->fallback : "";
    strbuf_addf(out, "  %-32s %s\n  %-32s   %s%s%s\n", key->path, key->help, "", range,
                *fallback ? ", default " : "", fallback);
}

/* Length of the key's section: "model" of "model.encoder.units", "" of "seed". */
static size_t section_bytes(const struct key *key)
{
    const char *dot = strchr(key->path, '.');
    return dot ? (size_t)(dot - key->path) : 0;
}

/* Prints the head of a table where the key opens a new section. */
static void print_table_head(struct strbuf *out, const struct key *key)
{
    const size_t bytes = section_bytes(key);
    if (key > config_keys && bytes == section_bytes(key - 1) && !strncmp(key[-1].path, key->path, bytes))
        return;
    if (bytes)
        strbuf_addf(out, "\n## %.*s\n\n", (int)bytes, key->path);
    strbuf_adds(out, "| key | default | values | meaning |\n|---|---|---|---|\n");
}

static void print_row(struct strbuf *out, const struct key *key, const char *range)
{
    print_table_head(out, key);
    strbuf_addf(out, "| `%s` | %s | ", key->path, key->fallback ? key->fallback : "");
    for (const char *c = range; *c; c++)
        if (*c == '|')
            strbuf_adds(out, ", ");
        else
            strbuf_addch(out, *c);
    strbuf_adds(out, " | ");
    for (const char *c = key->help; *c; c++) {
        if (*c == '<') /* else it would begin an HTML tag */
            strbuf_addch(out, '\\');
        strbuf_addch(out, *c);
    }
    strbuf_adds(out, " |\n");
}

void config_print_help(struct strbuf *out, bool markdown)
{
    for (size_t i = 0; i < config_key_count; i++) {
        char range[MOST_RANGE];
        if (config_keys[i].retired)
            continue;
        describe_values(&config_keys[i], range, sizeof range);
        (markdown ? print_row : print_plain)(out, &config_keys[i], range);
    }
    strbuf_adds(out, markdown
                         ? "\n## auto\n\nWhat a key becomes that is auto, by the number of training pairs; a "
                           "corpus counts as often as its weight says.\n\n"
                         : "\n");
    config_auto_print(out, markdown);
}

/* The type of a value in JSON Schema; a set has two. */
static const char *type_of(const struct key *key)
{
    static const char *const types[] = {
        [KEY_INT] = "integer",   [KEY_SEED] = "integer", [KEY_REAL] = "number", [KEY_BOOL] = "boolean",
        [KEY_CHOICE] = "string", [KEY_PATH] = "string",  [KEY_WORD] = "string", [KEY_LANGUAGE] = "string"};
    return types[key->type];
}

static void schema_of_set(const struct key *key, struct json *schema)
{
    const char *const types[] = {"boolean", "array"};
    json_set_strings(schema, "type", types, 2);
    char *pattern = xasprintf("^(%s)$", key->choices);
    struct json *items = json_set_object(schema, "items");
    json_set_string(items, "type", "string");
    json_set_string(items, "pattern", pattern);
    json_set_bool(schema, "default", !strcmp(key->fallback, "true"));
    xfree(pattern);
}

/* A value that may also be the word auto. */
static void schema_or_auto(const struct key *key, struct json *schema)
{
    const bool choice = key->type == KEY_CHOICE;
    char *pattern = xasprintf("^(%s)$", choice ? key->choices_or_auto : "auto");
    if (choice)
        json_set_string(schema, "type", type_of(key));
    else
        json_set_strings(schema, "type", (const char *const[]){type_of(key), "string"}, 2);
    json_set_string(schema, "description", key->help);
    json_set_string(schema, "pattern", pattern);
    if (key->type == KEY_INT || key->type == KEY_REAL) {
        json_set_number(schema, "minimum", key->min);
        json_set_number(schema, "maximum", key->max);
    }
    json_set_string(schema, "default", key->fallback);
    xfree(pattern);
}

static void schema_of(const struct key *key, struct json *schema)
{
    if (config_key_may_be_auto(key)) {
        schema_or_auto(key, schema);
        return;
    }
    if (key->type == KEY_SET)
        schema_of_set(key, schema);
    else
        json_set_string(schema, "type", type_of(key));
    json_set_string(schema, "description", key->help);
    if (key->type == KEY_INT || key->type == KEY_SEED || key->type == KEY_REAL) {
        json_set_number(schema, "minimum", key->min);
        json_set_number(schema, "maximum", key->max);
        json_set_number(schema, "default", strtod(key->fallback, NULL));
    } else if (key->type == KEY_BOOL) {
        json_set_bool(schema, "default", !strcmp(key->fallback, "true"));
    } else if (key->type == KEY_CHOICE) {
        char *pattern = xasprintf("^(%s)$", key->choices);
        json_set_string(schema, "pattern", pattern);
        json_set_string(schema, "default", key->fallback);
        xfree(pattern);
    }
}

void config_print_schema(struct strbuf *out)
{
    struct json *root = json_new_object();
    json_set_string(root, "$schema", "https://json-schema.org/draft/2020-12/schema");
    json_set_string(root, "title", "nmt config");
    json_set_string(root, "type", "object");
    json_set_bool(root, "additionalProperties", false);
    struct json *properties = json_set_object(root, "properties");
    json_set_string(json_set_object(properties, "$schema"), "type", "string");
    for (size_t i = 0; i < config_key_count; i++) {
        const char *name;
        if (config_keys[i].retired)
            continue;
        struct json *object = descend(properties, config_keys[i].path, "properties", &name);
        schema_of(&config_keys[i], json_set_object(object, name));
    }
    const char *name;
    struct json *data = descend(properties, CONFIG_LIST, "properties", &name),
                *list = json_set_object(data, name);
    const char *const types[] = {"object", "array"};
    json_set_strings(list, "type", types, 2);
    json_set_string(json_set_object(list, "items"), "$ref", "#/properties/data/properties/train");
    json_print(root, true, out);
    json_free(root);
}
