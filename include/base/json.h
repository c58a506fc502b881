/* json: strict JSON in, JSON out. cJSON enters the program here alone.
 *
 * Strict means: nothing behind the value, no key twice in one object, keys compared with case. */
#ifndef NMT_JSON_H
#define NMT_JSON_H

#include "err.h"
#include "strbuf.h"

#include <stdbool.h>
#include <stddef.h>

struct json; /* a value; children belong to their parent */

enum json_kind { JSON_NULL, JSON_BOOL, JSON_NUMBER, JSON_STRING, JSON_ARRAY, JSON_OBJECT };

/* Errors name the line: "cannot parse 'x.json': duplicate key 'a' at line 3". */
struct json *json_parse(const char *text, size_t bytes, const char *name, struct err *err);
void json_free(struct json *value);

enum json_kind json_kind(const struct json *value);
const char *json_kind_name(enum json_kind kind); /* "a number", "an object", … */
double json_number(const struct json *value);
const char *json_string(const struct json *value);
bool json_bool(const struct json *value);
/* Member of an object, or NULL. */
const struct json *json_member(const struct json *object, const char *key);
/* Children of an object or array in order: for (c = json_first(v); c; c = json_next(c)). */
const struct json *json_first(const struct json *value);
const struct json *json_next(const struct json *child);
const char *json_key(const struct json *child);
/* The line, from 1, on which the key of the member with that dotted path stands in `text`, which has been parsed; 0 if
 * nowhere. Objects in a list have the list's path: there, and where a key is there twice, the first `skip` are passed
 * over. */
int json_line_of(const char *text, const char *dotted_path, int skip);

struct json *json_new_object(void);
void json_set_number(struct json *object, const char *key, double number);
void json_set_string(struct json *object, const char *key, const char *text);
void json_set_bool(struct json *object, const char *key, bool truth);
void json_set_array(struct json *object, const char *key, const double *numbers, int count);
/* A list of lists. */
void json_set_rows(struct json *object, const char *key, const double *numbers, int rows, int columns);
/* A new object inside; belongs to `object`. If the key is there already, that one. */
struct json *json_set_object(struct json *object, const char *key);
/* A new object at the end of the array of that name, made where it is missing. */
struct json *json_append_object(struct json *object, const char *key);
/* Replaces what was there. */
void json_set_strings(struct json *object, const char *key, const char *const *texts, int count);
/* Appends the text, on one line or indented and closed by a line end. */
void json_print(const struct json *value, bool indented, struct strbuf *out);

#endif
