/* Looks unseen words up in a dictionary, and gives what is found their capitals. */
#include "unseen.h"

#include "utf8.h"

#include <string.h>

/* The dictionary's entry for a word as it is, or else for it in lower case; NULL if there is none. */
static const char *find_entry(bool *as_it_is, const struct translate_options *options, enum casing casing,
                              const struct strbuf *word)
{
    struct strbuf lower;
    if (!options->dictionary_words)
        return NULL;
    int entry = strmap_find(options->dictionary_words, word->text, word->length);
    *as_it_is = entry >= 0;
    if (entry < 0) {
        strbuf_init(&lower);
        casing_lower(&lower, casing, word->text, word->length);
        entry = strmap_find(options->dictionary_words, lower.text, lower.length);
        strbuf_release(&lower);
    }
    return entry < 0 ? NULL : options->dictionary_texts[entry];
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
 * the word has them, or itself; in a line of capitals, in capitals. */
static void add_replacement(struct strbuf *out, const struct translate_options *options,
                            const enum casing *casing, const struct strbuf *word, bool capitals)
{
    bool as_it_is = true;
    const char *entry = find_entry(&as_it_is, options, casing[SOURCE], word);
    const char *text = entry ? entry : word->text;
    const enum casing its_casing = casing[entry ? TARGET : SOURCE];
    int32_t code;
    utf8_decode(word->text, word->length, &code);
    if (capitals || (!as_it_is && is_upper(word)))
        casing_upper(out, its_casing, text, strlen(text));
    else if (!as_it_is && utf8_case_of(code) == UTF8_UPPER)
        casing_capitalize(out, its_casing, text, strlen(text));
    else
        strbuf_adds(out, text);
}

void unseen_replace(struct protection *source, struct strbuf *memory, const struct translate_options *options,
                    const enum casing *casing, const char *text, bool capitals)
{
    size_t begin[PLACEHOLDERS] = {0};
    struct strbuf word;
    strbuf_init(&word);
    strbuf_reset(memory);
    for (int i = 0; i < source->count; i++) {
        const struct span *span = &source->items[i].span;
        begin[i] = memory->length;
        strbuf_reset(&word);
        utf8_normalize(&word, text + span->begin, span->end - span->begin, UTF8_NFC);
        add_replacement(memory, options, casing, &word, capitals);
        strbuf_add(memory, "", 1);
    }
    for (int i = 0; i < source->count; i++)
        if (source->items[i].kind == PATTERN_UNSEEN)
            source->items[i].replacement = memory->text + begin[i];
    strbuf_release(&word);
}
