/* Writes and reads the words that stand for protected strings. Which strings these are is decided in
 * protect.c. */
#include "placeholder.h"

#include "marks.h"
#include "tokenize.h"
#include "utf8.h"

#include <string.h>

#define OPEN "\xef\xbd\x9f"  /* U+FF5F */
#define CLOSE "\xef\xbd\xa0" /* U+FF60 */
#define COLON "\xef\xbc\x9a" /* U+FF1A */

typedef bool code_set(int32_t code);

static bool in_string(int32_t code)
{
    return is_mark(code) || utf8_class_of(code) == UTF8_BLANK;
}

static bool in_text(int32_t code)
{
    return code == 0xff5f || code == ESCAPE_CODE;
}

static void escape(struct strbuf *out, const char *text, size_t bytes, code_set *escaped)
{
    for (size_t at = 0; at < bytes;) {
        int32_t code;
        const size_t used = utf8_decode(text + at, bytes - at, &code);
        if (escaped(code))
            mark_escape(out, code);
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

/* Parses a word without joiner marks: returns its number, or 0; *string becomes the part of the word that is
 * its string, empty for none. */
static int parse(struct span *string, const char *word, size_t bytes)
{
    int number = 0;
    size_t at = MARK_BYTES;
    if (!begins_with_mark(word, bytes, OPEN) || !ends_with_mark(word, bytes, CLOSE))
        return 0;
    const size_t end = bytes - MARK_BYTES;
    for (; at < end && word[at] >= '0' && word[at] <= '9' && number <= PLACEHOLDERS; at++)
        number = 10 * number + (word[at] - '0');
    const bool has_string = at < end && begins_with_mark(word + at, end - at, COLON);
    *string = has_string ? (struct span){at + MARK_BYTES, end} : (struct span){at, at};
    return number <= PLACEHOLDERS && (has_string || at == end) ? number : 0;
}

int placeholder_number(const char *word, size_t bytes)
{
    struct span string;
    if (word_joins_left(word, bytes)) {
        word += MARK_BYTES;
        bytes -= MARK_BYTES;
    }
    if (word_joins_right(word, bytes))
        bytes -= MARK_BYTES;
    return parse(&string, word, bytes);
}

/* No line has a line feed: one that is named stays so. */
static void unescape(struct strbuf *out, const char *text, size_t bytes, code_set *escaped)
{
    for (size_t at = 0; at < bytes;) {
        const int32_t code = mark_escaped(text + at, bytes - at);
        if (code >= 0 && code != '\n' && escaped(code)) {
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
