/* Loads a glossary. What its terms are in a model's text is up to terms.c. */
#include "glossary.h"

#include "mem.h"
#include "two_columns.h"

#include <string.h>

bool glossary_add(struct glossary *glossary, const char *source, size_t bytes, const char *target)
{
    const bool wildcard = bytes && source[bytes - 1] == '*';
    if (strspn(source, " ") >= bytes - wildcard || strchr(target, '\t') ||
        strspn(target, " ") == strlen(target) || bytes > GLOSSARY_MOST_BYTES ||
        strlen(target) > GLOSSARY_MOST_BYTES)
        return false;
    GROW(glossary->entries, glossary->count + 1, glossary->capacity);
    glossary->entries[glossary->count++] =
        (struct glossary_entry){xstrndup(source, bytes), xstrdup(target), bytes - wildcard, wildcard};
    return true;
}

static bool take_entry(void *context, const char *source, size_t bytes, const char *target)
{
    return glossary_add(context, source, bytes, target);
}

int glossary_load(struct glossary *glossary, const char *path, struct err *err)
{
    memset(glossary, 0, sizeof *glossary);
    glossary->path = xstrdup(path);
    char *entry =
        xasprintf("a term, a tab and its translation, each of at most %d bytes", GLOSSARY_MOST_BYTES);
    const int status = two_columns_each(path, entry, take_entry, glossary, err);
    xfree(entry);
    if (!status)
        return 0;
    glossary_release(glossary);
    return -1;
}

void glossary_release(struct glossary *glossary)
{
    for (size_t i = 0; i < glossary->count; i++) {
        xfree(glossary->entries[i].source);
        xfree(glossary->entries[i].target);
    }
    xfree(glossary->entries);
    xfree(glossary->path);
    memset(glossary, 0, sizeof *glossary);
}
