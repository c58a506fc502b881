/* Goes through a text and tries every kind of string at each character. The matchers are in match_*.c. */
#include "patterns.h"

#include "scan.h"
#include "sentence_signs.h"

#include <string.h>

#define ENTRY(constant, name) [constant] = match_##name,
static matcher *const matchers[] = {PATTERNS(ENTRY)};

/* A string at a place, and its kind. */
struct found {
    size_t end; /* 0: there is none */
    enum pattern_kind kind;
};

/* Can no string begin at the place, as within a word of ASCII, which most places of a text are, or between a
 * backslash and the letter of an escape? */
static bool is_within(const struct scan *s, size_t at)
{
    return (is_alpha(s->text[at]) && is_alnum(scan_byte_before(s, at))) || scan_behind_escape(s, at + 1);
}

/* The longest string at the place. */
static struct found longest(const struct scan *s, size_t at, unsigned kinds)
{
    struct found found = {.end = 0};
    if (at >= s->bytes || s->text[at] == ' ' || is_within(s, at))
        return found;
    for (unsigned kind = 0; kind < sizeof matchers / sizeof matchers[0]; kind++) {
        const size_t here = (kinds & PATTERN_SET(kind)) != 0 ? matchers[kind](s, at) : 0;
        if (here > found.end)
            found = (struct found){here, (enum pattern_kind)kind};
    }
    if (found.kind == PATTERN_UNSEEN && scan_run(s, at, s->bytes, is_digit) == found.end)
        found.kind = PATTERN_NUMBER; /* which stands by itself, as other numbers do */
    return found;
}

static size_t behind_blank(const struct scan *s, size_t at)
{
    return scan_byte(s, at) == ' ' ? at + 1 : at;
}

/* May the sign join two unseen words, as in "hr : xkcd"? */
static bool joins(int32_t code)
{
    const enum utf8_punctuation kind = utf8_punctuation_of(code);
    return code && utf8_class_of(code) == UTF8_SYMBOL && kind != UTF8_OPENING && kind != UTF8_CLOSING &&
           !sign_is_stop(code) && !sign_is_quote(code) && (code == ':' || !sign_ends_clause(code));
}

static size_t digits_end(const struct scan *s, size_t at)
{
    while (utf8_class_of(scan_code(s, at)) == UTF8_DIGIT)
        at = scan_next(s, at);
    return is_parted(scan_code_before(s, at), scan_code(s, at)) ? at : 0;
}

/* What comes behind an unseen word: another one, also behind a sign, or behind a letter that touches both, as
 * in "⟨x⟩". */
static struct found next_unseen(const struct scan *s, size_t end, unsigned kinds)
{
    const size_t next = behind_blank(s, end);
    struct found found = longest(s, next, kinds);
    if (found.end || next >= s->bytes)
        return found;
    if (joins(scan_code(s, next)))
        return longest(s, behind_blank(s, scan_next(s, next)), kinds);
    const bool letter = next == end && is_in_word(scan_code(s, end));
    return letter ? longest(s, scan_next(s, end), kinds) : found;
}

#define TAKING_SIGNS                                                                                         \
    (PATTERN_SET(PATTERN_URL) | PATTERN_SET(PATTERN_EMAIL) | PATTERN_SET(PATTERN_PATH) |                     \
     PATTERN_SET(PATTERN_DATE) | PATTERN_SET(PATTERN_VERSION) | PATTERN_SET(PATTERN_NUMBER))

/* Do unseen signs belong to the string if they touch it? Tags and the like have an order of their own. */
static bool takes_signs(struct found found)
{
    return found.end && (TAKING_SIGNS & PATTERN_SET(found.kind));
}

static bool is_sign(int32_t code)
{
    return !is_in_word(code) && !utf8_unspaced(code);
}

/* The end of a string, with unseen signs that touch it, as in "100%", and with another number behind those,
 * as in "12:30–14:45". */
static size_t string_end(const struct scan *s, struct found found, unsigned kinds)
{
    size_t end = found.end;
    struct found next;
    while (is_sign(scan_code(s, end)) && (next = longest(s, end, kinds)).end && next.kind == PATTERN_UNSEEN)
        end = next.end;
    next = end > found.end ? longest(s, end, kinds) : (struct found){.end = 0};
    return next.end && (next.kind == PATTERN_NUMBER || next.kind == PATTERN_DATE) ? next.end : end;
}

/* The end of unseen words in a row, of which the first one was found, and of a number behind one, "§ 5"; or
 * of a string that the sign at its beginning touches, "⟨https://example.org⟩". */
static size_t row_end(const struct scan *s, size_t begin, struct found found, unsigned kinds)
{
    const struct found touching =
        is_sign(scan_code(s, begin)) ? longest(s, found.end, kinds) : (struct found){.end = 0};
    if (takes_signs(touching))
        return string_end(s, touching, kinds);
    size_t end = 0;
    while (found.end && found.kind == PATTERN_UNSEEN) {
        end = found.end;
        found = next_unseen(s, end, kinds);
        const size_t next = behind_blank(s, end),
                     digits = found.end && found.kind != PATTERN_NUMBER ? 0 : digits_end(s, next);
        if (digits > next) {
            end = digits;
            found = next_unseen(s, end, kinds);
        }
    }
    return end;
}

/* An unseen word behind signs at the place that are of it: "--force", "-jar", ".bashrc", "*.docx"; not behind
 * a dash of speech, "-Anna", or an ellipsis, "...und". */
static struct found behind_signs(const struct scan *s, size_t at, unsigned kinds)
{
    static const char *const signs[] = {"--", "-", "*.", "."};
    const struct found none = {.end = 0};
    const int32_t before = scan_code_before(s, at);
    if (before && utf8_class_of(before) != UTF8_BLANK && utf8_punctuation_of(before) != UTF8_OPENING &&
        !sign_is_quote(before))
        return none;
    size_t word = at;
    for (size_t i = 0; i < sizeof signs / sizeof signs[0] && word == at; i++)
        word += scan_has(s, at, signs[i]) ? strlen(signs[i]) : 0;
    if (word == at || !is_alpha(scan_byte(s, word)) || (is_upper(s->text[word]) && s->text[at] != '*'))
        return none;
    const struct found found = longest(s, word, kinds);
    return found.kind == PATTERN_UNSEEN ? found : none;
}

bool patterns_next(struct pattern_string *string, const char *text, size_t bytes, size_t *at,
                   const struct patterns *patterns)
{
    const struct scan s = {text, bytes, patterns->seen, patterns->user_words, patterns->wanted};
    if (!patterns->kinds)
        *at = bytes;
    while (*at < bytes) {
        const size_t begin = *at;
        const bool alone = /* as words with translations stand */
            s.wanted || (s.user_words && s.user_words->translated);
        struct found found = longest(&s, begin, patterns->kinds);
        if (!found.end && !alone)
            found = behind_signs(&s, begin, patterns->kinds);
        if (found.end) {
            *at = alone                          ? found.end
                  : found.kind == PATTERN_UNSEEN ? row_end(&s, begin, found, patterns->kinds)
                  : takes_signs(found)           ? string_end(&s, found, patterns->kinds)
                                                 : found.end;
            *string = (struct pattern_string){{begin, *at}, found.kind};
            return true;
        }
        *at = scan_next(&s, begin);
    }
    return false;
}
