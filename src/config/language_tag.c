/* Checks the form of language tags, the ABNF of RFC 5646, section 2.1, rule by rule, and compares them. */
#include "language_tag.h"

#include <stddef.h>
#include <string.h>
#include <strings.h>

/* Tags that were registered before the grammar and do not follow it. */
static const char *const irregular[] = {"en-GB-oed", "i-ami", "i-bnn",     "i-default", "i-enochian", "i-hak",
                                        "i-klingon", "i-lux", "i-mingo",   "i-navajo",  "i-pwn",      "i-tao",
                                        "i-tay",     "i-tsu", "sgn-BE-FR", "sgn-BE-NL", "sgn-CH-DE"};

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_alpha(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* The length of the subtag; 0 if it is empty or has other characters than ASCII letters and digits. */
static size_t subtag_length(const char *at)
{
    size_t length = 0;
    while (is_digit(at[length]) || is_alpha(at[length]))
        length++;
    return at[length] == '-' || at[length] == '\0' ? length : 0;
}

static bool all(const char *at, size_t length, bool (*is)(char))
{
    for (size_t i = 0; i < length; i++)
        if (!is(at[i]))
            return false;
    return true;
}

static const char *behind(const char *at, size_t length)
{
    return at + length + (at[length] == '-' && at[length + 1] != '\0');
}

/* The rules below return what follows the subtags that they take: `at` itself if they take none. */

/* 2*3ALPHA [3ALPHA *2("-" 3ALPHA)] / 4ALPHA / 5*8ALPHA */
static const char *take_language(const char *at)
{
    const size_t length = subtag_length(at);
    if (length < 2 || length > 8 || !all(at, length, is_alpha))
        return at;
    at = behind(at, length);
    for (int i = 0; i < 3 && length <= 3 && subtag_length(at) == 3 && all(at, 3, is_alpha); i++)
        at = behind(at, 3);
    return at;
}

static const char *take_script(const char *at)
{
    return subtag_length(at) == 4 && all(at, 4, is_alpha) ? behind(at, 4) : at;
}

static const char *take_region(const char *at)
{
    const size_t length = subtag_length(at);
    const bool region = (length == 2 && all(at, 2, is_alpha)) || (length == 3 && all(at, 3, is_digit));
    return region ? behind(at, length) : at;
}

/* *("-" (5*8alphanum / DIGIT 3alphanum)) */
static const char *take_variants(const char *at)
{
    for (size_t length = subtag_length(at); (length >= 5 && length <= 8) || (length == 4 && is_digit(*at));
         length = subtag_length(at))
        at = behind(at, length);
    return at;
}

/* A singleton with at least one subtag of `least` to eight characters. */
static const char *take_singleton(const char *at, size_t least)
{
    const char *const begin = at, *first;
    if (subtag_length(at) != 1)
        return begin;
    first = at = behind(at, 1);
    for (size_t length = subtag_length(at); length >= least && length <= 8; length = subtag_length(at))
        at = behind(at, length);
    return at == first ? begin : at;
}

static bool is_private(const char *at)
{
    return *at == 'x' || *at == 'X';
}

static const char *take_extensions(const char *at)
{
    for (const char *next; !is_private(at) && (next = take_singleton(at, 2)) != at;)
        at = next;
    return at;
}

bool language_tag_valid(const char *tag)
{
    for (size_t i = 0; i < sizeof irregular / sizeof irregular[0]; i++)
        if (!strcasecmp(irregular[i], tag))
            return true;
    const char *at = tag;
    if (!is_private(tag) || subtag_length(tag) != 1) {
        at = take_language(tag);
        if (at == tag)
            return false;
        at = take_extensions(take_variants(take_region(take_script(at))));
    }
    if (is_private(at))
        at = take_singleton(at, 1);
    return at > tag && *at == '\0';
}

bool language_tag_matches(const char *tag, const char *range)
{
    const size_t length = strlen(range);
    return !strncasecmp(tag, range, length) && (tag[length] == '\0' || tag[length] == '-');
}
