/* Goes through a text and tries every kind of string at each character. The matchers are in match_*.c. */
#include "patterns.h"

#include "scan.h"

#define ENTRY(constant, name) [constant] = match_##name,
static matcher *const matchers[] = {PATTERNS(ENTRY)};

/* The end of the longest string at the place; 0 if there is none. No string begins with a letter inside a
 * word of ASCII, which most places of a text are. */
static size_t longest(const struct scan *s, size_t at, unsigned kinds)
{
    size_t end = 0;
    if (s->text[at] == ' ' || (at && is_alpha(s->text[at]) && is_alnum(s->text[at - 1])))
        return 0;
    for (unsigned kind = 0; kind < sizeof matchers / sizeof matchers[0]; kind++) {
        const size_t here = (kinds & PATTERN_SET(kind)) != 0 ? matchers[kind](s, at) : 0;
        if (here > end)
            end = here;
    }
    return end;
}

bool patterns_next(struct span *span, const char *text, size_t bytes, size_t *at, unsigned kinds)
{
    const struct scan s = {text, bytes};
    if (!kinds)
        *at = bytes;
    while (*at < bytes) {
        const size_t end = longest(&s, *at, kinds), begin = *at;
        if (end) {
            *span = (struct span){begin, end};
            *at = end;
            return true;
        }
        *at = scan_next(&s, begin);
    }
    return false;
}
