/* Looks unseen words up in a dictionary, and gives what is found their capitals. */
#define _GNU_SOURCE /* memmem */
#include "unseen.h"

#include "utf8.h"

#include <string.h>

#define MOST_SEARCHED 4096 /* bytes of a sentence; the limit keeps the time linear */

/* The dictionary's entry for a word, as it is written or as it is read; NULL if there is none. */
static const char *find_entry(bool *as_it_is, const struct replacing *replacing, const struct strbuf *word,
                              const struct strbuf *read)
{
    if (!replacing->options->dictionary_words)
        return NULL;
    int entry = user_words_find(as_it_is, replacing->user_words, word->text, word->length);
    if (entry < 0)
        entry = user_words_find(as_it_is, replacing->user_words, read->text, read->length);
    return entry < 0 ? NULL : replacing->options->dictionary_texts[entry];
}

/* The casing of a copied word: foreign words, which a sentence of capitals does not hold in the capitals of
 * its language, have that of most languages. */
static enum casing casing_of_copy(const struct replacing *replacing, const struct strbuf *word)
{
    const enum casing own = replacing->pair->casing[SOURCE];
    const size_t bytes = replacing->bytes < MOST_SEARCHED ? replacing->bytes : MOST_SEARCHED;
    struct strbuf upper;
    if (!replacing->capitals || own == CASING_COMMON)
        return CASING_COMMON;
    strbuf_init(&upper);
    casing_upper(&upper, own, word->text, word->length);
    const bool is_own = memmem(replacing->sentence, bytes, upper.text, upper.length) != NULL;
    strbuf_release(&upper);
    return is_own ? own : CASING_COMMON;
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

void unseen_add(struct strbuf *out, const struct replacing *replacing, const struct strbuf *word,
                const struct strbuf *read)
{
    bool as_it_is = true;
    struct strbuf copy;
    strbuf_init(&copy);
    copied_text_add(&copy, replacing->zeros, word->text, word->length);
    const char *entry = find_entry(&as_it_is, replacing, word, read), *text = entry ? entry : copy.text;
    const enum casing casing = entry ? replacing->pair->casing[TARGET] : casing_of_copy(replacing, word);
    int32_t code;
    utf8_decode(word->text, word->length, &code);
    if (replacing->capitals || (!as_it_is && is_upper(read)))
        casing_upper(out, casing, text, strlen(text));
    else if (!as_it_is && utf8_case_of(code) == UTF8_UPPER)
        casing_capitalize(out, casing, text, strlen(text));
    else
        strbuf_adds(out, text);
    strbuf_release(&copy);
}

static void set_normal(struct strbuf *normal, const char *text, size_t bytes)
{
    strbuf_reset(normal);
    utf8_normalize(normal, text, bytes, UTF8_NFC);
}

static void replace_word(struct strbuf *out, const struct replacing *replacing, const char *text,
                         size_t bytes, struct span span)
{
    struct strbuf word, signs, read;
    strbuf_init(&word);
    strbuf_init(&signs);
    strbuf_init(&read);
    seen_words_read(&signs, &replacing->pair->seen, text, bytes, span, true);
    set_normal(&word, text + span.begin, span.end - span.begin);
    set_normal(&read, signs.text, signs.length);
    unseen_add(out, replacing, &word, &read);
    strbuf_release(&word);
    strbuf_release(&signs);
    strbuf_release(&read);
}

/* The next letter of a text, in any case; -1 at the end. */
static int32_t next_letter(const char *text, size_t bytes, size_t *at)
{
    struct strbuf folded;
    int32_t code = -1;
    if (*at < bytes && (unsigned char)text[*at] < 0x80) /* most are */
        return utf8_small(text[(*at)++]);
    strbuf_init(&folded);
    while (!folded.length && *at < bytes) {
        const size_t used = utf8_decode(text + *at, bytes - *at, &code);
        casing_fold_all(&folded, text + *at, used);
        *at += used;
    }
    if (!folded.length || !utf8_decode(folded.text, folded.length, &code))
        code = -1;
    strbuf_release(&folded);
    return code;
}

/* The end of a string at a place of a text, in any case; 0 if it is not there. */
static size_t string_end(const char *text, size_t bytes, size_t place, const char *string, size_t length)
{
    for (size_t at = 0;;) {
        const int32_t letter = next_letter(string, length, &at);
        if (letter < 0)
            return place;
        if (next_letter(text, bytes, &place) != letter)
            return 0;
    }
}

/* Finds the next place of a string in a text, in any case; `at` moves behind it. False if there is none. */
static bool next_place(struct span *found, const char *text, size_t bytes, size_t *at, const char *string,
                       size_t length)
{
    int32_t code;
    for (; *at < bytes; *at += utf8_decode(text + *at, bytes - *at, &code)) {
        const size_t end = string_end(text, bytes, *at, string, length);
        if (end) {
            *found = (struct span){*at, end};
            *at = end;
            return true;
        }
    }
    return false;
}

/* Appends another string of the text, such as a path, as the sentence has it: it stands there as many times
 * before as in what was read. */
static bool replace_string(struct strbuf *out, const struct replacing *replacing, const char *string,
                           size_t length)
{
    struct span found;
    size_t before = 0, at = 0;
    if (!replacing->usual || string - replacing->usual > MOST_SEARCHED)
        return false;
    while (next_place(&found, replacing->usual, (size_t)(string - replacing->usual), &at, string, length))
        before++;
    at = 0;
    do {
        if (!next_place(&found, replacing->sentence, replacing->bytes, &at, string, length))
            return false;
    } while (before--);
    strbuf_add(out, replacing->sentence + found.begin, found.end - found.begin);
    return true;
}

void unseen_replace(struct protection *source, struct strbuf *memory, const struct replacing *replacing,
                    const char *text, size_t bytes)
{
    size_t begin[PLACEHOLDERS];
    bool replaced[PLACEHOLDERS];
    const bool words = replacing->capitals || replacing->options->dictionary_words;
    strbuf_reset(memory);
    for (int i = 0; i < source->count; i++) {
        const struct span span = source->items[i].span;
        begin[i] = memory->length;
        const size_t length = span.end - span.begin;
        if (source->items[i].kind != PATTERN_UNSEEN)
            replaced[i] = replace_string(memory, replacing, text + span.begin, length);
        else if ((replaced[i] = words || copied_text_changes(replacing->zeros, text + span.begin, length)))
            replace_word(memory, replacing, text, bytes, span);
        strbuf_add(memory, "", 1);
    }
    for (int i = 0; i < source->count; i++)
        if (replaced[i])
            source->items[i].replacement = memory->text + begin[i];
}
