/* Loads a glossary. What its terms are in a model's text is up to terms.c. */
#include "glossary.h"

#include "mem.h"
#include "two_columns.h"

#include <string.h>

/* More than blanks and a final '*'? */
static bool is_term(const char *text, size_t bytes)
{
    if (bytes && text[bytes - 1] == '*')
        bytes--;
    return strspn(text, " ") < bytes;
}

bool glossary_add(struct glossary *glossary, const char *source, size_t bytes, const char *target)
{
    if (!is_term(source, bytes) || strchr(target, '\t') || strspn(target, " ") == strlen(target) ||
        bytes > GLOSSARY_MOST_BYTES || strlen(target) > GLOSSARY_MOST_BYTES)
        return false;
    GROW(glossary->entries, glossary->count + 1, glossary->capacity);
    struct glossary_entry *entry = &glossary->entries[glossary->count++];
    entry->source = xstrndup(source, bytes);
    entry->target = xstrdup(target);
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
    if (!two_columns_each(path, "a term", take_entry, glossary, err))
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
