/* Loads a dictionary. Where its entries are put is up to translate.c. */
#include "dictionary.h"

#include "fileio.h"
#include "mem.h"
#include "utf8_check.h"

#include <string.h>

static int take_entry(void *context, const struct strbuf *line, int64_t number, struct err *err)
{
    struct dictionary *dictionary = context;
    const char *tab = memchr(line->text, '\t', line->length);
    if (!tab || strlen(line->text) != line->length || utf8_check(line->text, line->length) < line->length)
        return err_set(err, "cannot read '%s': line %lld is not a word, a tab and its translation",
                       file_shown_name(dictionary->path), (long long)number);
    const size_t known = dictionary->words.count;
    const size_t entry = (size_t)strmap_intern(&dictionary->words, line->text, (size_t)(tab - line->text));
    if (entry == known) {
        GROW(dictionary->texts, entry + 1, dictionary->capacity);
        dictionary->texts[entry] = xstrdup(tab + 1);
    }
    return 0;
}

int dictionary_load(struct dictionary *dictionary, const char *path, struct err *err)
{
    memset(dictionary, 0, sizeof *dictionary);
    dictionary->path = xstrdup(path);
    strmap_init(&dictionary->words);
    if (!file_each_line(path, take_entry, dictionary, err))
        return 0;
    dictionary_release(dictionary);
    return -1;
}

void dictionary_release(struct dictionary *dictionary)
{
    for (size_t i = 0; i < dictionary->words.count; i++)
        xfree(dictionary->texts[i]);
    xfree(dictionary->texts);
    strmap_release(&dictionary->words);
    xfree(dictionary->path);
    memset(dictionary, 0, sizeof *dictionary);
}
