#include "aer.h"

#include "mem.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

void links_release(struct links *links)
{
    free(links->items);
    memset(links, 0, sizeof *links);
}

void links_add(struct links *links, int source, int target, bool sure)
{
    GROW(links->items, links->count + 1, links->room);
    links->items[links->count++] = (struct link){source, target, sure};
}

/* A number at *text, which moves behind it; -1 where there is none. */
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
        return err_set(err, "'%.20s' is not a link such as 0-1 or 0?1", begin);
    }
    return 0;
}

static const struct link *find(const struct links *links, size_t count, const struct link *link)
{
    for (size_t i = 0; i < count; i++)
        if (links->items[i].source == link->source && links->items[i].target == link->target)
            return &links->items[i];
    return NULL;
}

void aer_add(struct aer *aer, const struct links *found, const struct links *reference)
{
    for (size_t i = 0; i < reference->count; i++)
        if (reference->items[i].sure && !find(reference, i, &reference->items[i]))
            aer->sure++;
    for (size_t i = 0; i < found->count; i++) {
        if (find(found, i, &found->items[i]))
            continue;
        const struct link *right = find(reference, reference->count, &found->items[i]);
        aer->found++;
        aer->found_possible += right != NULL;
        aer->found_sure += right && right->sure;
    }
}

double aer_rate(const struct aer *aer)
{
    const long all = aer->found + aer->sure;
    return all ? 1 - (double)(aer->found_sure + aer->found_possible) / (double)all : 0;
}

double aer_precision(const struct aer *aer)
{
    return aer->found ? (double)aer->found_possible / (double)aer->found : 0;
}

double aer_recall(const struct aer *aer)
{
    return aer->sure ? (double)aer->found_sure / (double)aer->sure : 0;
}
