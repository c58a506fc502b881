/* Matches emoji: runs of sequences with their modifiers, joiners and flags (UTS #51), without its tables:
 * what counts is that a sequence is not torn. */
#include "scan.h"

#define VARIATION_TEXT 0xfe0e
#define VARIATION_EMOJI 0xfe0f
#define ZERO_WIDTH_JOINER 0x200d
#define KEYCAP 0x20e3

static bool is_within(int32_t code, int32_t first, int32_t last)
{
    return code >= first && code <= last;
}

static bool is_flag_letter(int32_t code)
{
    return is_within(code, 0x1f1e6, 0x1f1ff);
}

/* What belongs to the picture before it: variation, skin tone, keycap, the letters of a flag's tag. */
static bool is_modifier(int32_t code)
{
    return code == VARIATION_EMOJI || code == VARIATION_TEXT || code == KEYCAP ||
           is_within(code, 0x1f3fb, 0x1f3ff) || is_within(code, 0xe0020, 0xe007f);
}

/* The end of a picture, a flag, or a character that a variation makes a picture, as in "©️" and "1️⃣"; 0 if
 * there is none. */
static size_t picture_end(const struct scan *s, size_t at)
{
    const int32_t code = scan_code(s, at);
    const size_t next = scan_next(s, at);
    const int32_t following = scan_code(s, next);
    if (is_flag_letter(code))
        return is_flag_letter(following) ? scan_next(s, next) : next;
    if (is_picture(code))
        return next;
    const bool made = code && (following == VARIATION_EMOJI || following == KEYCAP);
    return made ? next : 0;
}

/* The end of a sequence; 0 if there is none. */
static size_t sequence_end(const struct scan *s, size_t at)
{
    size_t end = picture_end(s, at);
    for (size_t next = end; next;) {
        for (end = next; is_modifier(scan_code(s, end));)
            end = scan_next(s, end);
        const bool joined = scan_code(s, end) == ZERO_WIDTH_JOINER;
        next = joined ? picture_end(s, scan_next(s, end)) : 0;
    }
    return end;
}

/* Neighbours are one string. */
size_t match_emoji(const struct scan *s, size_t at)
{
    size_t end = 0;
    for (size_t next = sequence_end(s, at); next; next = sequence_end(s, next))
        end = next;
    return end;
}
