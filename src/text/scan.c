/* Bytes, characters and runs of a text at a place. What strings are made of is in match_*.c. */
#include "scan.h"

#include <string.h>

char scan_byte(const struct scan *s, size_t at)
{
    return at < s->bytes ? s->text[at] : '\0';
}

int32_t char_at(const char *text, size_t bytes, size_t at, size_t *length)
{
    int32_t code = -1;
    *length = at < bytes ? utf8_decode(text + at, bytes - at, &code) : 0;
    return *length ? code : -1;
}

int32_t char_before(const char *text, size_t at, size_t *length)
{
    int32_t code = -1;
    *length = at ? utf8_decode_before(text, at, &code) : 0;
    return *length ? code : -1;
}

int32_t scan_code(const struct scan *s, size_t at)
{
    size_t length;
    const int32_t code = char_at(s->text, s->bytes, at, &length);
    return code < 0 ? 0 : code;
}

bool scan_behind_escape(const struct scan *s, size_t at)
{
    return at >= 2 && s->text[at - 2] == '\\' && escape_end(s, at - 2) == at;
}

int32_t scan_code_before(const struct scan *s, size_t at)
{
    size_t length;
    const int32_t code = scan_behind_escape(s, at) ? ' ' : char_before(s->text, at, &length);
    return code < 0 ? 0 : code;
}

char scan_byte_before(const struct scan *s, size_t at)
{
    return at == 0 || scan_behind_escape(s, at) ? ' ' : s->text[at - 1];
}

size_t scan_next(const struct scan *s, size_t at)
{
    size_t length;
    char_at(s->text, s->bytes, at, &length);
    return at + length;
}

bool scan_has(const struct scan *s, size_t at, const char *bytes)
{
    const size_t length = strlen(bytes);
    return at <= s->bytes && length <= s->bytes - at && !memcmp(s->text + at, bytes, length);
}

size_t scan_run(const struct scan *s, size_t at, size_t most, bool (*takes)(char byte))
{
    const size_t begin = at;
    while (at < s->bytes && at - begin < most && takes(s->text[at]))
        at++;
    return at;
}

bool is_digit(char byte)
{
    return byte >= '0' && byte <= '9';
}

bool is_lower(char byte)
{
    return byte >= 'a' && byte <= 'z';
}

bool is_upper(char byte)
{
    return byte >= 'A' && byte <= 'Z';
}

bool is_alpha(char byte)
{
    return is_lower(byte) || is_upper(byte);
}

bool is_alnum(char byte)
{
    return is_digit(byte) || is_alpha(byte);
}

bool is_hangul(int32_t code)
{
    const bool part = (code >= 0x1100 && code <= 0x11ff) || (code >= 0xa960 && code <= 0xa97c) ||
                      (code >= 0xd7b0 && code <= 0xd7fb);
    return part || (code >= 0xac00 && code <= 0xd7a3);
}

bool is_picture(int32_t code)
{
    static const int32_t pictures[][2] = {{0x231a, 0x231b},   {0x23e9, 0x23f3},   {0x2600, 0x27bf},
                                          {0x2b1b, 0x2b1c},   {0x2b50, 0x2b55},   {0x1f004, 0x1f004},
                                          {0x1f0cf, 0x1f0cf}, {0x1f170, 0x1f251}, {0x1f300, 0x1faff}};
    bool is = false;
    for (size_t i = 0; i < sizeof pictures / sizeof pictures[0]; i++)
        is |= code >= pictures[i][0] && code <= pictures[i][1];
    return is;
}

bool is_armenian_mark(int32_t code)
{
    return code >= 0x55b && code <= 0x55e && code != 0x55d;
}

bool is_accent(int32_t code)
{
    return code >= 0x300 && code <= 0x36f;
}

bool is_in_word(int32_t code)
{
    return code && (utf8_is_wordlike(code) || is_armenian_mark(code));
}

bool is_parted(int32_t left, int32_t right)
{
    if (left < 0x80 && right < 0x80)
        return !is_alnum((char)left) || !is_alnum((char)right);
    return !is_in_word(left) || !is_in_word(right) || utf8_is_particle_between(left, right);
}

bool scan_word_begins(const struct scan *s, size_t at)
{
    const int32_t before = scan_code_before(s, at);
    return !is_in_word(before) || utf8_is_particle_between(before, scan_code(s, at));
}

bool scan_word_ends(const struct scan *s, size_t at)
{
    const int32_t code = scan_code(s, at);
    return !is_in_word(code) || utf8_is_particle_between(scan_code_before(s, at), code);
}

bool scan_has_string(const struct scan *s, size_t at, const char *string, size_t bytes)
{
    const size_t end = at + bytes;
    return bytes <= s->bytes - at && !memcmp(s->text + at, string, bytes) &&
           is_parted(scan_code_before(s, at), scan_code(s, at)) &&
           is_parted(scan_code_before(s, end), scan_code(s, end));
}
