/* Loads a dictionary. Where its entries are put is up to unseen.c. */
#include "dictionary.h"

#include "mem.h"
#include "two_columns.h"
#include "utf8.h"

#include <string.h>

static bool take_entry(void *context, const char *word, size_t bytes, const char *translation)
{
    struct dictionary *dictionary = context;
    if (!bytes || strspn(translation, " ") == strlen(translation))
        return false;
    struct strbuf normal; /* as the words of text that are looked up */
    strbuf_init(&normal);
    utf8_normalize(&normal, word, bytes, UTF8_NFC);
    const size_t known = dictionary->words.count;
    const size_t entry = (size_t)strmap_intern(&dictionary->words, normal.text, normal.length);
    strbuf_release(&normal);
    if (entry == known) {
        GROW(dictionary->texts, entry + 1, dictionary->capacity);
        dictionary->texts[entry] = xstrdup(translation);
    }
    return true;
}

int dictionary_load(struct dictionary *dictionary, const char *path, struct err *err)
{
    memset(dictionary, 0, sizeof *dictionary);
    dictionary->path = xstrdup(path);
    strmap_init(&dictionary->words);
    if (!two_columns_each(path, "a word, a tab and its translation", take_entry, dictionary, err))
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
