/* Characters of a page: entities, and encodings that are not UTF-8. */
#include "html_text.h"

#include "html_scan.h"
#include "html_structure.h"
#include "scan.h"

#include <string.h>
#include <strings.h>

#define MOST_ENTITY 33 /* bytes of a name, with a NUL; the longest of HTML 5 has 31 */
#define REPLACEMENT 0xfffd
#define MOST_LOOKED_AT 1024 /* bytes that tell whether a page is in UTF-16 */

/* ---- entities ---- */

/* What browsers take the bytes 0x80 to 0x9f for. */
static int32_t windows_1252(int32_t code)
{
    static const uint16_t codes[] = {0x20ac, 0x81,   0x201a, 0x192,  0x201e, 0x2026, 0x2020, 0x2021,
                                     0x2c6,  0x2030, 0x160,  0x2039, 0x152,  0x8d,   0x17d,  0x8f,
                                     0x90,   0x2018, 0x2019, 0x201c, 0x201d, 0x2022, 0x2013, 0x2014,
                                     0x2dc,  0x2122, 0x161,  0x203a, 0x153,  0x9d,   0x17e,  0x178};
    return code >= 0x80 && code < 0xa0 ? codes[code - 0x80] : code;
}

static int digit_of(char byte, int base)
{
    const int value = is_digit(byte) ? byte - '0' : is_alpha(byte) ? (byte | 0x20) - 'a' + 10 : base;
    return value < base ? value : -1;
}

/* "&#233;" or "&#xe9;"; 0 if it is none. */
static size_t decode_number(int32_t *code, const char *text, size_t bytes)
{
    const int base = bytes > 2 && (text[2] == 'x' || text[2] == 'X') ? 16 : 10;
    const size_t digits = base == 16 ? 3 : 2;
    size_t at = digits;
    int32_t value = 0;
    for (int digit; at < bytes && (digit = digit_of(text[at], base)) >= 0; at++)
        value = value > 0x10ffff ? value : value * base + digit;
    if (at == digits)
        return 0;
    const bool valid = value && value <= 0x10ffff && (value < 0xd800 || value > 0xdfff);
    *code = valid ? windows_1252(value) : REPLACEMENT;
    return at + (at < bytes && text[at] == ';');
}

/* Copies the name behind "&"; returns its length. */
static size_t entity_name(char name[MOST_ENTITY], const char *text, size_t bytes)
{
    size_t length = 0;
    while (length + 1 < MOST_ENTITY && 1 + length < bytes && is_alnum(text[1 + length])) {
        name[length] = text[1 + length];
        length++;
    }
    name[length] = '\0';
    return length;
}

size_t html_unknown_entity(const char *bytes, size_t size)
{
    char name[MOST_ENTITY];
    if (!size || bytes[0] != '&')
        return 0;
    const size_t length = entity_name(name, bytes, size), end = 1 + length;
    return length && end < size && bytes[end] == ';' && html_entity(name) < 0 ? length + 2 : 0;
}

bool html_has_unknown_entity(const char *bytes, size_t size)
{
    const char *at = bytes, *const end = bytes + size;
    while (at < end && (at = memchr(at, '&', (size_t)(end - at))) &&
           !html_unknown_entity(at, (size_t)(end - at)))
        at++;
    return at && at < end;
}

/* "&eacute;"; "&eacute" is taken for it too, as browsers do with the entities of Latin 1. */
static size_t decode_name(int32_t *code, const char *text, size_t bytes)
{
    char name[MOST_ENTITY];
    size_t length = entity_name(name, text, bytes);
    if (length && 1 + length < bytes && text[1 + length] == ';')
        return (*code = html_entity(name)) >= 0 ? length + 2 : 0;
    for (length = length > 6 ? 6 : length; length > 1; length--) {
        name[length] = '\0';
        *code = html_entity(name);
        if (*code >= 0 && *code < 0x100 && strcmp(name, "apos") != 0)
            return length + 1;
    }
    return 0;
}

size_t html_decode(int32_t *code, const char *bytes, size_t size, size_t at)
{
    const char *text = bytes + at;
    size_t used = 0;
    if (*text == '&' && at + 1 < size)
        used = text[1] == '#' ? decode_number(code, text, size - at) : decode_name(code, text, size - at);
    if (!used)
        used = utf8_decode(text, size - at, code);
    if (used)
        return used;
    *code = windows_1252((unsigned char)*text);
    return 1;
}

void html_encode(struct strbuf *out, int32_t code, bool ascii)
{
    if (code == '&')
        strbuf_adds(out, "&amp;");
    else if (code == '<')
        strbuf_adds(out, "&lt;");
    else if (code == '>')
        strbuf_adds(out, "&gt;");
    else if (code == 0xa0)
        strbuf_adds(out, "&#160;"); /* XML does not know "&nbsp;" */
    else if (code >= 0x80 && ascii)
        strbuf_addf(out, "&#%d;", (int)code);
    else
        utf8_append(out, code);
}

/* ---- encodings ---- */

static bool has_word(const char *text, const char *end, const char *word)
{
    const size_t length = strlen(word);
    return (size_t)(end - text) >= length && !strncasecmp(text, word, length);
}

static bool in_encoding(char byte)
{
    return is_alnum(byte) || (byte && strchr("-_.:", byte));
}

/* The encoding that a tag names behind the word; an empty text if there is none. */
static void read_encoding(char name[HTML_ENCODING], const char *text, const char *end, const char *word)
{
    size_t length = 0;
    while (text < end && !has_word(text, end, word))
        text++;
    if (text < end)
        text += strlen(word);
    while (text < end && html_is_blank(*text))
        text++;
    if (text == end || *text != '=')
        end = text; /* a word of a description */
    for (text += text < end; text < end && strchr(" \t\r\n\f\"'", *text); text++)
        ;
    while (text + length < end && length + 1 < HTML_ENCODING && in_encoding(text[length])) {
        name[length] = text[length];
        length++;
    }
    name[length] = '\0';
}

bool html_is_one_of(const char *name, const char *const *names)
{
    while (*names && strcasecmp(name, *names) != 0)
        names++;
    return *names != NULL;
}

void html_encoding(char name[HTML_ENCODING], const char *bytes, size_t size)
{
    static const char *const utf8[] = {"utf-8", "utf8", NULL};
    struct html_scan scan = {.bytes = bytes, .size = size};
    struct html_token token;
    for (name[0] = '\0'; !name[0] && html_scan_next(&token, &scan);) {
        const char *text = bytes + token.span.begin, *end = bytes + token.span.end;
        if (token.kind == HTML_OPEN && !strcmp(token.name, "meta"))
            read_encoding(name, text, end, "charset");
        else if (token.kind == HTML_OTHER && has_word(text, end, "<?xml "))
            read_encoding(name, text, end, "encoding");
    }
    if (html_is_one_of(name, utf8))
        name[0] = '\0';
}

bool html_reads_encoding(const char *name)
{
    static const char *const read[] = {
        "windows-1252", "cp1252",          "x-cp1252",   "iso-8859-1", "iso8859-1", "iso88591",
        "iso_8859-1",   "iso_8859-1:1987", "latin1",     "latin-1",    "l1",        "cp819",
        "ibm819",       "csisolatin1",     "iso-ir-100", "us-ascii",   "ascii",     NULL};
    return !*name || html_is_one_of(name, read);
}

bool html_is_seven_bit(const char *name, const char *bytes, size_t size)
{
    static const struct {
        const char *begin, *shift;
    } encodings[] = {{"iso-2022-", "\x1b"}, {"hz-", "~{"}, {"utf-7", "+"}};
    bool shifts = false;
    for (size_t i = 0; i < sizeof encodings / sizeof encodings[0]; i++)
        for (size_t at = 0; has_word(name, name + strlen(name), encodings[i].begin) && at < size; at++) {
            if ((unsigned char)bytes[at] >= 0x80)
                return false;
            shifts |= has_word(bytes + at, bytes + size, encodings[i].shift);
        }
    return shifts;
}

bool html_is_utf16(const char *bytes, size_t size)
{
    static const char begins[][2] = {{'\xff', '\xfe'}, {'\xfe', '\xff'}, {'<', '\0'}, {'\0', '<'}};
    const size_t looked_at = size < MOST_LOOKED_AT ? size : MOST_LOOKED_AT;
    size_t nuls[2] = {0, 0};
    for (size_t i = 0; i < sizeof begins / sizeof begins[0] && size >= 2; i++)
        if (!memcmp(bytes, begins[i], 2))
            return true;
    for (size_t i = 0; i < looked_at; i++)
        nuls[i % 2] += !bytes[i];
    const size_t most = nuls[0] > nuls[1] ? nuls[0] : nuls[1], least = nuls[0] + nuls[1] - most;
    return most >= 2 && 4 * most > looked_at && 8 * least < most;
}
