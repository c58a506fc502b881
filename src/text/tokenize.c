/* Splits text into words by category and script, blank or character, with joiner marks, and joins it again. Normal
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
 * "￭,": a joiner inside a word vanishes, a mark for a blank becomes one. */
static void add_unescaped(struct strbuf *out, const char *text, size_t bytes)
{
    for (size_t at = 0; at < bytes;) {
        const int32_t escaped = escaped_mark(text + at, bytes - at);
        if (escaped) {
            utf8_append(out, escaped);
            at += ESCAPED_BYTES;
        } else if (starts_with(text + at, bytes - at, TOKENIZE_JOINER)) {
            at += MARK_BYTES;
        } else if (starts_with(text + at, bytes - at, TOKENIZE_BLANK)) {
            strbuf_addch(out, ' ');
            at += MARK_BYTES;
        } else {
            strbuf_addch(out, text[at++]);
        }
    }
}

/* ---- script and unicode ---- */

#define MOST_RUN 16 /* characters of a word in a script without blanks: BPE learns from bounded words */

/* What a character is for its neighbours. */
struct trait {
    enum utf8_class class;
    enum utf8_script script; /* UTF8_SPACED throughout for the kind unicode */
    bool unspaced;           /* touches others that are so without a mark */
};

/* Punctuation of East Asia and the zero-width space, which stand in text without blanks. */
static bool is_unspaced_symbol(int32_t code)
{
    return code == 0x200b || (code >= 0x3000 && code <= 0x303f) || (code >= 0xff00 && code <= 0xffef);
}

static struct trait trait_of(int32_t code, bool by_script)
{
    struct trait trait = {utf8_class_of(code), UTF8_SPACED, false};
    if (by_script && !is_mark(code) && utf8_category(code) != 'M') {
        trait.script = utf8_script_of(code);
        trait.unspaced =
            trait.script != UTF8_SPACED || (trait.class == UTF8_SYMBOL && is_unspaced_symbol(code));
    }
    return trait;
}

/* Of two neighbours, the one that ranks higher is less wordlike and gets the mark. */
static int rank(struct trait trait)
{
    return 2 * (int)trait.class - (trait.script != UTF8_SPACED);
}

static bool is_kana(enum utf8_script script)
{
    return script == UTF8_HIRAGANA || script == UTF8_KATAKANA;
}

/* Thai and Lao vowels that are written before their consonant: a syllable begins. */
static bool begins_syllable(int32_t code)
{
    return (code >= 0x0e40 && code <= 0x0e44) || (code >= 0x0ec0 && code <= 0x0ec4);
}

/* Does the character belong to the word of the one before it, which has `length` characters? A combining
 * mark and the long vowel mark of kana then become what that one is. */
static bool continues_word(int32_t code, struct trait *trait, struct trait last, int length)
{
    if (trait->class != last.class || (last.class != UTF8_LETTER && last.class != UTF8_DIGIT))
        return false;
    if (last.script == UTF8_SPACED)
        return trait->script == UTF8_SPACED;
    if (utf8_category(code) == 'M' || (code == 0x30fc && is_kana(last.script))) {
        *trait = last;
        return true;
    }
    return trait->script == last.script && last.script != UTF8_HAN && length < MOST_RUN &&
           !begins_syllable(code);
}

/* Puts what separates two words. Of two symbols, the right one gets the mark. */
static void separate(struct strbuf *out, struct trait left, struct trait right, bool touch)
{
    if (left.unspaced && right.unspaced) {
        strbuf_adds(out, touch ? " " : " " TOKENIZE_BLANK " ");
        return;
    }
    if (touch && rank(right) < rank(left))
        strbuf_adds(out, TOKENIZE_JOINER);
    strbuf_addch(out, ' ');
    if (touch && rank(right) >= rank(left))
        strbuf_adds(out, TOKENIZE_JOINER);
}

static void tokenize_runs(struct strbuf *out, const char *text, size_t bytes, bool by_script)
{
    struct trait last = {UTF8_BLANK, UTF8_SPACED, false};
    bool touch = false;
    int length = 0;
    for (size_t at = 0, used; at < bytes; at += used) {
        int32_t code;
        used = utf8_decode(text + at, bytes - at, &code);
        struct trait trait = trait_of(code, by_script);
        if (trait.class == UTF8_BLANK) {
            touch = false;
            continue;
        }
        if (touch && continues_word(code, &trait, last, length)) {
            length++;
        } else {
            if (last.class != UTF8_BLANK)
                separate(out, last, trait, touch);
            length = 1;
        }
        add_character(out, text + at, used, code);
        last = trait;
        touch = true;
    }
}

static bool begins_unspaced(const char *word, size_t bytes)
{
    int32_t code;
    return bytes > 0 && utf8_decode(word, bytes, &code) > 0 && trait_of(code, true).unspaced;
}

/* Marks count as what they combine with. */
static bool ends_unspaced(const char *word, size_t bytes)
{
    for (size_t at = bytes; at > 0;) {
        int32_t code;
        do
            at--;
        while (at > 0 && ((unsigned char)word[at] & 0xc0) == 0x80);
        if (!utf8_decode(word + at, bytes - at, &code))
            return false;
        if (utf8_category(code) != 'M')
            return trait_of(code, true).unspaced;
    }
    return false;
}

static bool is_blank_mark(const char *word, size_t length)
{
    return length == MARK_BYTES && starts_with(word, length, TOKENIZE_BLANK);
}

static void detokenize_runs(struct strbuf *out, const char *words, size_t bytes, bool by_script)
{
    const size_t begin = out->length;
    size_t at = 0, length;
    bool joined = true; /* no blank before the first word */
    bool unspaced = false;
    for (const char *word; (word = next_word(words, bytes, &at, &length));) {
        if (by_script && is_blank_mark(word, length)) {
            joined = out->length == begin;
            unspaced = false;
            continue;
        }
        const bool joins_left = starts_with(word, length, TOKENIZE_JOINER);
        if (joins_left) {
            word += MARK_BYTES;
            length -= MARK_BYTES;
        }
        const bool joins_right =
            length >= MARK_BYTES && starts_with(word + length - MARK_BYTES, MARK_BYTES, TOKENIZE_JOINER);
        if (joins_right)
            length -= MARK_BYTES;
        if (!joined && !joins_left && !(unspaced && begins_unspaced(word, length)))
            strbuf_addch(out, ' ');
        add_unescaped(out, word, length);
        joined = joins_right;
        unspaced = by_script && ends_unspaced(word, length);
    }
}

static void tokenize_by_script(struct strbuf *out, const char *text, size_t bytes)
{
    tokenize_runs(out, text, bytes, true);
}

static void detokenize_by_script(struct strbuf *out, const char *words, size_t bytes)
{
    detokenize_runs(out, words, bytes, true);
}

static void tokenize_by_category(struct strbuf *out, const char *text, size_t bytes)
{
    tokenize_runs(out, text, bytes, false);
}

static void detokenize_by_category(struct strbuf *out, const char *words, size_t bytes)
{
    detokenize_runs(out, words, bytes, false);
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
        add_unescaped(out, word, length);
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

static const struct tokenizing by_script = {tokenize_by_script, detokenize_by_script};
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
