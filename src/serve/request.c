/* Reads JSON and forms into fields, and the fields of a translation into a job. Errors are worded as
 * LibreTranslate's. */
#include "request.h"

#include "form.h"
#include "mem.h"
#include "number.h"
#include "utf8_check.h"

#include <ctype.h>
#include <errno.h>
#include <string.h>
#include <strings.h>

#define MOST_DEPTH 16   /* of JSON */
#define MOST_KEYS 4096  /* of all objects in it, or fields of a form */
#define MOST_TERMS 1000 /* of a glossary: they are looked for in each sentence */

/* ---- JSON ---- */

/* Refuses what takes long to read: cJSON looks for a key among all others, one after the other. */
static int check_json(const char *text, size_t bytes, struct err *err)
{
    int depth = 0, keys = 0;
    bool quoted = false;
    for (size_t i = 0; i < bytes; i++) {
        if (quoted) {
            quoted = text[i] != '"';
            i += text[i] == '\\'; /* and what it escapes */
            continue;
        }
        quoted = text[i] == '"';
        depth += (text[i] == '[' || text[i] == '{') - (text[i] == ']' || text[i] == '}');
        keys += text[i] == ':';
        if (depth > MOST_DEPTH)
            return err_set(err, "JSON that is more than %d levels deep", MOST_DEPTH);
        if (keys > MOST_KEYS)
            return err_set(err, "JSON with more than %d keys", MOST_KEYS);
    }
    return 0;
}

#define HIGH_HALF "89abAB" /* \uD800 to \uDBFF, by their second digit */
#define LOW_HALF "cdefCDEF"

static bool is_half_pair(const char *at, const char *half)
{
    return !strncmp(at, "\\u", 2) && (at[2] == 'd' || at[2] == 'D') && at[3] && strchr(half, at[3]) &&
           isxdigit((unsigned char)at[4]) && isxdigit((unsigned char)at[5]);
}

/* Half a surrogate pair, which clients send that cut a text between the two, becomes U+FFFD: RFC 8259, 8.2,
 * allows it, and cJSON does not. */
static void replace_half_pairs(char *text)
{
    while ((text = strchr(text, '\\'))) {
        if (is_half_pair(text, HIGH_HALF) && is_half_pair(text + 6, LOW_HALF)) {
            text += 12;
        } else if (is_half_pair(text, HIGH_HALF LOW_HALF)) {
            memcpy(text, "\\ufffd", 6);
            text += 6;
        } else {
            text += text[1] ? 2 : 1;
        }
    }
}

static struct json *parse_fields(const struct request_body *body, struct err *err)
{
    if (check_json(body->bytes, body->count, err))
        return NULL;
    char *text = xstrndup(body->bytes, body->count);
    replace_half_pairs(text);
    struct json *fields = json_parse(text, body->count, "request", err);
    xfree(text);
    return fields;
}

static struct json *json_fields(const struct request_body *body, struct err *err)
{
    struct err inner;
    const size_t valid = utf8_check(body->bytes, body->count);
    if (valid < body->count) {
        err_set(err, "Invalid request: invalid UTF-8 at byte %zu", valid + 1);
        return NULL;
    }
    struct json *fields = parse_fields(body, &inner);
    if (!fields && inner.number == ENOMEM)
        mem_exhausted(body->count, 1);
    if (!fields) {
        err_set(err, "Invalid JSON format: %s", inner.text);
    } else if (json_kind(fields) != JSON_OBJECT) {
        err_set(err, "Invalid JSON format: %s, not an object", json_kind_name(json_kind(fields)));
        json_free(fields);
        return NULL;
    }
    return fields;
}

/* ---- forms ---- */

/* Adds a text to those that have come. */
static void add_to_list(struct json *fields, const char *name, const char *value)
{
    const struct json *old = json_member(fields, name);
    if (json_kind(old) == JSON_STRING) {
        char *first = xstrdup(json_string(old));
        json_set_strings(fields, name, (const char *const *)&first, 1);
        xfree(first);
    }
    json_append_string(fields, name, value);
}

/* Browsers end the lines of a form's text with "\r\n". */
static char *without_returns(const char *value, size_t bytes)
{
    char *text = xmalloc(bytes + 1, 1);
    size_t count = 0;
    for (size_t i = 0; i < bytes; i++)
        if (value[i] != '\r' || i + 1 == bytes || value[i + 1] != '\n')
            text[count++] = value[i];
    text[count] = '\0';
    return text;
}

/* Is it one of a translation? Others say nothing. */
static bool is_field(const char *name)
{
    static const char *const names[] = {"q",       "source", "target",   "format", "alternatives",
                                        "api_key", "detail", "glossary", "prefix", "beam"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (!strcmp(name, names[i]))
            return true;
    return false;
}

struct form_fields {
    struct json *fields;
    int count;
};

static int take_field(void *context, const char *name, const char *value, size_t bytes, struct err *err)
{
    struct form_fields *form = context;
    struct json *fields = form->fields;
    const size_t valid = utf8_check(value, bytes);
    if (++form->count > MOST_KEYS)
        return err_set(err, "Invalid request: more than %d fields", MOST_KEYS);
    if (!is_field(name))
        return 0;
    if (valid < bytes || memchr(value, '\0', bytes))
        return err_set(err, "Invalid request: %s has %s", name,
                       valid < bytes ? "invalid UTF-8" : "a NUL character");
    const bool known = json_member(fields, name) != NULL;
    if (known && strcmp(name, "q") != 0)
        return err_set(err, "Invalid request: duplicate %s parameter", name);
    char *text = without_returns(value, bytes);
    if (known)
        add_to_list(fields, name, text);
    else
        json_set_string(fields, name, text);
    xfree(text);
    return 0;
}

static bool is_type(const char *type, const char *wanted)
{
    const size_t bytes = strlen(wanted);
    return type && !strncasecmp(type, wanted, bytes) && strchr("; \t", type[bytes]);
}

static int read_form(struct json *fields, const struct request_body *body, struct err *err)
{
    struct err inner;
    struct form_fields form = {fields, 0};
    if (form_read_urlencoded(body->query, strlen(body->query), take_field, &form, err))
        return -1;
    if (!body->count)
        return 0;
    if (is_type(body->type, "application/x-www-form-urlencoded"))
        return form_read_urlencoded(body->bytes, body->count, take_field, &form, err);
    if (!is_type(body->type, "multipart/form-data"))
        return err_set(err, "Invalid request: the Content-Type is none of application/json, "
                            "application/x-www-form-urlencoded and multipart/form-data");
    if (!form_read_multipart(body->type, body->bytes, body->count, take_field, &form, &inner))
        return 0;
    return err_set(err, "%s%s", strncmp(inner.text, "Invalid", 7) ? "Invalid request: " : "", inner.text);
}

/* application/json, or another type that is written as JSON, as application/ld+json. */
static bool is_json(const char *type)
{
    static const char begin[] = "application/", end[] = "+json";
    const size_t bytes = type ? strcspn(type, "; \t") : 0;
    return is_type(type, "application/json") ||
           (bytes >= sizeof begin + sizeof end - 2 && !strncasecmp(type, begin, sizeof begin - 1) &&
            !strncasecmp(type + bytes - (sizeof end - 1), end, sizeof end - 1));
}

struct json *request_fields(const struct request_body *body, struct err *err)
{
    if (body->encoding && *body->encoding && strcasecmp(body->encoding, "identity") != 0) {
        err_set(err, "Invalid request: a body with a Content-Encoding other than identity is not read");
        return NULL;
    }
    if (is_json(body->type))
        return json_fields(body, err);
    struct json *fields = json_new_object();
    if (!read_form(fields, body, err))
        return fields;
    json_free(fields);
    return NULL;
}

/* ---- fields ---- */

static int missing(const char *name, struct err *err)
{
    return err_set(err, "Invalid request: missing %s parameter", name);
}

int request_string(const char **out, const struct json *fields, const char *name, struct err *err)
{
    const struct json *value = json_member(fields, name);
    *out = NULL;
    if (!value || json_kind(value) == JSON_NULL)
        return 0;
    if (json_kind(value) != JSON_STRING)
        return err_set(err, "Invalid request: %s parameter is not a text", name);
    *out = json_string(value);
    return 0;
}

/* The same as a copy. */
static int read_text(char **out, const struct json *fields, const char *name, struct err *err)
{
    const char *text;
    const int failed = request_string(&text, fields, name, err);
    *out = failed || !text ? NULL : xstrdup(text);
    return failed;
}

static int read_needed(char **out, const struct json *fields, const char *name, struct err *err)
{
    if (read_text(out, fields, name, err))
        return -1;
    return *out && **out ? 0 : missing(name, err);
}

static int read_count(int *out, const struct json *fields, const char *name, int most, struct err *err)
{
    const struct json *value = json_member(fields, name);
    const enum json_kind kind = value ? json_kind(value) : JSON_NULL;
    double number = 0;
    if (kind == JSON_NUMBER)
        number = json_number(value);
    else if (kind != JSON_NULL &&
             (kind != JSON_STRING || (*json_string(value) && number_read(&number, json_string(value)))))
        return err_set(err, "Invalid request: %s parameter is not a number", name);
    if (number > most)
        return err_set(err, "Invalid request: %s parameter must be <= %d", name, most);
    if (!(number >= 0) || number != (int)number)
        return err_set(err, "Invalid request: %s parameter is not a number", name);
    *out = (int)number;
    return 0;
}

/* 0 and 1 are flags in JSON, too, as in a form. */
static int read_flag(bool *out, const struct json *fields, const char *name, struct err *err)
{
    static const char *const words[] = {"false", "true", "0", "1", ""};
    const struct json *value = json_member(fields, name);
    const enum json_kind kind = value ? json_kind(value) : JSON_NULL;
    const double number = kind == JSON_NUMBER ? json_number(value) : -1;
    *out = kind == JSON_BOOL ? json_bool(value) : number == 1;
    if (kind == JSON_NULL || kind == JSON_BOOL || number == 0 || number == 1)
        return 0;
    for (size_t i = 0; kind == JSON_STRING && i < sizeof words / sizeof *words; i++)
        if (!strcasecmp(json_string(value), words[i])) {
            *out = i % 2;
            return 0;
        }
    return err_set(err, "Invalid request: %s parameter is not true or false", name);
}

static size_t count_characters(const char *text)
{
    return utf8_count(text, strlen(text));
}

static int check_characters(const char *what, size_t characters, const struct request_limits *limits,
                            struct err *err)
{
    if (!limits->max_characters || characters <= (size_t)limits->max_characters)
        return 0;
    return err_set(err, "Invalid request: %s (%zu) exceeds text limit (%d)", what, characters,
                   limits->max_characters);
}

/* ---- the texts ---- */

static int add_text(struct job *job, size_t *capacity, const struct json *text, struct err *err)
{
    if (json_kind(text) != JSON_STRING)
        return err_set(err, "Invalid request: q parameter is not a text or a list of texts");
    GROW(job->texts, job->count + 1, *capacity);
    job->texts[job->count] = xstrdup(json_string(text));
    job->count++;
    return 0;
}

/* Each takes memory, also an empty one. */
static int read_texts(struct job *job, const struct json *fields, const struct request_limits *limits,
                      struct wishes *wishes, struct err *err)
{
    const struct json *q = json_member(fields, "q");
    size_t capacity = 0;
    if (!q || json_kind(q) == JSON_NULL)
        return missing("q", err);
    wishes->list = json_kind(q) == JSON_ARRAY;
    if (!wishes->list)
        return add_text(job, &capacity, q, err);
    for (const struct json *text = json_first(q); text; text = json_next(text)) {
        if (job->count == (size_t)limits->max_texts)
            return err_set(err, "Invalid request: the request has more than %d texts", limits->max_texts);
        if (add_text(job, &capacity, text, err))
            return -1;
    }
    return job->count ? 0 : missing("q", err);
}

const char *request_text(const struct json *fields, const struct request_limits *limits, struct err *err)
{
    const struct json *q = json_member(fields, "q");
    if (!q || json_kind(q) == JSON_NULL)
        missing("q", err);
    else if (json_kind(q) != JSON_STRING)
        err_set(err, "Invalid request: q parameter is not a text");
    else if (!check_characters("request", count_characters(json_string(q)), limits, err))
        return json_string(q);
    return NULL;
}

/* ---- the glossary ---- */

static int wrong_glossary(struct err *err)
{
    return err_set(
        err,
        "Invalid request: glossary parameter is not a list of [source, target], or lines of source, "
        "tab and target, each of at most %d bytes",
        GLOSSARY_MOST_BYTES);
}

static int add_pair(struct glossary *glossary, const struct json *pair, struct err *err)
{
    const struct json *source = json_kind(pair) == JSON_ARRAY ? json_first(pair) : NULL;
    const struct json *target = source ? json_next(source) : NULL;
    if (!target || json_next(target) || json_kind(source) != JSON_STRING ||
        json_kind(target) != JSON_STRING ||
        !glossary_add(glossary, json_string(source), strlen(json_string(source)), json_string(target)))
        return wrong_glossary(err);
    return 0;
}

static int add_line(struct glossary *glossary, const char *line, size_t bytes, struct err *err)
{
    const size_t trimmed = bytes && line[bytes - 1] == '\r' ? bytes - 1 : bytes;
    const char *tab = memchr(line, '\t', trimmed);
    if (!trimmed)
        return 0;
    if (!tab)
        return wrong_glossary(err);
    char *target = xstrndup(tab + 1, trimmed - (size_t)(tab + 1 - line));
    const bool added = glossary_add(glossary, line, (size_t)(tab - line), target);
    xfree(target);
    return added ? 0 : wrong_glossary(err);
}

static int add_entries(struct glossary *glossary, const struct json *value, struct err *err)
{
    if (json_kind(value) == JSON_ARRAY) {
        for (const struct json *pair = json_first(value); pair; pair = json_next(pair))
            if (add_pair(glossary, pair, err))
                return -1;
        return 0;
    }
    if (json_kind(value) != JSON_STRING)
        return wrong_glossary(err);
    for (const char *line = json_string(value); *line;) {
        const size_t bytes = strcspn(line, "\n");
        if (add_line(glossary, line, bytes, err))
            return -1;
        line += bytes + (line[bytes] == '\n');
    }
    return 0;
}

static int read_glossary(struct job *job, const struct json *fields, struct err *err)
{
    const struct json *value = json_member(fields, "glossary");
    if (!value || json_kind(value) == JSON_NULL)
        return 0;
    job->glossary = xcalloc(1, sizeof *job->glossary);
    if (add_entries(job->glossary, value, err))
        return -1;
    if (job->glossary->count > MOST_TERMS)
        return err_set(err, "Invalid request: the glossary has more than %d terms", MOST_TERMS);
    if (!job->glossary->count) {
        glossary_release(job->glossary);
        xfree(job->glossary);
        job->glossary = NULL;
    }
    return 0;
}

/* ---- the job ---- */

static int read_format(struct job *job, const struct json *fields, struct err *err)
{
    const char *format;
    if (request_string(&format, fields, "format", err))
        return -1;
    const bool known = !format || !*format || !strcmp(format, "text") || !strcmp(format, "html");
    job->html = known && format && !strcmp(format, "html");
    if (!known)
        err_set(err, "%s format is not supported", format);
    return known ? 0 : -1;
}

/* As many translations as there can be alternatives, and one. */
static int read_search(struct job *job, const struct json *fields, const struct request_limits *limits,
                       struct wishes *wishes, struct err *err)
{
    int alternatives = 0;
    if (read_count(&alternatives, fields, "alternatives", limits->max_beam - 1, err) ||
        read_count(&job->beam, fields, "beam", limits->max_beam, err))
        return -1;
    job->n_best = alternatives + 1;
    wishes->alternatives = alternatives > 0;
    return 0;
}

static int read_job(struct job *job, const struct json *fields, const struct request_limits *limits,
                    struct wishes *wishes, struct err *err)
{
    if (read_texts(job, fields, limits, wishes, err) || read_needed(&job->source, fields, "source", err) ||
        read_needed(&job->target, fields, "target", err) || read_format(job, fields, err) ||
        read_search(job, fields, limits, wishes, err) || read_flag(&job->detail, fields, "detail", err) ||
        read_text(&job->prefix, fields, "prefix", err) || read_glossary(job, fields, err))
        return -1;
    /* An empty one makes alternatives begin with different words; else it is of those who send all fields. */
    if (job->prefix && !*job->prefix && job->n_best == 1) {
        xfree(job->prefix);
        job->prefix = NULL;
    }
    for (size_t i = 0; i < job->count; i++)
        wishes->characters += count_characters(job->texts[i]);
    if (check_characters("request", wishes->characters, limits, err))
        return -1;
    return job->prefix ? check_characters("prefix", count_characters(job->prefix), limits, err) : 0;
}

struct job *request_job(const struct json *fields, const struct request_limits *limits, struct wishes *wishes,
                        struct err *err)
{
    struct job *job = job_new();
    *wishes = (struct wishes){false, false, 0};
    if (!read_job(job, fields, limits, wishes, err))
        return job;
    job_free(job);
    return NULL;
}
