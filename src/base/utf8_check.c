/* Finds the bytes that are not UTF-8, and replaces them; counts characters and columns; finds control
 * characters. Properties of characters are in text/utf8.c. */
#include "utf8_check.h"

#include <string.h>

/* By first byte: the length of the character, and the range of its second byte; all further bytes are 80
 * to BF. */
static const struct lead {
    unsigned char first, last, bytes, second_from, second_to;
} leads[] = {
    {0x00, 0x7f, 1, 0x00, 0x00}, {0xc2, 0xdf, 2, 0x80, 0xbf}, {0xe0, 0xe0, 3, 0xa0, 0xbf},
    {0xe1, 0xec, 3, 0x80, 0xbf}, {0xed, 0xed, 3, 0x80, 0x9f}, {0xee, 0xef, 3, 0x80, 0xbf},
    {0xf0, 0xf0, 4, 0x90, 0xbf}, {0xf1, 0xf3, 4, 0x80, 0xbf}, {0xf4, 0xf4, 4, 0x80, 0x8f},
};

/* Length of the character at `text` in bytes, 0 if it is not valid. */
static size_t character_bytes(const unsigned char *text, size_t bytes)
{
    const struct lead *lead = leads, *const end = leads + sizeof leads / sizeof leads[0];
    while (lead < end && (text[0] < lead->first || text[0] > lead->last))
        lead++;
    if (lead == end || lead->bytes > bytes)
        return 0;
    if (lead->bytes > 1 && (text[1] < lead->second_from || text[1] > lead->second_to))
        return 0;
    for (size_t i = 2; i < lead->bytes; i++)
        if (text[i] < 0x80 || text[i] > 0xbf)
            return 0;
    return lead->bytes;
}

size_t utf8_check(const char *text, size_t bytes)
{
    const unsigned char *t = (const unsigned char *)text;
    size_t at = 0, used = 1;
    while (at < bytes && (used = character_bytes(t + at, bytes - at)) > 0)
        at += used;
    return at;
}

bool utf8_valid(const char *text)
{
    const size_t bytes = strlen(text);
    return utf8_check(text, bytes) == bytes;
}

size_t utf8_count(const char *text, size_t bytes)
{
    size_t count = 0;
    for (size_t i = 0; i < bytes; i++)
        count += !utf8_continues(text[i]);
    return count;
}

size_t utf8_whole_bytes(const char *text, size_t most)
{
    size_t bytes = most;
    while (bytes > 0 && bytes + 3 > most && utf8_continues(text[bytes]))
        bytes--;
    return bytes;
}

size_t utf8_fitting_bytes(const char *text, int columns)
{
    size_t fitting = 0;
    while (text[fitting] && columns > 0) {
        size_t bytes = 1;
        while (utf8_continues(text[fitting + bytes]))
            bytes++;
        columns -= bytes > 2 ? 2 : 1;
        if (columns >= 0)
            fitting += bytes;
    }
    return fitting;
}

size_t utf8_control(const char *text)
{
    const unsigned char first = (unsigned char)text[0], second = first ? (unsigned char)text[1] : 0;
    if (first == 0xc2 && second >= 0x80 && second < 0xa0)
        return 2;
    return (first && first < ' ') || first == 0x7f;
}

void utf8_hide_controls(char *text, const char *kept)
{
    for (size_t bytes; *text; text += bytes ? bytes : 1) {
        bytes = strchr(kept, *text) ? 0 : utf8_control(text);
        memset(text, '?', bytes);
    }
}

/* Appends valid text with U+FFFD for each NUL; returns their number. */
static size_t replace_nuls(struct strbuf *out, const char *text, size_t bytes)
{
    size_t count = 0;
    for (const char *nul; (nul = memchr(text, '\0', bytes)); count++) {
        strbuf_add(out, text, (size_t)(nul - text));
        strbuf_adds(out, UTF8_REPLACEMENT);
        bytes -= (size_t)(nul + 1 - text);
        text = nul + 1;
    }
    strbuf_add(out, text, bytes);
    return count;
}

size_t utf8_repair(struct strbuf *out, const char *text, size_t bytes)
{
    size_t bad = 0;
    while (bytes) {
        const size_t good = utf8_check(text, bytes);
        bad += replace_nuls(out, text, good);
        if (good < bytes) {
            strbuf_adds(out, UTF8_REPLACEMENT);
            bad++;
        }
        const size_t done = good < bytes ? good + 1 : good;
        text += done;
        bytes -= done;
    }
    return bad;
}
