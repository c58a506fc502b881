/* Matches words and signs that the training did not see, and in the translation of a pair the strings of the
 * source. What stands in a row is joined in patterns.c. */
#include "segment.h"

#include <string.h>

#define MOST_PARTS 4 /* of a word with signs that are looked at for an unseen one */

/* ---- strings of another text ---- */

/* Does the text have a number there that a unit touches? */
static bool is_before_unit(const struct scan *s, size_t at, const char *number, size_t bytes)
{
    return bytes <= s->bytes - at && !memcmp(s->text + at, number, bytes) &&
           number_is_whole(s, at, at + bytes);
}

static size_t wanted_end(const struct scan *s, size_t at)
{
    const struct text_strings *wanted = s->wanted;
    size_t end = 0;
    for (size_t i = 0; i < wanted->count; i++) {
        const struct span *span = &wanted->items[i].span;
        const size_t bytes = span->end - span->begin;
        if (at + bytes > end && (scan_has_string(s, at, wanted->text + span->begin, bytes) ||
                                 is_before_unit(s, at, wanted->text + span->begin, bytes)))
            end = at + bytes;
    }
    return end;
}

/* ---- words ---- */

static bool is_new(const struct segment *segment, const struct scan *s)
{
    return segment->is_word && !segment_is_seen(segment, s);
}

/* Is it a capital that a name begins with, as in "O'Neill"? Articles have one where a sentence begins:
 * "L'Aquila". */
static bool is_of_name(const struct segment *segment, const struct scan *s)
{
    return !segment->is_word && utf8_case_of(scan_code(s, segment->begin)) == UTF8_UPPER &&
           (segment->shape == SHAPE_CAPITAL || scan_byte(s, segment->begin) == 'O');
}

/* Does a sign without blanks around it make one word of two, as in "Smith-Meyer", "foo_bar" and "and/or"?
 * Where a sentence follows, a blank is missing. What follows an apostrophe may be an ending, as in "Smith's";
 * "Kuz'menko" is a name. Entities and addresses are strings of their own: "x&nbsp;y", "to=me@debian.org". */
static bool connects(int32_t sign, const struct segment *left, const struct segment *right,
                     const struct scan *s)
{
    if (!is_in_word(scan_code(s, left->begin)) || !is_in_word(scan_code(s, right->begin)) ||
        match_entity(s, left->end) || match_url(s, right->begin) || match_email(s, right->begin))
        return false;
    if (seen_words_is_apostrophe(sign))
        return is_new(right, s) && (is_new(left, s) || (is_of_name(left, s) && segment_is_name(right)));
    if (sign == '-')
        return (segment_is_name(left) && segment_is_name(right)) ||
               (s->seen->copied & SHAPE_SET(SHAPE_HYPHEN));
    if (sign == '.')
        return !segment_is_name(right);
    return sign == '_' || sign == '/' || sign == '+' || sign == '@' || sign == '=' || sign == '&';
}

static bool is_unseen_word(const struct segment *segment, const struct scan *s)
{
    return segment->shape != SHAPE_NUMBER && segment_is_unseen(segment, s);
}

/* The end of a word, a sign or several words that signs connect, if one of them is unseen, or of an unseen
 * number; else 0. */
static size_t connected_end(const struct segment *first, const struct scan *s)
{
    bool unseen = is_unseen_word(first, s);
    struct segment last = *first, next;
    for (int i = 1; (unseen || i < MOST_PARTS) && segment_at(&next, s, scan_next(s, last.end)); i++) {
        if (!connects(scan_code(s, last.end), &last, &next, s))
            break;
        unseen |= is_unseen_word(&next, s);
        last = next;
    }
    return unseen ? last.end : segment_is_unseen(first, s) ? first->end : 0;
}

/* Does a word begin a sentence and a name, as in "Justin Bieber sings"? Where a word stands alone there, it
 * may be any word. */
static bool is_first_name(const struct segment *segment, const struct scan *s)
{
    struct segment second;
    return segment->is_word && segment->shape == SHAPE_FIRST && scan_byte(s, segment->end) == ' ' &&
           segment_at(&second, s, segment->end + 1) && segment_is_name(&second) &&
           segment_is_unseen(&second, s) && !segment_is_seen(segment, s);
}

/* Marks and invisible signs are of the sign before them: a run of them is looked at once. */
static bool is_within_sign(int32_t before, int32_t code)
{
    return before && !is_in_word(before) && utf8_class_of(before) != UTF8_BLANK && !is_in_word(code) &&
           utf8_extends(code);
}

/* The end of a word, a sign or a name, if it is unseen; else 0. */
static size_t unseen_end(const struct scan *s, size_t at)
{
    struct segment segment;
    const int32_t before = scan_code_before(s, at), code = segment_code(s, at);
    if (!code || !is_parted(segment_code_before(s, at), code) || is_within_sign(before, code) ||
        !segment_at(&segment, s, at))
        return 0;
    const size_t end = connected_end(&segment, s);
    return !end && is_first_name(&segment, s) ? segment.end : end;
}

size_t match_unseen(const struct scan *s, size_t at)
{
    if (s->wanted)
        return wanted_end(s, at);
    return s->seen && s->seen->words.count ? unseen_end(s, at) : 0;
}
