/* Looks unseen words up in a dictionary, and gives what is found their capitals. */
#include "unseen.h"

#include "utf8.h"

#include <string.h>

/* The dictionary's number of a word in the lower case of a language; -1 if it has none. */
static int find_lower(const struct strmap *words, enum casing casing, const struct strbuf *word)
{
    struct strbuf lower;
    strbuf_init(&lower);
    casing_lower(&lower, casing, word->text, word->length);
    const int entry = strmap_find(words, lower.text, lower.length);
    strbuf_release(&lower);
    return entry;
}

/* The dictionary's number of a word as it is, or else of it in lower case, that of its language or of others;
 * -1 if it has none. */
static int find_word(bool *as_it_is, const struct replacing *replacing, const struct strbuf *word)
{
    const struct strmap *words = replacing->options->dictionary_words;
    const enum casing casing = replacing->pair->casing[SOURCE];
    int entry = strmap_find(words, word->text, word->length);
    *as_it_is = entry >= 0;
    if (entry < 0)
        entry = find_lower(words, casing, word);
    if (entry < 0 && casing != CASING_COMMON)
        entry = find_lower(words, CASING_COMMON, word);
    return entry;
}

/* The dictionary's entry for a word, as it is written or as it is read; NULL if there is none. */
static const char *find_entry(bool *as_it_is, const struct replacing *replacing, const struct strbuf *word,
                              const struct strbuf *read)
{
    if (!replacing->options->dictionary_words)
        return NULL;
    int entry = find_word(as_it_is, replacing, word);
    if (entry < 0)
        entry = find_word(as_it_is, replacing, read);
    return entry < 0 ? NULL : replacing->options->dictionary_texts[entry];
}

/* The casing in which a copied word stands in its line of capitals: a foreign word has that of most
 * languages. */
static enum casing casing_in_line(const struct replacing *replacing, const struct strbuf *word)
{
    struct strbuf upper;
    strbuf_init(&upper);
    utf8_upper(&upper, word->text, word->length);
    const bool common = strstr(replacing->line, upper.text) != NULL;
    strbuf_release(&upper);
    return common ? CASING_COMMON : replacing->pair->casing[SOURCE];
}

/* Is it more than one letter, all of them capitals? */
static bool is_upper(const struct strbuf *word)
{
    struct strbuf upper, lower;
    int32_t code;
    strbuf_init(&upper);
    strbuf_init(&lower);
    utf8_upper(&upper, word->text, word->length);
    utf8_lower(&lower, word->text, word->length);
    const bool is = utf8_decode(word->text, word->length, &code) < word->length &&
                    !strcmp(word->text, upper.text) && strcmp(word->text, lower.text) != 0;
    strbuf_release(&upper);
    strbuf_release(&lower);
    return is;
}

/* Appends what comes in the place of an unseen word: its translation from the dictionary, with capitals where
 * the word has them, or itself; in a line of capitals, in capitals. `read`: the word as it is read. */
static void add_replacement(struct strbuf *out, const struct replacing *replacing, const struct strbuf *word,
                            const struct strbuf *read)
{
    bool as_it_is = true;
    const char *entry = find_entry(&as_it_is, replacing, word, read), *text = entry ? entry : word->text;
    const enum casing casing = entry ? replacing->pair->casing[TARGET] : casing_in_line(replacing, word);
    int32_t code;
    utf8_decode(word->text, word->length, &code);
    if (replacing->capitals || (!as_it_is && is_upper(read)))
        casing_upper(out, casing, text, strlen(text));
    else if (!as_it_is && utf8_case_of(code) == UTF8_UPPER)
        casing_capitalize(out, casing, text, strlen(text));
    else
        strbuf_adds(out, text);
}

static void set_normal(struct strbuf *normal, const char *text, size_t bytes)
{
    strbuf_reset(normal);
    utf8_normalize(normal, text, bytes, UTF8_NFC);
}

void unseen_replace(struct protection *source, struct strbuf *memory, const struct replacing *replacing,
                    const char *text, size_t bytes)
{
    size_t begin[PLACEHOLDERS] = {0};
    struct strbuf word, signs, read;
    strbuf_init(&word);
    strbuf_init(&signs);
    strbuf_init(&read);
    strbuf_reset(memory);
    for (int i = 0; i < source->count; i++) {
        const struct span *span = &source->items[i].span;
        begin[i] = memory->length;
        strbuf_reset(&signs);
        seen_words_read(&signs, &replacing->pair->seen, text, bytes, *span);
        set_normal(&word, text + span->begin, span->end - span->begin);
        set_normal(&read, signs.text, signs.length);
        add_replacement(memory, replacing, &word, &read);
        strbuf_add(memory, "", 1);
    }
    for (int i = 0; i < source->count; i++)
        if (source->items[i].kind == PATTERN_UNSEEN)
            source->items[i].replacement = memory->text + begin[i];
    strbuf_release(&word);
    strbuf_release(&signs);
    strbuf_release(&read);
}
