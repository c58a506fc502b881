/* Wraps cJSON: strict parsing, typed access to members, printing. The meaning of a file's keys is up to
 * its reader. */
#include "json.h"

#include "mem.h"
#include "mem_guard.h"
#include "strmap.h"

#include <cjson/cJSON.h>
#include <errno.h>
#include <string.h>

/* `struct json` is never defined: a value is cJSON's own, seen through an opaque name. */
static const cJSON *in(const struct json *value)
{
    return (const cJSON *)(const void *)value;
}

static cJSON *in_mutable(struct json *value)
{
    return (cJSON *)(void *)value;
}

static struct json *out_mutable(cJSON *value)
{
    return (struct json *)(void *)value;
}

static const struct json *out(const cJSON *value)
{
    return (const struct json *)(const void *)value;
}

/* ---- memory ---- */

static cJSON *check_allocated(cJSON *made)
{
    if (!made)
        mem_exhausted(1, sizeof *made);
    return made;
}

static void let_go(void *value)
{
    cJSON_Delete(value);
}

/* A value that has no parent, or not yet. */
static cJSON *root_begin(cJSON *made)
{
    mem_track(check_allocated(made), let_go);
    return made;
}

static void root_end(cJSON *root)
{
    mem_untrack(root);
    cJSON_Delete(root);
}

/* ---- the line of a key ---- */

/* A walk over text that cJSON has accepted. */
struct walk {
    const char *at;
    int line;
    const char *wanted; /* dotted path */
    int skip;           /* occurrences to pass over */
    int found;          /* line of the key, 0 until found */
    struct strbuf path;
};

/* cJSON skips every control character as white space. */
static bool is_blank(char c)
{
    return c && (unsigned char)c <= ' ';
}

static void skip_blanks(struct walk *walk)
{
    for (; is_blank(*walk->at); walk->at++)
        walk->line += *walk->at == '\n';
}

/* Keys are compared in their escaped form: none of ours needs escapes. */
static const char *skip_string(struct walk *walk)
{
    const char *begin = ++walk->at;
    for (; *walk->at && *walk->at != '"'; walk->at++) {
        if (*walk->at == '\\' && walk->at[1])
            walk->at++;
        walk->line += *walk->at == '\n';
    }
    if (*walk->at)
        walk->at++;
    return begin;
}

static void walk_value(struct walk *walk);

static void walk_members(struct walk *walk, bool object)
{
    const char close = object ? '}' : ']';
    walk->at++;
    for (skip_blanks(walk); *walk->at && *walk->at != close && !walk->found; skip_blanks(walk)) {
        const size_t outer = walk->path.length;
        if (object) {
            const int line = walk->line;
            const char *key = skip_string(walk);
            if (outer)
                strbuf_addch(&walk->path, '.');
            strbuf_add(&walk->path, key, (size_t)(walk->at - 1 - key));
            if (!strcmp(walk->path.text, walk->wanted) && walk->skip-- == 0)
                walk->found = line;
            skip_blanks(walk);
            walk->at++; /* the colon */
        }
        walk_value(walk);
        strbuf_truncate(&walk->path, outer);
        skip_blanks(walk);
        if (*walk->at == ',')
            walk->at++;
    }
    if (*walk->at)
        walk->at++;
}

static void walk_value(struct walk *walk)
{
    skip_blanks(walk);
    if (*walk->at == '{' || *walk->at == '[')
        walk_members(walk, *walk->at == '{');
    else if (*walk->at == '"')
        skip_string(walk);
    else
        while (*walk->at && !is_blank(*walk->at) && !strchr(",]}", *walk->at))
            walk->at++;
}

int json_line_of(const char *text, const char *dotted_path, int skip)
{
    struct walk walk = {.at = text, .line = 1, .wanted = dotted_path, .skip = skip};
    strbuf_init(&walk.path);
    walk_value(&walk);
    strbuf_release(&walk.path);
    return walk.found;
}

/* ---- parsing ---- */

static int line_at(const char *text, const char *at)
{
    int line = 1;
    for (; text < at; text++)
        line += *text == '\n';
    return line;
}

/* True if an object has a key twice; `path` becomes the dotted path of the first such key. */
static bool find_duplicate(const cJSON *value, struct strbuf *path)
{
    const size_t outer = path->length;
    struct strmap keys;
    bool found = false;
    strmap_init(&keys);
    for (const cJSON *child = value->child; child && !found; child = child->next) {
        strbuf_truncate(path, outer);
        if (child->string) {
            const size_t known = keys.count;
            if (outer)
                strbuf_addch(path, '.');
            strbuf_adds(path, child->string);
            strmap_intern(&keys, child->string, strlen(child->string));
            found = keys.count == known;
        }
        if (!found && child->child)
            found = find_duplicate(child, path);
    }
    if (!found)
        strbuf_truncate(path, outer);
    strmap_release(&keys);
    return found;
}

/* The first escaped NUL of a text that cJSON has accepted, or NULL. cJSON would end the string there. */
static const char *find_escaped_nul(const char *text)
{
    while ((text = strchr(text, '\\')) && strncmp(text, "\\u0000", 6) != 0)
        text += 2;
    return text;
}

/* Parses text that ends with a NUL. */
static struct json *parse(const char *text, const char *name, struct err *err)
{
    const char *stop = text;
    errno = 0;
    cJSON *value = cJSON_ParseWithOpts(text, &stop, 0);
    if (!value && errno == ENOMEM) { /* cJSON reports both in the same way */
        err_set_errno(err, "cannot parse '%s'", name);
        return NULL;
    }
    if (!value) {
        err_set(err, "cannot parse '%s': invalid JSON at line %d", name, line_at(text, stop));
        return NULL;
    }
    root_begin(value);
    stop += strspn(stop, " \t\r\n");
    if (*stop) {
        err_set(err, "cannot parse '%s': text after the end of the JSON value at line %d", name,
                line_at(text, stop));
        root_end(value);
        return NULL;
    }
    const char *nul = find_escaped_nul(text);
    if (nul) {
        err_set(err, "cannot parse '%s': NUL character at line %d", name, line_at(text, nul));
        cJSON_Delete(value);
        return NULL;
    }
    struct strbuf path;
    strbuf_init(&path);
    if (find_duplicate(value, &path)) {
        err_set(err, "cannot parse '%s': duplicate key '%s' at line %d", name, path.text,
                json_line_of(text, path.text, 1));
        root_end(value);
        value = NULL;
    }
    strbuf_release(&path);
    return out_mutable(value);
}

struct json *json_parse(const char *text, size_t bytes, const char *name, struct err *err)
{
    const char *nul = memchr(text, '\0', bytes);
    if (nul) {
        err_set(err, "cannot parse '%s': NUL byte at line %d", name, line_at(text, nul));
        return NULL;
    }
    char *ended = xstrndup(text, bytes);
    struct json *value = parse(ended, name, err);
    xfree(ended);
    return value;
}

void json_free(struct json *value)
{
    root_end(in_mutable(value));
}

/* ---- reading values ---- */

enum json_kind json_kind(const struct json *value)
{
    const cJSON *v = in(value);
    if (cJSON_IsBool(v))
        return JSON_BOOL;
    if (cJSON_IsNumber(v))
        return JSON_NUMBER;
    if (cJSON_IsString(v))
        return JSON_STRING;
    if (cJSON_IsArray(v))
        return JSON_ARRAY;
    return cJSON_IsObject(v) ? JSON_OBJECT : JSON_NULL;
}

const char *json_kind_name(enum json_kind kind)
{
    static const char *const names[] = {"null",     "true or false", "a number",
                                        "a string", "an array",      "an object"};
    return names[kind];
}

double json_number(const struct json *value)
{
    return in(value)->valuedouble;
}

const char *json_string(const struct json *value)
{
    return in(value)->valuestring;
}

bool json_bool(const struct json *value)
{
    return cJSON_IsTrue(in(value));
}

const struct json *json_member(const struct json *object, const char *key)
{
    return out(cJSON_GetObjectItemCaseSensitive(in(object), key));
}

const struct json *json_first(const struct json *value)
{
    return out(in(value)->child);
}

const struct json *json_next(const struct json *child)
{
    return out(in(child)->next);
}

const char *json_key(const struct json *child)
{
    return in(child)->string;
}

/* ---- writing ---- */

/* Gives a value to an object, or to an array where there is no key. */
static cJSON *add(cJSON *parent, const char *key, cJSON *made)
{
    cJSON *value = root_begin(made);
    if (!(key ? cJSON_AddItemToObject(parent, key, value) : cJSON_AddItemToArray(parent, value)))
        mem_exhausted(1, sizeof *value);
    mem_untrack(value);
    return value;
}

struct json *json_new_object(void)
{
    return out_mutable(root_begin(cJSON_CreateObject()));
}

void json_set_number(struct json *object, const char *key, double number)
{
    check_allocated(cJSON_AddNumberToObject(in_mutable(object), key, number));
}

void json_set_string(struct json *object, const char *key, const char *text)
{
    check_allocated(cJSON_AddStringToObject(in_mutable(object), key, text));
}

void json_set_bool(struct json *object, const char *key, bool truth)
{
    check_allocated(cJSON_AddBoolToObject(in_mutable(object), key, truth));
}

void json_set_array(struct json *object, const char *key, const double *numbers, int count)
{
    add(in_mutable(object), key, cJSON_CreateDoubleArray(numbers, count));
}

void json_set_rows(struct json *object, const char *key, const double *numbers, int rows, int columns)
{
    cJSON *array = check_allocated(cJSON_AddArrayToObject(in_mutable(object), key));
    for (int i = 0; i < rows; i++)
        add(array, NULL, cJSON_CreateDoubleArray(numbers + (size_t)i * (size_t)columns, columns));
}

struct json *json_set_object(struct json *object, const char *key)
{
    cJSON *inner = cJSON_GetObjectItemCaseSensitive(in_mutable(object), key);
    return out_mutable(inner ? inner : check_allocated(cJSON_AddObjectToObject(in_mutable(object), key)));
}

struct json *json_append_object(struct json *object, const char *key)
{
    cJSON *list = cJSON_GetObjectItemCaseSensitive(in_mutable(object), key);
    if (!list)
        list = check_allocated(cJSON_AddArrayToObject(in_mutable(object), key));
    return out_mutable(add(list, NULL, cJSON_CreateObject()));
}

void json_set_strings(struct json *object, const char *key, const char *const *texts, int count)
{
    cJSON *list = root_begin(cJSON_CreateStringArray(texts, count));
    if (!cJSON_ReplaceItemInObjectCaseSensitive(in_mutable(object), key, list) &&
        !cJSON_AddItemToObject(in_mutable(object), key, list))
        mem_exhausted(1, sizeof *list);
    mem_untrack(list);
}

void json_print(const struct json *value, bool indented, struct strbuf *buf)
{
    char *text = indented ? cJSON_Print(in(value)) : cJSON_PrintUnformatted(in(value));
    if (!text)
        mem_exhausted(1, 1);
    mem_track(text, cJSON_free);
    strbuf_adds(buf, text);
    if (indented)
        strbuf_addch(buf, '\n');
    mem_untrack(text);
    cJSON_free(text);
}
