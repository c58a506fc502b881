/* Finds names in lists, and judges mistyped ones. */
#include "names.h"

#include <stddef.h>
#include <string.h>

int names_index(const char *list, const char *name)
{
    const size_t length = strlen(name);
    int index = 0;
    for (const char *at = list; at; index++) {
        const char *bar = strchr(at, '|');
        const size_t here = bar ? (size_t)(bar - at) : strlen(at);
        if (here == length && !memcmp(at, name, length))
            return index;
        at = bar ? bar + 1 : NULL;
    }
    return -1;
}

bool names_similar(const char *mistyped, const char *name)
{
    return edit_distance(mistyped, name) <= 1 + (int)strlen(name) / 4;
}

bool names_nearer(int *best, const char *mistyped, const char *name)
{
    const int distance = edit_distance(mistyped, name);
    const bool nearer = distance < *best;
    if (nearer)
        *best = distance;
    return nearer;
}
