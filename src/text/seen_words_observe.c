/* Finds what a sentence and its translation show of words and of which of them are copied. */
#define _GNU_SOURCE /* memmem */
#include "seen_words.h"

#include "patterns.h"
#include "seen_words_entries.h"
#include "segment.h"

#include <string.h>

#define MOST_SEARCHED ((size_t)4096) /* bytes of a translation, for each string; sentences are shorter */
#define WORD_KINDS (PATTERN_SET(PATTERN_UNSEEN) | PATTERN_SET(PATTERN_IDENTIFIER))
#define ALL_KINDS (2 * PATTERN_SET(PATTERN_UNSEEN) - 1)

static void add_characters(struct strbuf *line, const char *text, size_t bytes, bool capitals)
{
    size_t used = 0;
    for (size_t at = 0; at < bytes; at += used) {
        int32_t code;
        used = utf8_decode(text + at, bytes - at, &code);
        if (!capitals || utf8_case_of(code) == UTF8_UPPER || code == SMALL_PALOCHKA ||
            seen_words_is_apostrophe(code)) {
            strbuf_addch(line, SIGN);
            strbuf_add(line, text + at, used);
            strbuf_addch(line, ' ');
        }
    }
}

/* Appends a word's shape as a number, whether it is a copy, and its key. */
static void add_observation(struct strbuf *line, enum word_shape shape, const struct strbuf *normal,
                            const struct strmap *target)
{
    strbuf_addch(line, (char)('0' + (int)shape));
    strbuf_addch(line, strmap_find(target, normal->text, normal->length) >= 0 ? COPIED : NOT_COPIED);
    utf8_lower(line, normal->text, normal->length);
    strbuf_addch(line, ' ');
}

static void add_word(struct strbuf *line, const struct scan *s, const struct segment *segment,
                     const struct strmap *target)
{
    struct strbuf normal;
    strbuf_init(&normal);
    segment_add_normal(&normal, s, segment);
    add_characters(line, normal.text, normal.length, segment->is_word);
    if (segment->is_word)
        add_observation(line, segment->shape, &normal, target);
    strbuf_release(&normal);
}

/* The normal form of two words with a hyphen between them. */
static void add_hyphenated(struct strbuf *out, const struct scan *s, const struct segment *left,
                           const struct segment *right)
{
    segment_add_normal(out, s, left);
    strbuf_addch(out, '-');
    segment_add_normal(out, s, right);
}

static void add_pair(struct strbuf *line, const struct scan *s, const struct segment *left,
                     const struct segment *right, const struct strmap *target)
{
    struct strbuf normal;
    strbuf_init(&normal);
    add_hyphenated(&normal, s, left, right);
    add_observation(line, SHAPE_HYPHEN, &normal, target);
    strbuf_release(&normal);
}

static bool holds(const struct scan *s, const char *string, size_t bytes)
{
    const char *at = s->text, *const end = at + (s->bytes < MOST_SEARCHED ? s->bytes : MOST_SEARCHED);
    while ((at = memmem(at, (size_t)(end - at), string, bytes)) &&
           !scan_has_string(s, (size_t)(at - s->text), string, bytes))
        at++;
    return at != NULL;
}

/* Goes through the segments of a text and the strings that they are part of. */
struct segments {
    const struct scan *text, *translation; /* the latter may be NULL */
    struct patterns patterns;
    struct pattern_string string; /* the last one found */
    bool held;                    /* does the translation hold it? */
    size_t at, string_at;
};

/* What a string ends within, as in "%dKB", begins behind it. */
static bool segments_next(struct segment *segment, struct segments *segments)
{
    const struct scan *text = segments->text;
    const struct span *span = &segments->string.span;
    while (segment_next(segment, text, &segments->at)) {
        bool found = true;
        while (span->end <= segment->begin && found) {
            found = patterns_next(&segments->string, text->text, text->bytes, &segments->string_at,
                                  &segments->patterns);
            segments->held = found && segments->translation &&
                             holds(segments->translation, text->text + span->begin, span->end - span->begin);
        }
        if (segment->begin < span->begin || segment->begin >= span->end || segment->end <= span->end)
            return true;
        segments->at = span->end;
    }
    return false;
}

/* Is a segment part of a string that the translation holds? */
static bool is_in_common(const struct segments *segments, const struct segment *segment)
{
    const struct span *span = &segments->string.span;
    return segments->held && span->begin <= segment->begin && segment->end <= span->end;
}

/* Adds the words of a translation, and those that hyphens connect. */
static void collect(struct strmap *target, const struct scan *s, unsigned kinds)
{
    struct strbuf word;
    struct segments segments = {.text = s, .patterns = {.kinds = kinds & PATTERN_SET(PATTERN_VARIABLE)}};
    struct segment segment, next;
    strbuf_init(&word);
    while (segments_next(&segment, &segments)) {
        strbuf_reset(&word);
        segment_add_normal(&word, s, &segment);
        strmap_intern(target, word.text, word.length);
        strbuf_reset(&word);
        if (segment_behind_hyphen(&next, &segment, s)) {
            add_hyphenated(&word, s, &segment, &next);
            strmap_intern(target, word.text, word.length);
        }
    }
    strbuf_release(&word);
}

static void add_strings(struct strbuf *line, const struct scan *source, const struct scan *translation)
{
    const struct patterns patterns = {.kinds = ALL_KINDS & ~WORD_KINDS};
    struct pattern_string string;
    for (size_t at = 0; patterns_next(&string, source->text, source->bytes, &at, &patterns);) {
        const char *text = source->text + string.span.begin;
        const size_t bytes = string.span.end - string.span.begin;
        const bool percentage = bytes == 2 && text[0] == '%' && is_digit(text[1]);
        const enum copy_exception exception =
            percentage ? BUT_PERCENTAGES : seen_words_exception(string.kind);
        if (exception == EXCEPTIONS)
            continue;
        const struct string_entry entry = string_entry(exception, holds(translation, text, bytes));
        strbuf_add(line, entry.text, sizeof entry.text);
        strbuf_addch(line, ' ');
    }
}

void seen_words_observe(struct strbuf *line, const char *const *text, const size_t *bytes, unsigned kinds)
{
    const struct scan source = {.text = text[0], .bytes = bytes[0]},
                      translation = {.text = text[1], .bytes = bytes[1]};
    struct segments segments = {
        .text = &source, .translation = &translation, .patterns = {.kinds = kinds & ~WORD_KINDS}};
    struct strmap target;
    struct segment segment, next;
    strmap_init(&target);
    strbuf_reset(line);
    add_strings(line, &source, &translation);
    collect(&target, &translation, kinds);
    while (segments_next(&segment, &segments)) {
        if (is_in_common(&segments, &segment))
            continue;
        add_word(line, &source, &segment, &target);
        if (segment_behind_hyphen(&next, &segment, &source) &&
            !(segment_is_name(&segment) && segment_is_name(&next)))
            add_pair(line, &source, &segment, &next, &target);
    }
    strmap_release(&target);
}
