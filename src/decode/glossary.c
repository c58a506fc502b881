/* Loads a glossary. What its terms are in a model's text is up to terms.c. */
#include "glossary.h"

#include "fileio.h"
#include "mem.h"
#include "utf8_check.h"

#include <stdbool.h>
#include <string.h>

/* More than blanks and a final '*'? */
static bool is_term(const char *text, size_t bytes)
{
    if (bytes && text[bytes - 1] == '*')
        bytes--;
    return strspn(text, " ") < bytes;
}

static bool is_entry(const struct strbuf *line, const char *tab)
{
    return tab && strlen(line->text) == line->length && !strchr(tab + 1, '\t') &&
           utf8_check(line->text, line->length) == line->length &&
           is_term(line->text, (size_t)(tab - line->text)) && strspn(tab + 1, " ") < strlen(tab + 1);
}

static int take_entry(void *context, const struct strbuf *line, int64_t number, struct err *err)
{
    struct glossary *glossary = context;
    const char *tab = memchr(line->text, '\t', line->length);
    if (!is_entry(line, tab))
        return err_set(err, "cannot read '%s': line %lld is not a term, a tab and its translation",
                       glossary->path, (long long)number);
    GROW(glossary->entries, glossary->count + 1, glossary->capacity);
    struct glossary_entry *entry = &glossary->entries[glossary->count++];
    entry->source = xstrndup(line->text, (size_t)(tab - line->text));
    entry->target = xstrdup(tab + 1);
    return 0;
}

int glossary_load(struct glossary *glossary, const char *path, struct err *err)
{
    memset(glossary, 0, sizeof *glossary);
    glossary->path = xstrdup(path);
    if (!file_each_line(path, take_entry, glossary, err))
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
