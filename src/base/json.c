/* Wraps cJSON: strict parsing, typed access to members, printing. The line of a key is found in
 * json_key_line.c; the meaning of a file's keys is up to its reader. */
#include "json.h"

#include "mem.h"
#include "mem_guard.h"
#include "strmap.h"
#include "utf8_check.h"

#include <cjson/cJSON.h>
#include <ctype.h>
#include <errno.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
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

/* ---- parsing ---- */

static int line_at(const char *text, const char *at)
{
    int line = 1;
    for (; text < at; text++)
        line += *text == '\n';
    return line;
}

/* True if an object has a key twice; `path` becomes the dotted path of the first such key, and *number grows
 * by the keys before it. */
static bool find_duplicate(const cJSON *value, struct strbuf *path, int *number)
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
            *number += !found;
        }
        if (!found && child->child)
            found = find_duplicate(child, path, number);
    }
    if (!found)
        strbuf_truncate(path, outer);
    strmap_release(&keys);
    return found;
}

/* Does a text begin with "\u" and not with four digits? */
static bool is_broken_escape(const char *text)
{
    return text[1] == 'u' && strspn(text + 2, "0123456789abcdefABCDEF") < 4;
}

/* The first escape of a text that cJSON has accepted and reads as NUL, or NULL: that of NUL, or a broken one.
 * cJSON would end the string there. */
static const char *find_escaped_nul(const char *text)
{
    while ((text = strchr(text, '\\')) && strncmp(text, "\\u0000", 6) != 0 && !is_broken_escape(text))
        text += 2;
    return text;
}

/* The first number of a text that cJSON has accepted, but JSON does not allow, such as 01 or 1., or NULL:
 * cJSON takes what strtod does. */
static const char *find_wrong_number(const char *text)
{
    static const char digits[] = "0123456789";
    for (bool string = false; *text; text++) {
        if (*text == '"') {
            string = !string;
        } else if (string) {
            text += *text == '\\';
        } else if (*text == '-' || isdigit((unsigned char)*text)) {
            const char *whole = text + (*text == '-'), *rest = whole + strspn(whole, digits);
            if (rest == whole || (*whole == '0' && rest > whole + 1) ||
                (*rest == '.' && !isdigit((unsigned char)rest[1])))
                return text;
            text = rest + strspn(rest, "+-.eE0123456789") - 1;
        }
    }
    return NULL;
}

/* -1 if a text, of which cJSON has read the value up to `stop`, is more than JSON allows, or ambiguous. */
static int check_strictly(const cJSON *value, const char *text, const char *stop, const char *name,
                          struct err *err)
{
    stop += strspn(stop, " \t\r\n");
    if (*stop)
        return err_set(err, "cannot parse '%s': text after the end of the JSON value at line %d", name,
                       line_at(text, stop));
    const char *nul = find_escaped_nul(text), *wrong = find_wrong_number(text);
    if (nul)
        return err_set(err, "cannot parse '%s': %s at line %d", name,
                       is_broken_escape(nul) ? "invalid JSON" : "NUL character", line_at(text, nul));
    if (wrong)
        return err_set(err, "cannot parse '%s': invalid number at line %d", name, line_at(text, wrong));
    struct strbuf path;
    int number = 0;
    strbuf_init(&path);
    const bool twice = find_duplicate(value, &path, &number);
    if (twice)
        err_set(err, "cannot parse '%s': duplicate key '%s' at line %d", name, path.text,
                json_line_of(text, NULL, number));
    strbuf_release(&path);
    return twice ? -1 : 0;
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
    if (!check_strictly(value, text, stop, name, err))
        return out_mutable(value);
    root_end(value);
    return NULL;
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

void json_set_string(struct json *object, const char *key, const char *text)
{
    json_set_bytes(object, key, text, strlen(text));
}

void json_set_bytes(struct json *object, const char *key, const char *text, size_t bytes)
{
    struct strbuf valid;
    strbuf_init(&valid);
    utf8_repair(&valid, text, bytes);
    check_allocated(cJSON_AddStringToObject(in_mutable(object), key, valid.text));
    strbuf_release(&valid);
}

void json_set_bool(struct json *object, const char *key, bool truth)
{
    check_allocated(cJSON_AddBoolToObject(in_mutable(object), key, truth));
}

void json_set_null(struct json *object, const char *key)
{
    check_allocated(cJSON_AddNullToObject(in_mutable(object), key));
}

/* ---- numbers and links: written here; cJSON rounds numbers, and takes 64 bytes for each of a list ---- */

/* With the fewest digits that read back as the same number: a double, or a float if `single`. */
static void add_number(struct strbuf *out, double number, bool single)
{
    char digits[32];
    const int most = single ? FLT_DECIMAL_DIG : DBL_DECIMAL_DIG;
    int precision = single ? FLT_DIG : DBL_DIG;
    if (!isfinite(number)) {
        strbuf_adds(out, "null");
        return;
    }
    do
        snprintf(digits, sizeof digits, "%.*g", precision, number);
    while ((single ? (double)strtof(digits, NULL) : strtod(digits, NULL)) != number && precision++ < most);
    strbuf_adds(out, digits);
}

static void add_floats(struct strbuf *out, const float *numbers, int count)
{
    strbuf_addch(out, '[');
    for (int i = 0; i < count; i++) {
        if (i)
            strbuf_addch(out, ',');
        add_number(out, (double)numbers[i], true);
    }
    strbuf_addch(out, ']');
}

/* Sets JSON text as a value, and releases it. */
static cJSON *set_text(struct json *object, const char *key, struct strbuf *text)
{
    cJSON *value = check_allocated(cJSON_AddRawToObject(in_mutable(object), key, text->text));
    strbuf_release(text);
    return value;
}

void json_set_number(struct json *object, const char *key, double number)
{
    struct strbuf text;
    strbuf_init(&text);
    add_number(&text, number, false);
    set_text(object, key, &text)->valuedouble = number; /* what json_number reads */
}

void json_set_array(struct json *object, const char *key, const double *numbers, int count)
{
    struct strbuf text;
    strbuf_init(&text);
    for (int i = 0; i < count; i++) {
        strbuf_addch(&text, i ? ',' : '[');
        add_number(&text, numbers[i], false);
    }
    strbuf_adds(&text, count ? "]" : "[]");
    set_text(object, key, &text);
}

void json_set_floats(struct json *object, const char *key, const float *numbers, int count)
{
    struct strbuf text;
    strbuf_init(&text);
    add_floats(&text, numbers, count);
    set_text(object, key, &text);
}

void json_set_rows(struct json *object, const char *key, const float *numbers, int rows, int columns)
{
    struct strbuf text;
    strbuf_init(&text);
    strbuf_addch(&text, '[');
    for (int i = 0; i < rows; i++) {
        if (i)
            strbuf_addch(&text, ',');
        add_floats(&text, numbers + (size_t)i * (size_t)columns, columns);
    }
    strbuf_addch(&text, ']');
    set_text(object, key, &text);
}

void json_set_links(struct json *object, const char *key, const struct links *links)
{
    struct strbuf text;
    strbuf_init(&text);
    strbuf_addch(&text, '[');
    for (size_t i = 0; i < links->count; i++)
        strbuf_addf(&text, "%s[%d,%d]", i ? "," : "", links->items[i].source, links->items[i].target);
    strbuf_addch(&text, ']');
    set_text(object, key, &text);
}

/* ---- lists and objects inside ---- */

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

void json_append_string(struct json *object, const char *key, const char *text)
{
    cJSON *list = cJSON_GetObjectItemCaseSensitive(in_mutable(object), key);
    struct strbuf valid;
    if (!list)
        list = check_allocated(cJSON_AddArrayToObject(in_mutable(object), key));
    strbuf_init(&valid);
    utf8_repair(&valid, text, strlen(text));
    add(list, NULL, cJSON_CreateString(valid.text));
    strbuf_release(&valid);
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

void json_add_string(struct strbuf *out, const char *text)
{
    struct json *object = json_new_object();
    json_set_string(object, "", text);
    json_print(json_first(object), false, out);
    json_free(object);
}

void json_add_line(struct strbuf *out, struct json *object)
{
    json_print(object, false, out);
    strbuf_addch(out, '\n');
    json_free(object);
}
