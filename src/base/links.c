/* Lists of alignment links, read and written as text. Where links come from and how good they are is not
 * known here. */
#include "links.h"

#include "mem.h"
#include "utf8_check.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

void links_release(struct links *links)
{
    xfree(links->items);
    memset(links, 0, sizeof *links);
}

void links_add(struct links *links, int source, int target, bool sure)
{
    GROW(links->items, links->count + 1, links->capacity);
    links->items[links->count++] = (struct link){source, target, sure};
}

/* Reads a number at *text and advances past it; -1 if there is none. */
static int take_number(const char **text)
{
    char *end;
    if (**text < '0' || **text > '9')
        return -1;
    errno = 0;
    const long value = strtol(*text, &end, 10);
    *text = end;
    return errno || value > INT_MAX ? -1 : (int)value;
}

int links_parse(struct links *links, const char *line, struct err *err)
{
    const char *at = line;
    while (*at) {
        if (*at == ' ') {
            at++;
            continue;
        }
        const char *begin = at;
        const int source = take_number(&at);
        const char kind = *at;
        if (source >= 0 && (kind == '-' || kind == '?')) {
            at++;
            const int target = take_number(&at);
            if (target >= 0 && (!*at || *at == ' ')) {
                links_add(links, source, target, kind == '-');
                continue;
            }
        }
        return err_set(err, "'%.*s' is not a link such as 0-1 or 0?1", (int)utf8_fitting_bytes(begin, 20),
                       begin);
    }
    return 0;
}

void links_print(struct strbuf *out, const struct links *links)
{
    for (size_t i = 0; i < links->count; i++) {
        const struct link *link = &links->items[i];
        strbuf_addf(out, "%s%d%c%d", i ? " " : "", link->source, link->sure ? '-' : '?', link->target);
    }
}

void links_drop_sources(struct links *links, const bool *dropped, size_t count)
{
    size_t kept = 0, before = 0;
    int *places = xmalloc(count, sizeof *places);
    for (size_t j = 0; j < count; j++) {
        places[j] = (int)(j - before);
        before += dropped[j];
    }
    for (size_t i = 0; i < links->count; i++) {
        struct link link = links->items[i];
        if (dropped[link.source])
            continue;
        link.source = places[link.source];
        links->items[kept++] = link;
    }
    links->count = kept;
    xfree(places);
}

int links_check(const struct links *links, int source_words, int target_words, struct err *err)
{
    for (size_t i = 0; i < links->count; i++) {
        const struct link *link = &links->items[i];
        if (link->source >= source_words || link->target >= target_words)
            return err_set(err, "link %d-%d, but the sentences have %d and %d words", link->source,
                           link->target, source_words, target_words);
    }
    return 0;
}
