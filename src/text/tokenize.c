/* Splits text into words by category, blank or character, with joiner marks, and joins it again. Normal
 * forms and character classes are in utf8.c. */
#include "tokenize.h"

#include "utf8.h"

#include <stdio.h>
#include <string.h>

#define ESCAPE "\xef\xbc\x85" /* U+FF05 */
#define MARK_BYTES 3          /* length of each mark */
#define ESCAPED_BYTES (MARK_BYTES + 4)

const char *next_word(const char *text, size_t bytes, size_t *at, size_t *length)
{
    while (*at < bytes && text[*at] == ' ')
        ++*at;
    if (*at == bytes)
        return NULL;
    const char *word = text + *at;
    const char *end = memchr(word, ' ', bytes - *at);
    *length = end ? (size_t)(end - word) : bytes - *at;
    *at += *length;
    return word;
}

int word_count(const char *text, size_t bytes)
{
    size_t at = 0, length;
    int count = 0;
    while (next_word(text, bytes, &at, &length))
        count++;
    return count;
}

static bool starts_with(const char *text, size_t bytes, const char *mark)
{
    return bytes >= MARK_BYTES && !memcmp(text, mark, MARK_BYTES);
}

static bool is_mark(int32_t code)
{
    return code == 0xffed || code == 0x2581 || code == 0xff05;
}

static void add_character(struct strbuf *out, const char *text, size_t bytes, int32_t code)
{
    if (is_mark(code))
        strbuf_addf(out, ESCAPE "%04X", (unsigned)code);
    else
        strbuf_add(out, text, bytes);
}

/* The code of the escaped mark at the start of the text, or 0. */
static int32_t escaped_mark(const char *text, size_t bytes)
{
    char digits[5] = "";
    unsigned code = 0;
    if (bytes >= ESCAPED_BYTES && starts_with(text, bytes, ESCAPE))
        memcpy(digits, text + MARK_BYTES, 4);
    if (!digits[0] || strspn(digits, "0123456789ABCDEF") != 4 || sscanf(digits, "%x", &code) != 1)
        return 0;
    return is_mark((int32_t)code) ? (int32_t)code : 0;
}

/* Undoes add_character for one word. A model may combine subwords that no text has, such as "ab@@" and
 * "￭,": a mark inside a word becomes `instead`. */
static void add_unescaped(struct strbuf *out, const char *text, size_t bytes, const char *mark,
                          const char *instead)
{
    for (size_t at = 0; at < bytes;) {
        const int32_t escaped = escaped_mark(text + at, bytes - at);
        if (escaped) {
            utf8_append(out, escaped);
            at += ESCAPED_BYTES;
        } else if (starts_with(text + at, bytes - at, mark)) {
            strbuf_adds(out, instead);
            at += MARK_BYTES;
        } else {
            strbuf_addch(out, text[at++]);
        }
    }
}

/* ---- unicode ---- */

static void tokenize_by_category(struct strbuf *out, const char *text, size_t bytes)
{
    const size_t begin = out->length;
    enum utf8_class last = UTF8_BLANK;
    for (size_t at = 0; at < bytes;) {
        int32_t code;
        const size_t used = utf8_decode(text + at, bytes - at, &code);
        const enum utf8_class class = utf8_class_of(code);
        const bool same_word = class == last && (class == UTF8_LETTER || class == UTF8_DIGIT);
        if (class != UTF8_BLANK) {
            if (!same_word) {
                const bool touches = last != UTF8_BLANK;
                /* The less wordlike neighbour gets the mark (the classes are in that order); of two
                 * symbols, the right one. */
                if (touches && class < last)
                    strbuf_adds(out, TOKENIZE_JOINER);
                if (out->length > begin)
                    strbuf_addch(out, ' ');
                if (touches && class >= last)
                    strbuf_adds(out, TOKENIZE_JOINER);
            }
            add_character(out, text + at, used, code);
        }
        last = class;
        at += used;
    }
}

static void detokenize_by_category(struct strbuf *out, const char *words, size_t bytes)
{
    size_t at = 0, length;
    bool joined = true; /* no blank before the first word */
    for (const char *word; (word = next_word(words, bytes, &at, &length));) {
        const bool joins_left = starts_with(word, length, TOKENIZE_JOINER);
        if (joins_left) {
            word += MARK_BYTES;
            length -= MARK_BYTES;
        }
        const bool joins_right =
            length >= MARK_BYTES && starts_with(word + length - MARK_BYTES, MARK_BYTES, TOKENIZE_JOINER);
        if (joins_right)
            length -= MARK_BYTES;
        if (!joined && !joins_left)
            strbuf_addch(out, ' ');
        add_unescaped(out, word, length, TOKENIZE_JOINER, "");
        joined = joins_right;
    }
}

/* ---- char ---- */

static void tokenize_by_character(struct strbuf *out, const char *text, size_t bytes)
{
    const size_t begin = out->length;
    bool blank = false;
    for (size_t at = 0; at < bytes;) {
        int32_t code;
        const size_t used = utf8_decode(text + at, bytes - at, &code);
        if (utf8_class_of(code) == UTF8_BLANK) {
            blank = true;
        } else {
            if (out->length > begin)
                strbuf_adds(out, blank ? " " TOKENIZE_BLANK " " : " ");
            blank = false;
            add_character(out, text + at, used, code);
        }
        at += used;
    }
}

static void detokenize_by_character(struct strbuf *out, const char *words, size_t bytes)
{
    size_t at = 0, length;
    for (const char *word; (word = next_word(words, bytes, &at, &length));)
        add_unescaped(out, word, length, TOKENIZE_BLANK, " ");
}

/* ---- whitespace ---- */

/* Copies the text with runs of blanks inside reduced to one. */
static void copy_words(struct strbuf *out, const char *text, size_t bytes)
{
    size_t at = 0, length, end = 0;
    for (const char *word; (word = next_word(text, bytes, &at, &length)); end = at) {
        if (end > 0)
            strbuf_addch(out, ' ');
        else
            strbuf_add(out, text, (size_t)(word - text));
        strbuf_add(out, word, length);
    }
    strbuf_add(out, text + end, bytes - end);
}

struct tokenizing {
    void (*tokenize)(struct strbuf *out, const char *text, size_t bytes);
    void (*detokenize)(struct strbuf *out, const char *words, size_t bytes);
};

static const struct tokenizing by_unicode = {tokenize_by_category, detokenize_by_category};
static const struct tokenizing by_whitespace = {copy_words, copy_words};
static const struct tokenizing by_char = {tokenize_by_character, detokenize_by_character};

#define ENTRY(constant, name) [constant] = &by_##name,
static const struct tokenizing *const kinds[] = {TOKENIZERS(ENTRY)};

void tokenize(struct strbuf *out, const char *text, size_t bytes, enum tokenize_kind kind)
{
    kinds[kind]->tokenize(out, text, bytes);
}

void detokenize(struct strbuf *out, const char *words, size_t bytes, enum tokenize_kind kind)
{
    kinds[kind]->detokenize(out, words, bytes);
}
