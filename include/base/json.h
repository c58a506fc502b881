/* json: strict JSON parsing, and printing. The only user of cJSON.
 *
 * Strict: no text after the value, no key twice in one object, keys compared case-sensitively. */
#ifndef NMT_JSON_H
#define NMT_JSON_H

#include "err.h"
#include "links.h"
#include "strbuf.h"

#include <stdbool.h>
#include <stddef.h>

struct json; /* a value; children belong to their parent */

enum json_kind { JSON_NULL, JSON_BOOL, JSON_NUMBER, JSON_STRING, JSON_ARRAY, JSON_OBJECT };

/* Parses text; the caller frees the value. NULL on errors, which name the line: "cannot parse 'x.json':
 * duplicate key 'a' at line 3". */
struct json *json_parse(const char *text, size_t bytes, const char *name, struct err *err);
void json_free(struct json *value);

enum json_kind json_kind(const struct json *value);
const char *json_kind_name(enum json_kind kind); /* "a number", "an object", … */
double json_number(const struct json *value);
const char *json_string(const struct json *value);
bool json_bool(const struct json *value);
/* The member of an object, or NULL. */
const struct json *json_member(const struct json *object, const char *key);
/* Children of an object or array in order: for (c = json_first(v); c; c = json_next(c)). */
const struct json *json_first(const struct json *value);
const struct json *json_next(const struct json *child);
const char *json_key(const struct json *child);
/* The line, from 1, of the key with that dotted path in `text`, which has been parsed; 0 if there is none.
 * The first `skip` matches are skipped, as objects in a list all have the list's path. NULL matches every
 * key. */
int json_line_of(const char *text, const char *dotted_path, int skip);

struct json *json_new_object(void);
/* Numbers are written with as many digits as are needed to read the same number back; those that are not
 * finite, which JSON has none of, become null. */
void json_set_number(struct json *object, const char *key, double number);
/* Bytes that are not UTF-8, and NULs, become U+FFFD. */
void json_set_string(struct json *object, const char *key, const char *text);
void json_set_bytes(struct json *object, const char *key, const char *text, size_t bytes);
void json_set_bool(struct json *object, const char *key, bool truth);
void json_set_null(struct json *object, const char *key);
void json_set_array(struct json *object, const char *key, const double *numbers, int count);
void json_set_floats(struct json *object, const char *key, const float *numbers, int count);
/* Sets a list of lists. */
void json_set_rows(struct json *object, const char *key, const float *numbers, int rows, int columns);
/* Sets a list of [source, target]. */
void json_set_links(struct json *object, const char *key, const struct links *links);
/* Adds an object, which belongs to `object`; returns the existing one if the key is there. */
struct json *json_set_object(struct json *object, const char *key);
/* Appends an object to the array of that name, which is created if missing. */
struct json *json_append_object(struct json *object, const char *key);
/* Appends a string to the array of that name, in the same way. */
void json_append_string(struct json *object, const char *key, const char *text);
/* Sets a list of strings, replacing any old value. */
void json_set_strings(struct json *object, const char *key, const char *const *texts, int count);
/* Appends the value as text: on one line, or indented and ended by a newline. */
void json_print(const struct json *value, bool indented, struct strbuf *out);
/* Appends the string in quotes, as json_set_string sets it. */
void json_add_string(struct strbuf *out, const char *text);
/* Appends the object as a line of JSON Lines, and frees it. */
void json_add_line(struct strbuf *out, struct json *object);

#endif
