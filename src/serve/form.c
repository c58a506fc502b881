/* Takes forms apart: the URL standard, section 5, and RFC 7578. */
#include "form.h"

#include "mem.h"
#include "strbuf.h"

#include <string.h>
#include <strings.h>

/* ---- application/x-www-form-urlencoded ---- */

static int hex_value(char c)
{
    const char *digits = "0123456789abcdef", *at = c ? strchr(digits, c | 0x20) : NULL;
    return at && (at - digits > 9 || c == *at) ? (int)(at - digits) : -1;
}

static void decode(struct strbuf *out, const char *text, size_t bytes)
{
    strbuf_reset(out);
    for (size_t i = 0; i < bytes; i++) {
        const int high = text[i] == '%' && i + 2 < bytes ? hex_value(text[i + 1]) : -1;
        const int low = high >= 0 ? hex_value(text[i + 2]) : -1;
        if (low >= 0) {
            strbuf_addch(out, (char)(high * 16 + low));
            i += 2;
        } else {
            strbuf_addch(out, text[i] == '+' ? ' ' : text[i]);
        }
    }
}

int form_read_urlencoded(const char *text, size_t bytes, field_taker *take, void *context, struct err *err)
{
    struct strbuf name, value;
    int failed = 0;
    strbuf_init(&name);
    strbuf_init(&value);
    for (size_t at = 0; at < bytes && !failed;) {
        const char *end = memchr(text + at, '&', bytes - at);
        const size_t length = end ? (size_t)(end - (text + at)) : bytes - at;
        const char *equals = memchr(text + at, '=', length);
        const size_t name_length = equals ? (size_t)(equals - (text + at)) : length;
        decode(&name, text + at, name_length);
        decode(&value, equals ? equals + 1 : "", equals ? length - name_length - 1 : 0);
        if (length)
            failed = take(context, name.text, value.text, value.length, err);
        at += length + 1;
    }
    strbuf_release(&name);
    strbuf_release(&value);
    return failed;
}

/* ---- multipart/form-data ---- */

/* Appends the value of a parameter of a header, `name=value` or `name="value"`; false if it has none. */
static bool add_parameter(struct strbuf *out, const char *header, size_t bytes, const char *name)
{
    const size_t length = strlen(name);
    bool quoted = false;
    for (size_t i = 0; i + length + 1 < bytes; i++) {
        quoted ^= header[i] == '"';
        if (quoted || !memchr("; \t", header[i], 3) || strncasecmp(header + i + 1, name, length) != 0 ||
            header[i + 1 + length] != '=')
            continue;
        size_t at = i + length + 2;
        const bool in_quotes = at < bytes && header[at] == '"';
        for (at += in_quotes; at < bytes && (in_quotes ? header[at] != '"' : !strchr("; \t", header[at]));
             at++) {
            at += in_quotes && header[at] == '\\' && at + 1 < bytes;
            strbuf_addch(out, header[at]);
        }
        return true;
    }
    return false;
}

static const char *find(const char *text, const char *end, const struct strbuf *wanted)
{
    while ((size_t)(end - text) >= wanted->length &&
           (text = memchr(text, wanted->text[0], (size_t)(end - text) - wanted->length + 1))) {
        if (!memcmp(text, wanted->text, wanted->length))
            return text;
        text++;
    }
    return NULL;
}

/* Reads the headers of a part: appends its name, and returns where its value begins; NULL if they have no
 * name or no end. */
static const char *read_headers(struct strbuf *name, const char *text, const char *end)
{
    static const char disposition[] = "Content-Disposition:";
    bool named = false;
    while (text < end) {
        const char *stop = memchr(text, '\n', (size_t)(end - text));
        if (!stop || stop == text || stop[-1] != '\r')
            return NULL;
        const size_t bytes = (size_t)(stop - 1 - text);
        if (!bytes)
            return named ? stop + 1 : NULL;
        if (!named && bytes > sizeof disposition && !strncasecmp(text, disposition, sizeof disposition - 1))
            named = add_parameter(name, text, bytes, "name");
        text = stop + 1;
    }
    return NULL;
}

static int wrong_form(struct err *err)
{
    return err_set(err, "the body is no multipart/form-data");
}

/* A part, from after the line end that follows its boundary. */
static int read_part(const char *text, const char *end, field_taker *take, void *context, struct err *err)
{
    struct strbuf name;
    strbuf_init(&name);
    const char *value = read_headers(&name, text, end);
    char *copy = value ? xstrndup(value, (size_t)(end - value)) : NULL;
    const int failed = copy ? take(context, name.text, copy, (size_t)(end - value), err) : wrong_form(err);
    xfree(copy);
    strbuf_release(&name);
    return failed;
}

/* Where the first mark ends, which has no line end before it if the body begins with it; or NULL. */
static const char *skip_preamble(const struct strbuf *mark, const char *text, const char *end)
{
    const size_t bytes = mark->length - 2;
    if ((size_t)(end - text) >= bytes && !memcmp(text, mark->text + 2, bytes))
        return text + bytes;
    text = find(text, end, mark);
    return text ? text + mark->length : NULL;
}

/* Past the blanks that may follow a boundary (RFC 2046, 5.1.1). */
static const char *skip_padding(const char *text, const char *end)
{
    while (text < end && (*text == ' ' || *text == '\t'))
        text++;
    return text;
}

static int read_parts(const struct strbuf *mark, const char *text, const char *end, field_taker *take,
                      void *context, struct err *err)
{
    text = skip_preamble(mark, text, end);
    if (!text)
        return wrong_form(err);
    text = skip_padding(text, end);
    while (end - text >= 2 && !memcmp(text, "\r\n", 2)) {
        const char *stop = find(text, end, mark);
        if (!stop)
            return wrong_form(err);
        if (read_part(text + 2, stop, take, context, err))
            return -1;
        text = skip_padding(stop + mark->length, end);
    }
    return end - text >= 2 && !memcmp(text, "--", 2) ? 0 : wrong_form(err);
}

int form_read_multipart(const char *type, const char *body, size_t bytes, field_taker *take, void *context,
                        struct err *err)
{
    struct strbuf mark;
    strbuf_init(&mark);
    strbuf_adds(&mark, "\r\n--");
    const bool bounded = add_parameter(&mark, type, strlen(type), "boundary") && mark.length > 4;
    const int failed = bounded ? read_parts(&mark, body, body + bytes, take, context, err)
                               : err_set(err, "the Content-Type names no boundary");
    strbuf_release(&mark);
    return failed;
}
