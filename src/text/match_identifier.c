/* Matches identifiers: words of programs, products and protocols, which no grammar has made: "shar.es",
 * "foo_bar", "ISO-8859-1", "B2B", "OpenGL". */
#include "scan.h"

static bool in_identifier(char byte)
{
    return is_alnum(byte) || byte == '.' || byte == '_';
}

static bool in_code(char byte)
{
    return is_upper(byte) || is_digit(byte) || byte == '-';
}

/* What an identifier has that other words do not. */
struct traits {
    bool lower, upper;
    bool mixed;      /* "B2", "oG", "3D" */
    bool lines;      /* "_" */
    bool dots, torn; /* "a.b"; "end.Then": a blank is missing */
    size_t longest;  /* part between signs */
};

static struct traits traits_of(const struct scan *s, size_t begin, size_t end)
{
    struct traits t = {.longest = 0};
    size_t part = begin;
    for (size_t i = begin; i < end; i++) {
        const char byte = s->text[i], next = i + 1 < end ? s->text[i + 1] : '\0';
        t.lower |= is_lower(byte);
        t.upper |= is_upper(byte);
        t.mixed |= (is_lower(byte) && is_upper(next)) || (is_alpha(byte) && is_digit(next)) ||
                   (is_digit(byte) && is_upper(next));
        t.lines |= byte == '_';
        t.dots |= byte == '.';
        t.torn |= byte == '.' && is_upper(next);
        part = is_alnum(byte) ? part : i + 1;
        t.longest = i + 1 - part > t.longest ? i + 1 - part : t.longest;
    }
    return t;
}

/* The end of capitals and digits with hyphens between them, as in "ISO-8859-1"; 0 if there is none. */
static size_t code_end(const struct scan *s, size_t at)
{
    size_t end = scan_run(s, at, s->bytes, in_code);
    while (end > at && s->text[end - 1] == '-')
        end--;
    bool digit = false, hyphen = false;
    for (size_t i = at; i < end; i++) {
        digit |= is_digit(s->text[i]);
        hyphen |= s->text[i] == '-';
    }
    return digit && hyphen && is_upper(s->text[at]) && scan_word_ends(s, end) ? end : 0;
}

/* No numbers, ordinals ("2nd"), abbreviations ("e.g") or words of capitals alone. */
size_t match_identifier(const struct scan *s, size_t at)
{
    const char before = scan_byte_before(s, at);
    if (!is_alnum(scan_byte(s, at)) || !scan_word_begins(s, at) || in_identifier(before))
        return 0;
    size_t end = scan_run(s, at, s->bytes, in_identifier);
    while (!is_alnum(s->text[end - 1]))
        end--;
    const struct traits t = traits_of(s, at, end);
    const bool is = (t.lower || t.upper) && !t.torn && (t.mixed || t.lines || (t.dots && t.longest > 2));
    const size_t code = before == '-' ? 0 : code_end(s, at);
    return code > end ? code : is && scan_word_ends(s, end) ? end : code;
}
