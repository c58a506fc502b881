/* sacreBLEU's tokenizers. */
#include "mteval.h"

#include "mem.h"
#include "utf8.h"

#include <stdlib.h>
#include <string.h>

#define NAME(constant, name) #name,
static const char *const names[] = {MTEVAL_KINDS(NAME)};

const char *mteval_name(enum mteval_kind kind)
{
    return names[kind];
}

/* The patterns of 13a match ASCII only, and every byte of a longer character counts as "not a digit": so
 * they can work on bytes. Each pass rewrites the result of the one before, from left to right. */

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Characters that always stand alone: all ASCII symbols but ' , - . and, oddly, the blank too. */
static bool stands_alone(char c)
{
    return (c >= '{' && c <= '~') || (c >= '[' && c <= '`') || (c >= ' ' && c <= '&') ||
           (c >= '(' && c <= '+') || (c >= ':' && c <= '@') || c == '/';
}

static bool is_stop(char c)
{
    return c == '.' || c == ',';
}

static void pass_symbols(struct strbuf *to, const struct strbuf *from)
{
    for (size_t i = 0; i < from->length; i++) {
        const char c = from->text[i];
        if (stands_alone(c))
            strbuf_add(to, (char[]){' ', c, ' '}, 3);
        else
            strbuf_addch(to, c);
    }
}

/* ([^0-9])([.,]) -> "\1 \2 " */
static void pass_stop_behind(struct strbuf *to, const struct strbuf *from)
{
    for (size_t i = 0; i < from->length; i++) {
        const char *c = from->text + i;
        strbuf_addch(to, c[0]);
        /* The last byte of a longer character is not a digit, which is all that matters. */
        if (i + 1 < from->length && !is_digit(c[0]) && is_stop(c[1])) {
            strbuf_add(to, (char[]){' ', c[1], ' '}, 3);
            i++;
        }
    }
}

/* ([.,])([^0-9]) -> " \1 \2" */
static void pass_stop_before(struct strbuf *to, const struct strbuf *from)
{
    for (size_t i = 0; i < from->length; i++) {
        const char *c = from->text + i;
        if (i + 1 < from->length && is_stop(c[0]) && !is_digit(c[1])) {
            strbuf_add(to, (char[]){' ', c[0], ' ', c[1]}, 4);
            i++;
        } else {
            strbuf_addch(to, c[0]);
        }
    }
}

/* ([0-9])(-) -> "\1 \2 " */
static void pass_dash(struct strbuf *to, const struct strbuf *from)
{
    for (size_t i = 0; i < from->length; i++) {
        const char *c = from->text + i;
        strbuf_addch(to, c[0]);
        if (i + 1 < from->length && is_digit(c[0]) && c[1] == '-') {
            strbuf_adds(to, " - ");
            i++;
        }
    }
}

static void replace_all(struct strbuf *text, const char *what, const char *with)
{
    struct strbuf out;
    const size_t bytes = strlen(what);
    strbuf_init(&out);
    for (size_t i = 0; i < text->length;) {
        if (text->length - i >= bytes && !memcmp(text->text + i, what, bytes)) {
            strbuf_adds(&out, with);
            i += bytes;
        } else {
            strbuf_addch(&out, text->text[i++]);
        }
    }
    strbuf_release(text);
    *text = out;
}

static void tokenize_13a(struct strbuf *text)
{
    static void (*const passes[])(struct strbuf *, const struct strbuf *) = {pass_symbols, pass_stop_behind,
                                                                             pass_stop_before, pass_dash};
    replace_all(text, "<skipped>", "");
    if (memchr(text->text, '&', text->length)) {
        replace_all(text, "&quot;", "\"");
        replace_all(text, "&amp;", "&");
        replace_all(text, "&lt;", "<");
        replace_all(text, "&gt;", ">");
    }
    struct strbuf out;
    strbuf_init(&out);
    strbuf_addf(&out, " %s ", text->text);
    for (size_t i = 0; i < sizeof passes / sizeof passes[0]; i++) {
        strbuf_reset(text);
        passes[i](text, &out);
        const struct strbuf swap = out;
        out = *text;
        *text = swap;
    }
    strbuf_release(text);
    *text = out;
}

/* Appends the text split at white space; with `each`, every character is a word. */
static void split(struct strbuf *out, const struct strbuf *text, bool each, const char *separator)
{
    bool gap = true, first = true;
    for (size_t at = 0; at < text->length;) {
        int32_t code;
        const size_t used = utf8_decode(text->text + at, text->length - at, &code);
        if (utf8_is_space(code)) {
            gap = true;
        } else {
            if (!first && (gap || each))
                strbuf_adds(out, separator);
            strbuf_add(out, text->text + at, used);
            gap = first = false;
        }
        at += used;
    }
}

static void prepare(struct strbuf *to, const char *text, size_t bytes, bool lowercase)
{
    strbuf_init(to);
    if (lowercase)
        utf8_lower(to, text, bytes);
    else
        strbuf_add(to, text, bytes);
}

void mteval_words(struct strbuf *out, const char *text, size_t bytes, enum mteval_kind kind, bool lowercase)
{
    struct strbuf line;
    prepare(&line, text, bytes, lowercase);
    if (kind == MTEVAL_13A)
        tokenize_13a(&line);
    split(out, &line, kind == MTEVAL_CHAR, " ");
    strbuf_release(&line);
}

void mteval_characters(struct strbuf *out, const char *text, size_t bytes, bool lowercase)
{
    struct strbuf line;
    prepare(&line, text, bytes, lowercase);
    split(out, &line, true, "");
    strbuf_release(&line);
}
