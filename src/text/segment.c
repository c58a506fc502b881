/* Cuts a text into words and signs, and finds the shape of a word. */
#include "segment.h"

#include "casing.h"
#include "sentence_signs.h"
#include "spelling.h"

#include <string.h>

#define MOST_BEGINNING 4096 /* bytes of a term; those of glossaries are shorter */
#define MOST_MARKS 16       /* on a sign, that are of its segment */
#define MOST_SIGNS 16       /* between words, that are looked at for the end of a sentence */

/* Is the word at a place the first of a sentence: at the beginning, or behind a stop, and a blank unless the
 * stop needs none? */
static bool is_first(const struct scan *s, size_t at)
{
    bool blank = false;
    for (int i = 0; at > 0 && i < MOST_SIGNS; i++) {
        int32_t code = ' ';
        at -= scan_behind_escape(s, at) ? 2 : utf8_decode_before(s->text, at, &code);
        const enum utf8_class class = utf8_class_of(code);
        if (class == UTF8_LETTER || class == UTF8_DIGIT)
            return false;
        if (class == UTF8_SYMBOL && sign_is_stop(code))
            return blank || sign_is_tight(code);
        blank |= class == UTF8_BLANK;
    }
    return at == 0;
}

/* What a word consists of. */
struct letters {
    int characters, upper, lower, digits;
    int modifiers; /* in front */
    bool capital;  /* likewise, or behind those */
};

static enum word_shape shape_of(const struct letters *l, const struct scan *s, size_t at)
{
    if (l->digits)
        return l->digits == l->characters ? SHAPE_NUMBER : SHAPE_DIGITS;
    if (!l->upper)
        return SHAPE_LOWER;
    if (l->upper > 1 && !l->lower)
        return SHAPE_UPPER;
    if (l->upper > 1 || !l->capital)
        return SHAPE_MIXED;
    return is_first(s, at) ? SHAPE_FIRST : SHAPE_CAPITAL;
}

static void count(struct letters *l, int32_t code)
{
    const enum utf8_case letter = utf8_case_of(code);
    if (is_armenian_mark(code) || is_accent(code))
        return;
    l->capital |= l->characters == l->modifiers && letter == UTF8_UPPER;
    l->modifiers += l->characters++ == l->modifiers && utf8_is_modifier(code);
    l->digits += utf8_class_of(code) == UTF8_DIGIT;
    l->upper += letter == UTF8_UPPER;
    l->lower += letter == UTF8_LOWER;
}

int32_t segment_code(const struct scan *s, size_t at)
{
    return s->seen ? seen_words_sign(s->seen, s->text, s->bytes, at) : scan_code(s, at);
}

int32_t segment_code_before(const struct scan *s, size_t at)
{
    int32_t code = scan_behind_escape(s, at) ? ' ' : 0;
    for (size_t length; !code && char_before(s->text, at, &length) >= 0;)
        code = segment_code(s, at -= length);
    return code;
}

/* Marks and joiners that are not read are of the word before them, where it stays as it is. */
static void add_unread(struct segment *segment, const struct scan *s)
{
    int32_t code;
    for (int i = 0; i < MOST_MARKS && (code = scan_code(s, segment->end)) && utf8_extends(code) &&
                    utf8_class_of(code) == UTF8_LETTER && !segment_code(s, segment->end);
         i++)
        segment->end = scan_next(s, segment->end);
}

/* The end of digits at the place that a unit which is no part of their word touches; 0 if there are none. */
static size_t digits_before_unit(const struct scan *s, size_t at)
{
    const size_t end = scan_run(s, at, s->bytes, is_digit);
    return end > at && number_stands_before_unit(s, end) ? end : 0;
}

bool segment_at(struct segment *segment, const struct scan *s, size_t at)
{
    int32_t code = segment_code(s, at);
    struct letters l = {0};
    if (at >= s->bytes || utf8_class_of(code) == UTF8_BLANK)
        return false;
    *segment = (struct segment){.begin = at, .end = scan_next(s, at)};
    if (!is_in_word(code)) {
        for (int i = 0; i < MOST_MARKS && (code = scan_code(s, segment->end)) && utf8_extends(code); i++)
            segment->end = scan_next(s, segment->end);
        return true;
    }
    count(&l, code);
    const size_t digits = digits_before_unit(s, at);
    for (int32_t last = code; segment->end != digits; last = code) {
        size_t next = segment->end;
        while (!(code = segment_code(s, next)) && next < s->bytes) /* not read, such as a soft hyphen */
            next = scan_next(s, next);
        if (is_parted(last, code) || scan_behind_escape(s, next))
            break;
        count(&l, code);
        segment->end = scan_next(s, next);
    }
    segment->shape = shape_of(&l, s, at);
    segment->is_word = l.characters > 1 &&
                       (segment->shape != SHAPE_NUMBER || number_is_whole(s, segment->begin, segment->end));
    add_unread(segment, s);
    return true;
}

bool segment_next(struct segment *segment, const struct scan *s, size_t *at)
{
    while (*at < s->bytes && !segment_at(segment, s, *at))
        *at = scan_next(s, *at);
    if (*at >= s->bytes)
        return false;
    *at = segment->end;
    return true;
}

bool segment_behind_hyphen(struct segment *next, const struct segment *segment, const struct scan *s)
{
    const size_t at = segment->end + 1;
    return is_in_word(scan_code(s, segment->begin)) && scan_byte(s, segment->end) == '-' &&
           is_in_word(scan_code(s, at)) && segment_at(next, s, at);
}

bool segment_is_name(const struct segment *segment)
{
    return segment->is_word && (segment->shape == SHAPE_CAPITAL || segment->shape == SHAPE_FIRST ||
                                segment->shape == SHAPE_UPPER || segment->shape == SHAPE_MIXED);
}

/* Is all of it read as it is written? */
static bool is_plain(const struct scan *s, const struct segment *segment)
{
    bool plain = true;
    for (size_t at = segment->begin; at < segment->end && plain; at = scan_next(s, at)) {
        const int32_t code = scan_code(s, at);
        plain = code < 0x80 && !(s->seen && seen_words_may_read(code));
    }
    return plain;
}

void segment_add_normal(struct strbuf *out, const struct scan *s, const struct segment *segment)
{
    struct strbuf read;
    if (is_plain(s, segment)) {
        strbuf_add(out, s->text + segment->begin, segment->end - segment->begin);
        return;
    }
    strbuf_init(&read);
    for (size_t at = segment->begin; at < segment->end; at = scan_next(s, at)) {
        const int32_t code = segment_code(s, at);
        if (code && !is_armenian_mark(code))
            utf8_append(&read, code);
    }
    utf8_normalize(out, read.text, read.length, UTF8_NFC);
    strbuf_release(&read);
}

static bool has(const struct strmap *words, const struct strbuf *word)
{
    return strmap_find(words, word->text, word->length) >= 0;
}

/* Is it seen in the lower case of Turkish and its relatives? Their words may stand in any text. */
static bool is_seen_dotless(const struct strbuf *word, const struct seen_words *seen)
{
    struct strbuf lower;
    if (strmap_find(&seen->characters, "ı", strlen("ı")) < 0)
        return false;
    strbuf_init(&lower);
    casing_lower(&lower, CASING_TURKIC, word->text, word->length);
    const bool seen_so = has(&seen->words, &lower);
    strbuf_release(&lower);
    return seen_so;
}

/* Is it seen in another spelling? */
static bool is_seen_respelled(const struct strbuf *word, const struct seen_words *seen)
{
    struct strbuf other;
    strbuf_init(&other);
    const bool is = spelling_find(&other, seen, word->text, word->length);
    strbuf_release(&other);
    return is;
}

/* Is it a word of the training text, in any case? `key`: in lower case. */
static bool is_seen(const struct strbuf *word, const struct strbuf *key, const struct seen_words *seen)
{
    return has(&seen->words, key) || is_seen_dotless(word, seen) || is_seen_respelled(word, seen);
}

bool segment_is_seen(const struct segment *segment, const struct scan *s)
{
    struct strbuf normal, key;
    strbuf_init(&normal);
    strbuf_init(&key);
    segment_add_normal(&normal, s, segment);
    utf8_lower(&key, normal.text, normal.length);
    const bool seen = is_seen(&normal, &key, s->seen);
    strbuf_release(&normal);
    strbuf_release(&key);
    return seen;
}

/* ---- unseen words ---- */

/* Spaces and invisible signs may vanish; of category C, those that fonts or newer versions of Unicode have
 * are seen. */
static bool is_visible(int32_t code)
{
    const char category = utf8_category(code);
    const bool maybe_seen = code >= 0xe000 && code != 0xfeff && code >> 12 != 0xe0;
    return category != 'Z' && (category != 'C' || maybe_seen);
}

static bool has_unseen_character(const struct strbuf *text, const struct seen_words *seen)
{
    size_t used = 0;
    for (size_t at = 0; at < text->length; at += used) {
        int32_t code;
        used = utf8_decode(text->text + at, text->length - at, &code);
        if (is_visible(code) && strmap_find(&seen->characters, text->text + at, used) < 0)
            return true;
    }
    return false;
}

/* Are its unseen characters read as others, such as capitals as small letters? */
static bool is_known_respelled(const struct strbuf *word, const struct seen_words *seen)
{
    struct strbuf lower;
    strbuf_init(&lower);
    seen_words_respell(&lower, seen, word->text, word->length);
    const bool known = !has_unseen_character(&lower, seen);
    strbuf_release(&lower);
    return known;
}

/* Is it a word of a term? */
static bool is_of_term(const struct user_words *user, const struct strbuf *key)
{
    const size_t most = key->length < MOST_BEGINNING ? key->length : MOST_BEGINNING;
    bool text = has(&user->term_words, key);
    for (size_t at = 1; at <= most && user->term_beginnings.count && !text; at++)
        text = strmap_find(&user->term_beginnings, key->text, at) >= 0;
    return text;
}

/* An apostrophe of another kind than in the training text, as in "it’s", belongs to no other language. */
static bool is_apostrophe(const struct segment *segment, const struct scan *s)
{
    return sign_is_quote(scan_code(s, segment->begin)) && is_in_word(scan_code_before(s, segment->begin)) &&
           is_in_word(scan_code(s, segment->end));
}

static bool has_translation(const struct user_words *user, const char *word, size_t bytes)
{
    struct strbuf normal;
    bool as_it_is;
    strbuf_init(&normal);
    utf8_normalize(&normal, word, bytes, UTF8_NFC);
    const bool is = user_words_find(&as_it_is, user, normal.text, normal.length) >= 0;
    strbuf_release(&normal);
    return is;
}

/* Has the user's dictionary a word, as it is written or as it is read? */
static bool is_translated(const struct segment *segment, const struct scan *s)
{
    const struct user_words *user = s->user_words;
    const struct span span = {segment->begin, segment->end};
    struct strbuf read;
    if (!user || !user->translated)
        return false;
    strbuf_init(&read);
    seen_words_read(&read, s->seen, s->text, s->bytes, span, true);
    const bool is = has_translation(user, s->text + span.begin, span.end - span.begin) ||
                    has_translation(user, read.text, read.length);
    strbuf_release(&read);
    return is;
}

/* Is it a word of a term, in the lower case of its language or of others? */
static bool is_of_some_term(const struct user_words *user, const struct strbuf *normal,
                            const struct strbuf *key)
{
    if (!user)
        return false;
    bool is = is_of_term(user, key);
    if (!is && user->casing != CASING_COMMON) {
        struct strbuf lower;
        strbuf_init(&lower);
        casing_lower(&lower, user->casing, normal->text, normal->length);
        is = is_of_term(user, &lower);
        strbuf_release(&lower);
    }
    return is;
}

bool segment_is_unseen(const struct segment *segment, const struct scan *s)
{
    struct strbuf normal, key;
    strbuf_init(&normal);
    strbuf_init(&key);
    segment_add_normal(&normal, s, segment);
    utf8_lower(&key, normal.text, normal.length);
    const bool seen = is_seen(&normal, &key, s->seen);
    bool unseen = has_unseen_character(&normal, s->seen) && !(seen && is_known_respelled(&normal, s->seen)) &&
                  !is_apostrophe(segment, s);
    if (segment->is_word && !seen)
        unseen |=
            seen_words_may_copy(s->seen, segment->shape, key.text, key.length) || is_translated(segment, s);
    unseen = unseen && !is_of_some_term(s->user_words, &normal, &key);
    strbuf_release(&normal);
    strbuf_release(&key);
    return unseen;
}
