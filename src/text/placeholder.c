/* Writes and reads the words that stand for protected strings. Which strings these are is decided in
 * protect.c. */
#include "placeholder.h"

#include "patterns.h"
#include "tokenize.h"
#include "utf8.h"

#include <stdio.h>
#include <string.h>

#define OPEN "\xef\xbd\x9f"   /* U+FF5F */
#define CLOSE "\xef\xbd\xa0"  /* U+FF60 */
#define COLON "\xef\xbc\x9a"  /* U+FF1A */
#define ESCAPE "\xef\xbc\x85" /* U+FF05 */
#define MARK_BYTES 3
#define ESCAPED_BYTES (MARK_BYTES + 4)

typedef bool code_set(int32_t code);

static bool in_string(int32_t code)
{
    return code == 0xffed || code == 0x2581 || code == 0xff05 || utf8_class_of(code) == UTF8_BLANK;
}

static bool in_text(int32_t code)
{
    return code == 0xff5f || code == 0xff05;
}

static void escape(struct strbuf *out, const char *text, size_t bytes, code_set *escaped)
{
    for (size_t at = 0; at < bytes;) {
        int32_t code;
        const size_t used = utf8_decode(text + at, bytes - at, &code);
        if (escaped(code))
            strbuf_addf(out, ESCAPE "%04X", (unsigned)code);
        else
            strbuf_add(out, text + at, used);
        at += used;
    }
}

void placeholder_add(struct strbuf *out, int number, const char *string, size_t bytes)
{
    strbuf_addf(out, OPEN "%d%s", number, string ? COLON : "");
    if (string)
        escape(out, string, bytes, in_string);
    strbuf_adds(out, CLOSE);
}

static bool begins_with(const char *text, size_t bytes, const char *mark)
{
    return bytes >= MARK_BYTES && !memcmp(text, mark, MARK_BYTES);
}

static bool ends_with(const char *text, size_t bytes, const char *mark)
{
    return bytes >= MARK_BYTES && begins_with(text + bytes - MARK_BYTES, MARK_BYTES, mark);
}

/* Parses a word without joiner marks: returns its number, or 0; *string becomes the part of the word that is
 * its string, empty for none. */
static int parse(struct span *string, const char *word, size_t bytes)
{
    int number = 0;
    size_t at = MARK_BYTES;
    if (!begins_with(word, bytes, OPEN) || !ends_with(word, bytes, CLOSE))
        return 0;
    const size_t end = bytes - MARK_BYTES;
    for (; at < end && word[at] >= '0' && word[at] <= '9' && number <= PLACEHOLDERS; at++)
        number = 10 * number + (word[at] - '0');
    const bool has_string = at < end && begins_with(word + at, end - at, COLON);
    *string = has_string ? (struct span){at + MARK_BYTES, end} : (struct span){at, at};
    return number <= PLACEHOLDERS && (has_string || at == end) ? number : 0;
}

int placeholder_number(const char *word, size_t bytes)
{
    struct span string;
    if (begins_with(word, bytes, TOKENIZE_JOINER)) {
        word += MARK_BYTES;
        bytes -= MARK_BYTES;
    }
    if (ends_with(word, bytes, TOKENIZE_JOINER))
        bytes -= MARK_BYTES;
    return parse(&string, word, bytes);
}

/* The character that is escaped at the start of the text; -1 if there is none. */
static int32_t escaped_code(const char *text, size_t bytes, code_set *escaped)
{
    char digits[5] = "";
    unsigned code;
    if (bytes >= ESCAPED_BYTES && begins_with(text, bytes, ESCAPE))
        memcpy(digits, text + MARK_BYTES, 4);
    if (strspn(digits, "0123456789ABCDEF") != 4 || sscanf(digits, "%x", &code) != 1)
        return -1;
    return escaped((int32_t)code) ? (int32_t)code : -1;
}

static void unescape(struct strbuf *out, const char *text, size_t bytes, code_set *escaped)
{
    for (size_t at = 0; at < bytes;) {
        const int32_t code = escaped_code(text + at, bytes - at, escaped);
        if (code >= 0) {
            utf8_append(out, code);
            at += ESCAPED_BYTES;
        } else {
            strbuf_addch(out, text[at++]);
        }
    }
}

bool placeholder_add_string(struct strbuf *out, const char *word, size_t bytes)
{
    struct span string;
    if (!parse(&string, word, bytes) || string.end == string.begin)
        return false;
    unescape(out, word + string.begin, string.end - string.begin, in_string);
    return true;
}

void placeholder_escape(struct strbuf *out, const char *text, size_t bytes)
{
    escape(out, text, bytes, in_text);
}

void placeholder_unescape(struct strbuf *out, const char *text, size_t bytes)
{
    unescape(out, text, bytes, in_text);
}
