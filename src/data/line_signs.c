/* Measures one line of a corpus: its length, its quotes, its encoding. nmt check decides what is too long
 * or suspicious. */
#include "line_signs.h"

#include "casing.h"
#include "language_tag.h"
#include "utf8.h"

#include <ctype.h>
#include <string.h>

/* A subword of kana or Han mostly has two characters, and rarely more than three. */
#define SUBWORD_LETTERS 6

static int unspaced_letters(const char *text, size_t bytes)
{
    int count = 0;
    for (size_t at = 0; at < bytes;) {
        int32_t code;
        at += utf8_decode(text + at, bytes - at, &code);
        count += utf8_unspaced(code);
    }
    return count;
}

static int count_words(const struct strbuf *words, enum tokenize_kind kind)
{
    const bool split = kind != TOKENIZE_WHITESPACE && kind != TOKENIZE_CHAR; /* into subwords, by us */
    size_t at = 0, length;
    int count = 0;
    for (const char *word; (word = next_word(words->text, words->length, &at, &length));) {
        const int letters = split ? unspaced_letters(word, length) : 0;
        count += letters ? (letters + SUBWORD_LETTERS - 1) / SUBWORD_LETTERS : 1;
    }
    return count;
}

struct line_length line_length(const struct strbuf *line, const struct strbuf *words, enum tokenize_kind kind)
{
    struct line_length length = {.words = count_words(words, kind)};
    int unspaced = 0;
    for (size_t at = 0; at < line->length;) {
        int32_t code;
        at += utf8_decode(line->text + at, line->length - at, &code);
        if (utf8_is_space(code))
            continue;
        const int letters = utf8_unspaced(code);
        length.characters++;
        length.letters += letters ? letters : 1;
        unspaced += letters > 0;
    }
    length.unspaced = unspaced > 0 && 3 * unspaced >= length.characters;
    return length;
}

enum sheet_quotes sheet_quotes(const char *text, size_t bytes)
{
    enum sheet_quotes found = QUOTES_PERHAPS;
    if (bytes < 2 || text[0] != '"' || text[bytes - 1] != '"')
        return QUOTES_NONE;
    for (size_t at = 1; at < bytes - 1; at++) {
        if (text[at] != '"')
            continue;
        if (at + 1 == bytes - 1 || text[++at] != '"')
            return QUOTES_NONE;
        found = QUOTES_SURE;
    }
    return found;
}

bool is_ascii_line(const struct strbuf *line)
{
    for (size_t i = 0; i < line->length; i++)
        if ((unsigned char)line->text[i] >= 0x80)
            return false;
    return true;
}

bool has_windows_bytes(const struct strbuf *line)
{
    bool has = false;
    for (size_t i = 0; i < line->length; i++)
        has |= (unsigned char)line->text[i] >= 0x80 && (unsigned char)line->text[i] < 0xa0;
    return has;
}

#define WINDOWS_BYTES                                                                                        \
    "\x80\x81\x82\x83\x84\x85\x86\x87\x88\x89\x8a\x8b\x8c\x8d\x8e\x8f"                                       \
    "\x90\x91\x92\x93\x94\x95\x96\x97\x98\x99\x9a\x9b\x9c\x9d\x9e\x9f"

const struct old_encoding *old_encoding(const char *tag)
{
    static const struct old_encoding western = {.name = "WINDOWS-1252", .unassigned = "\x81\x8d\x8f\x90\x9d"};
    static const struct old_encoding encodings[] = {
        {.name = "WINDOWS-1254",
         .unassigned = "\x81\x8d\x8e\x8f\x90\x9d\x9e",
         .languages = {"ku", "kur", "kmr"},
         .turkic = true},
        {.name = "WINDOWS-1250",
         .unassigned = "\x81\x83\x88\x90\x98",
         .iso = "ISO-8859-2",
         .languages = {"bs",  "bos", "cs",  "ces", "dsb", "hr", "hrv", "hsb", "hu",  "hun", "pl",
                       "pol", "ro",  "ron", "sk",  "slk", "sl", "slv", "sq",  "sqi", "tk",  "tuk"}},
        {.name = "WINDOWS-1257",
         .unassigned = "\x81\x83\x88\x8a\x8c\x90\x98\x9a\x9c\x9f",
         .languages = {"et", "est", "lt", "lit", "lv", "lav"}},
        {.name = "ISO-8859-3", /* which Windows never had, so that a text with its signs is in another one */
         .unassigned = WINDOWS_BYTES "\xa5\xae\xbe\xc3\xd0\xe3\xf0",
         .languages = {"eo", "epo", "mt", "mlt"}}};
    for (const struct old_encoding *e = encodings;
         tag && e < encodings + sizeof encodings / sizeof encodings[0]; e++) {
        if (e->turkic && casing_of_language(tag) == CASING_TURKIC)
            return e;
        for (int i = 0; e->languages[i]; i++)
            if (language_tag_matches(tag, e->languages[i]))
                return e;
    }
    return &western;
}

bool looks_like_bytes(const struct strbuf *line, const char *unassigned)
{
    size_t high = 0, letters = 0;
    for (size_t i = 0; i < line->length; i++) {
        const unsigned char c = (unsigned char)line->text[i];
        if (!c || strchr(unassigned, c))
            return false;
        high += c >= 0x80;
        letters += c < 0x80 && isalpha(c);
    }
    return high > 0 && 3 * high <= letters;
}
