/* sacreBLEU's tokenizers. */
#include "mteval.h"

#include "utf8.h"

#include <string.h>

#define NAME(constant, name) #name,
static const char *const names[] = {BLEU_TOKENIZERS(NAME)};

const char *mteval_name(enum mteval_kind kind)
{
    return names[kind];
}

/* ---- classes of characters ---- */

static bool is_digit(int32_t c)
{
    return c >= '0' && c <= '9';
}

static bool is_no_digit(int32_t c)
{
    return !is_digit(c);
}

static bool is_stop(int32_t c)
{
    return c == '.' || c == ',';
}

static bool is_dash(int32_t c)
{
    return c == '-';
}

/* All ASCII symbols but ' , - . and, oddly, the blank too. */
static bool is_ascii_symbol(int32_t c)
{
    return (c >= '{' && c <= '~') || (c >= '[' && c <= '`') || (c >= ' ' && c <= '&') ||
           (c >= '(' && c <= '+') || (c >= ':' && c <= '@') || c == '/';
}

static bool is_no_number(int32_t c)
{
    return utf8_category(c) != 'N';
}

static bool is_punctuation(int32_t c)
{
    return utf8_category(c) == 'P';
}

static bool is_symbol(int32_t c)
{
    return utf8_category(c) == 'S';
}

/* What the tokenizer zh of sacreBLEU takes for Chinese. Two of its ranges are meant to begin at U+20000 and
 * U+2F800 but are written with four digits, so that the first is U+2001 to U+2A6D, dashes and arrows among
 * them, and rarer Han characters are in none. Kana are not either, but for narrow ones. */
static bool is_chinese(int32_t c)
{
    static const struct {
        int32_t first, last;
    } ranges[] = {
        {0x2001, 0x2a6d}, {0x2e80, 0x2fdf}, {0x2ff0, 0x303f}, {0x3100, 0x312f}, {0x31a0, 0x31bf},
        {0x31c0, 0x31ef}, {0x3200, 0x33ff}, {0x3400, 0x4db5}, {0x4e00, 0x9fbb}, {0xf900, 0xfa2d},
        {0xfa30, 0xfa6a}, {0xfa70, 0xfad9}, {0xfe10, 0xfe1f}, {0xfe30, 0xfe4f}, {0xff00, 0xffef},
    };
    for (size_t i = 0; i < sizeof ranges / sizeof ranges[0] && ranges[i].first <= c; i++)
        if (c <= ranges[i].last)
            return true;
    return false;
}

/* ---- passes ---- */

/* One substitution of a regular expression, all over a line from left to right: puts blanks around a
 * character, or around two that follow each other. */
struct pass {
    bool (*first)(int32_t), (*second)(int32_t); /* second NULL: one character */
    const char *before, *between, *after;
};

/* As of mteval-v13a.pl. */
static const struct pass ascii_passes[] = {
    {is_ascii_symbol, NULL, " ", "", " "}, {is_no_digit, is_stop, "", " ", " "},
    {is_stop, is_no_digit, " ", " ", ""},  {is_digit, is_dash, "", " ", " "},
    {NULL, NULL, NULL, NULL, NULL},
};

/* As of mteval-v14.pl --international-tokenization. */
static const struct pass unicode_passes[] = {
    {is_no_number, is_punctuation, "", " ", " "},
    {is_punctuation, is_no_number, " ", " ", ""},
    {is_symbol, NULL, " ", "", " "},
    {NULL, NULL, NULL, NULL, NULL},
};

static const struct pass chinese_pass = {is_chinese, NULL, " ", "", " "};

static void apply_pass(struct strbuf *line, const struct pass *pass)
{
    struct strbuf out;
    strbuf_init(&out);
    for (size_t at = 0, used, next; at < line->length; at += used) {
        const char *c = line->text + at;
        int32_t code;
        used = utf8_decode(c, line->length - at, &code);
        bool matches = pass->first(code);
        next = 0;
        if (matches && pass->second) {
            next = at + used < line->length ? utf8_decode(c + used, line->length - at - used, &code) : 0;
            matches = next && pass->second(code);
        }
        if (!matches) {
            strbuf_add(&out, c, used);
            continue;
        }
        strbuf_adds(&out, pass->before);
        strbuf_add(&out, c, used);
        strbuf_adds(&out, pass->between);
        strbuf_add(&out, c + used, next);
        strbuf_adds(&out, pass->after);
        used += next;
    }
    strbuf_release(line);
    *line = out;
}

static void apply_passes(struct strbuf *line, const struct pass *pass)
{
    for (; pass->first; pass++)
        apply_pass(line, pass);
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

static void tokenize_13a(struct strbuf *line)
{
    struct strbuf padded;
    replace_all(line, "<skipped>", "");
    if (memchr(line->text, '&', line->length)) {
        replace_all(line, "&quot;", "\"");
        replace_all(line, "&amp;", "&");
        replace_all(line, "&lt;", "<");
        replace_all(line, "&gt;", ">");
    }
    strbuf_init(&padded);
    strbuf_addf(&padded, " %s ", line->text);
    strbuf_release(line);
    *line = padded;
    apply_passes(line, ascii_passes);
}

static void tokenize_intl(struct strbuf *line)
{
    apply_passes(line, unicode_passes);
}

static void tokenize_zh(struct strbuf *line)
{
    apply_pass(line, &chinese_pass);
    apply_passes(line, ascii_passes);
}

/* ---- white space ---- */

/* Without white space at its end, and with `both` at its beginning: to intl and zh it is a character like
 * others. */
static void trim(struct strbuf *line, bool both)
{
    size_t begin = 0, end = 0;
    bool any = false;
    for (size_t at = 0, used; at < line->length; at += used) {
        int32_t code;
        used = utf8_decode(line->text + at, line->length - at, &code);
        if (utf8_is_space(code))
            continue;
        if (!any && both)
            begin = at;
        any = true;
        end = at + used;
    }
    memmove(line->text, line->text + begin, end - begin);
    line->text[line->length = end - begin] = '\0';
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

char *mteval_normal(const char *text)
{
    struct strbuf normal;
    strbuf_init(&normal);
    utf8_normalize(&normal, text, strlen(text), UTF8_NFC);
    return strbuf_detach(&normal);
}

void mteval_words(struct strbuf *out, const char *text, size_t bytes, enum mteval_kind kind, bool lowercase)
{
    static void (*const tokenize[])(struct strbuf *) = {
        [MTEVAL_13A] = tokenize_13a, [MTEVAL_INTL] = tokenize_intl, [MTEVAL_ZH] = tokenize_zh};
    struct strbuf line;
    prepare(&line, text, bytes, lowercase);
    if ((size_t)kind < sizeof tokenize / sizeof tokenize[0]) {
        trim(&line, kind == MTEVAL_ZH);
        tokenize[kind](&line);
    }
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
