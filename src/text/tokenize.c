/* Splits text into words by category and script, blank or character, with joiner marks, and joins it again.
 * Normal forms and character classes are in utf8.c. */
#include "tokenize.h"

#include "marks.h"
#include "placeholder.h"
#include "utf8.h"

#include <string.h>

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

bool word_joins_left(const char *word, size_t bytes)
{
    return begins_with_mark(word, bytes, TOKENIZE_JOINER);
}

bool word_joins_right(const char *word, size_t bytes)
{
    return ends_with_mark(word, bytes, TOKENIZE_JOINER);
}

/* A text, and parts of it that are words as they are. */
struct marked_text {
    const char *text;
    size_t bytes;
    const struct whole_word *whole; /* [count], in the order of the text */
    size_t count;
};

/* The whole part that begins at `at`, which is then the next of *parts to come; else NULL. */
static const struct whole_word *whole_part(const struct marked_text *from, size_t at, size_t *parts)
{
    if (*parts == from->count || from->whole[*parts].span.begin != at)
        return NULL;
    return &from->whole[(*parts)++];
}

static void add_character(struct strbuf *out, const char *text, size_t bytes, int32_t code)
{
    if (is_mark(code))
        mark_escape(out, code);
    else
        strbuf_add(out, text, bytes);
}

/* Undoes add_character for one word. A model may combine subwords that no text has, such as "ab@@" and
 * "￭,": a joiner inside a word vanishes, a mark for a blank becomes one. */
static void add_unescaped(struct strbuf *out, const char *text, size_t bytes)
{
    for (size_t at = 0; at < bytes;) {
        const bool may_be_mark = ((unsigned char)text[at] & 0xf0) == 0xe0; /* of three bytes */
        const int32_t escaped = may_be_mark ? mark_escaped(text + at, bytes - at) : -1;
        if (is_mark(escaped)) {
            utf8_append(out, escaped);
            at += ESCAPED_BYTES;
        } else if (may_be_mark && word_joins_left(text + at, bytes - at)) {
            at += MARK_BYTES;
        } else if (may_be_mark && begins_with_mark(text + at, bytes - at, TOKENIZE_BLANK)) {
            strbuf_addch(out, ' ');
            at += MARK_BYTES;
        } else {
            strbuf_addch(out, text[at++]);
        }
    }
}

/* A word of a sentence with protected strings may be one. */
static void add_word(struct strbuf *out, const char *word, size_t bytes, bool protected)
{
    if (!protected || !placeholder_add_string(out, word, bytes))
        add_unescaped(out, word, bytes);
}

/* ---- script and unicode ---- */

#define MOST_RUN 16 /* characters of a word in a script without blanks: BPE learns from bounded words */

/* What a character is for its neighbours. */
struct trait {
    enum utf8_class class;
    enum utf8_script script; /* UTF8_SPACED throughout for the kind unicode */
    bool unspaced;           /* touches others that are so without a mark */
    bool whole;              /* it is a whole word: a placeholder … */
    bool before_unit;        /* … of a number; a letter behind it begins a unit */
};

static void trait_of(struct trait *trait, int32_t code, bool by_script)
{
    *trait = (struct trait){.class = utf8_class_of(code), .script = UTF8_SPACED};
    if (!by_script || trait->class == UTF8_BLANK)
        return;
    const enum utf8_script script = utf8_script_of(code);
    const bool unspaced = script != UTF8_SPACED || (trait->class == UTF8_SYMBOL && utf8_is_east_asian(code));
    if (unspaced && !is_mark(code) && utf8_category(code) != 'M') {
        trait->script = script;
        trait->unspaced = true;
    }
}

static bool is_unspaced(int32_t code)
{
    struct trait trait;
    trait_of(&trait, code, true);
    return trait.unspaced;
}

/* Of two neighbours, the one that ranks higher is less wordlike and gets the mark. A whole word comes between
 * digits and symbols. */
static int rank(struct trait trait)
{
    return 2 * (int)trait.class - (trait.script != UTF8_SPACED || trait.whole);
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
    if (trait->class != last.class || trait->whole || last.whole ||
        (last.class != UTF8_LETTER && last.class != UTF8_DIGIT))
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

/* The last character that is no mark, with which marks combine; 0 if there is none. */
static int32_t last_base(const char *word, size_t bytes)
{
    for (size_t at = bytes, used; at > 0; at -= used) {
        int32_t code;
        used = utf8_decode_before(word, at, &code);
        if (!used)
            break;
        if (utf8_category(code) != 'M')
            return code;
    }
    return 0;
}

static bool begins_caseless(const char *word, size_t bytes)
{
    int32_t code;
    return utf8_decode(word, bytes, &code) > 0 && utf8_is_caseless(code);
}

static bool ends_caseless(const char *word, size_t bytes)
{
    return utf8_is_caseless(last_base(word, bytes));
}

/* May two neighbours touch without a mark? */
static bool need_no_mark(struct trait left, struct trait right)
{
    return (left.unspaced && (right.unspaced || right.whole)) || (left.whole && right.unspaced);
}

/* Of two words that touch in front of a place, does the right one get the mark? Of two symbols it does;
 * beside a whole word, letters without case do: particles are written onto any word. So do units. */
static bool right_has_mark(struct trait left, struct trait right, const struct marked_text *from, size_t at)
{
    if (left.whole && !right.whole &&
        (begins_caseless(from->text + at, from->bytes - at) ||
         (left.before_unit && right.class == UTF8_LETTER)))
        return true;
    if (right.whole && !left.whole && ends_caseless(from->text, at))
        return false;
    return rank(right) >= rank(left);
}

/* Puts what separates two words. */
static void separate(struct strbuf *out, struct trait left, struct trait right, bool touch,
                     const struct marked_text *from, size_t at)
{
    if (need_no_mark(left, right)) {
        strbuf_adds(out, touch ? " " : " " TOKENIZE_BLANK " ");
        return;
    }
    const bool to_right = touch && right_has_mark(left, right, from, at);
    strbuf_adds(out, !touch ? " " : to_right ? " " TOKENIZE_JOINER : TOKENIZE_JOINER " ");
}

/* Finds the trait of what is at a place, and its code; returns its length. */
static size_t next_trait(struct trait *trait, const struct marked_text *from, size_t at, size_t *parts,
                         bool by_script, int32_t *code)
{
    const struct whole_word *whole = whole_part(from, at, parts);
    if (whole) {
        *trait = (struct trait){UTF8_SYMBOL, UTF8_SPACED, false, true, whole->before_unit};
        return whole->span.end - at;
    }
    const size_t used = utf8_decode(from->text + at, from->bytes - at, code);
    trait_of(trait, *code, by_script);
    return used;
}

static void tokenize_runs(struct strbuf *out, const struct marked_text *from, bool by_script)
{
    struct trait last = {.class = UTF8_BLANK, .script = UTF8_SPACED}, trait;
    bool touch = false;
    int length = 0;
    for (size_t at = 0, used, parts = 0; at < from->bytes; at += used) {
        int32_t code = 0;
        used = next_trait(&trait, from, at, &parts, by_script, &code);
        if (trait.class == UTF8_BLANK) {
            touch = false;
            continue;
        }
        if (touch && continues_word(code, &trait, last, length)) {
            length++;
        } else {
            if (last.class != UTF8_BLANK)
                separate(out, last, trait, touch, from, at);
            length = 1;
        }
        add_character(out, from->text + at, used, code);
        last = trait;
        touch = true;
    }
}

void words_add_reversed(struct strbuf *out, const char *words, size_t bytes)
{
    const size_t from = out->length;
    size_t end = bytes;
    while (end > 0) {
        size_t begin = end;
        while (begin > 0 && words[begin - 1] != ' ')
            begin--;
        if (begin < end) {
            if (out->length > from)
                strbuf_addch(out, ' ');
            strbuf_add(out, words + begin, end - begin);
        }
        end = begin ? begin - 1 : 0;
    }
}

bool word_begins_unspaced(const char *word, size_t bytes)
{
    int32_t code;
    return bytes > 0 && utf8_decode(word, bytes, &code) > 0 && is_unspaced(code);
}

bool word_ends_unspaced(const char *word, size_t bytes)
{
    return is_unspaced(last_base(word, bytes));
}

static bool is_blank_mark(const char *word, size_t length)
{
    return length == MARK_BYTES && begins_with_mark(word, length, TOKENIZE_BLANK);
}

static void detokenize_runs(struct strbuf *out, const char *words, size_t bytes, bool by_script,
                            bool protected)
{
    const size_t begin = out->length;
    size_t at = 0, length;
    bool joined = true;                   /* no blank before the first word */
    struct trait last = {0}, trait = {0}; /* at their ends that meet */
    for (const char *word; (word = next_word(words, bytes, &at, &length));) {
        if (by_script && is_blank_mark(word, length)) {
            joined = out->length == begin;
            last = (struct trait){0};
            continue;
        }
        const bool joins_left = word_joins_left(word, length);
        if (joins_left) {
            word += MARK_BYTES;
            length -= MARK_BYTES;
        }
        const bool joins_right = word_joins_right(word, length);
        if (joins_right)
            length -= MARK_BYTES;
        trait.whole = by_script && protected && placeholder_number(word, length);
        trait.unspaced = by_script && !trait.whole && word_begins_unspaced(word, length);
        if (!joined && !joins_left && !need_no_mark(last, trait))
            strbuf_addch(out, ' ');
        add_word(out, word, length, protected);
        joined = joins_right;
        last = trait;
        last.unspaced = by_script && !trait.whole && word_ends_unspaced(word, length);
    }
}

static void tokenize_by_script(struct strbuf *out, const struct marked_text *from)
{
    tokenize_runs(out, from, true);
}

static void detokenize_by_script(struct strbuf *out, const char *words, size_t bytes, bool protected)
{
    detokenize_runs(out, words, bytes, true, protected);
}

static void tokenize_by_category(struct strbuf *out, const struct marked_text *from)
{
    tokenize_runs(out, from, false);
}

static void detokenize_by_category(struct strbuf *out, const char *words, size_t bytes, bool protected)
{
    detokenize_runs(out, words, bytes, false, protected);
}

/* ---- char ---- */

static void tokenize_by_character(struct strbuf *out, const struct marked_text *from)
{
    const size_t begin = out->length;
    bool blank = false;
    for (size_t at = 0, used, parts = 0; at < from->bytes; at += used) {
        struct trait trait;
        int32_t code = 0;
        used = next_trait(&trait, from, at, &parts, false, &code);
        if (trait.class == UTF8_BLANK) {
            blank = true;
            continue;
        }
        if (out->length > begin)
            strbuf_adds(out, blank ? " " TOKENIZE_BLANK " " : " ");
        blank = false;
        add_character(out, from->text + at, used, code);
    }
}

static void detokenize_by_character(struct strbuf *out, const char *words, size_t bytes, bool protected)
{
    size_t at = 0, length;
    for (const char *word; (word = next_word(words, bytes, &at, &length));)
        add_word(out, word, length, protected);
}

/* ---- whitespace ---- */

/* Copies the text with runs of blanks inside reduced to one. */
static void detokenize_by_whitespace(struct strbuf *out, const char *text, size_t bytes, bool protected)
{
    size_t at = 0, length, end = 0;
    for (const char *word; (word = next_word(text, bytes, &at, &length)); end = at) {
        if (end > 0)
            strbuf_addch(out, ' ');
        else
            strbuf_add(out, text, (size_t)(word - text));
        if (!protected)
            strbuf_add(out, word, length);
        else if (!placeholder_add_string(out, word, length))
            placeholder_unescape(out, word, length);
    }
    strbuf_add(out, text + end, bytes - end);
}

/* Whole parts have blanks around them. */
static void tokenize_by_whitespace(struct strbuf *out, const struct marked_text *from)
{
    detokenize_by_whitespace(out, from->text, from->bytes, false);
}

struct tokenizing {
    void (*tokenize)(struct strbuf *out, const struct marked_text *from);
    void (*detokenize)(struct strbuf *out, const char *words, size_t bytes, bool protected);
};

static const struct tokenizing by_script = {tokenize_by_script, detokenize_by_script};
static const struct tokenizing by_unicode = {tokenize_by_category, detokenize_by_category};
static const struct tokenizing by_whitespace = {tokenize_by_whitespace, detokenize_by_whitespace};
static const struct tokenizing by_char = {tokenize_by_character, detokenize_by_character};

#define ENTRY(constant, name) [constant] = &by_##name,
static const struct tokenizing *const kinds[] = {TOKENIZERS(ENTRY)};

void tokenize_around(struct strbuf *out, const char *text, size_t bytes, enum tokenize_kind kind,
                     const struct whole_word *whole, size_t count)
{
    kinds[kind]->tokenize(out, &(struct marked_text){text, bytes, whole, count});
}

void tokenize(struct strbuf *out, const char *text, size_t bytes, enum tokenize_kind kind)
{
    tokenize_around(out, text, bytes, kind, NULL, 0);
}

void detokenize(struct strbuf *out, const char *words, size_t bytes, enum tokenize_kind kind)
{
    kinds[kind]->detokenize(out, words, bytes, false);
}

void detokenize_protected(struct strbuf *out, const char *words, size_t bytes, enum tokenize_kind kind)
{
    kinds[kind]->detokenize(out, words, bytes, true);
}
