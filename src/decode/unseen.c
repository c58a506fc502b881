/* Looks unseen words up in a dictionary, and gives what is found their capitals. */
#include "unseen.h"

#include "utf8.h"

#include <string.h>

#define MOST_SEARCHED 4096 /* bytes of a sentence; the limit keeps the time linear */
#define DOTLESS_I 0x131

/* The dictionary's entry for a word, as it is written or as it is read; NULL if there is none. */
static const char *find_entry(bool *as_it_is, const struct replacing *replacing, const struct strbuf *word,
                              const struct strbuf *read)
{
    const struct strmap *words = replacing->options->dictionary_words;
    const enum casing casing = replacing->pair->casing[SOURCE];
    if (!words)
        return NULL;
    int entry = casing_find(as_it_is, words, casing, word->text, word->length);
    if (entry < 0)
        entry = casing_find(as_it_is, words, casing, read->text, read->length);
    return entry < 0 ? NULL : replacing->options->dictionary_texts[entry];
}

static bool has_text(const char *text, size_t bytes, const struct strbuf *part)
{
    for (size_t at = 0; at + part->length <= bytes; at++)
        if (!memcmp(text + at, part->text, part->length))
            return true;
    return false;
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
    const bool is_own = has_text(replacing->sentence, bytes, &upper);
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
    const char *entry = find_entry(&as_it_is, replacing, word, read), *text = entry ? entry : word->text;
    const enum casing casing = entry ? replacing->pair->casing[TARGET] : casing_of_copy(replacing, word);
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

/* Turkish texts in capitals have another letter i than the string. */
static bool is_same_letter(int32_t a, int32_t b)
{
    const int32_t small_a = utf8_small(a), small_b = utf8_small(b);
    return (small_a == DOTLESS_I ? 'i' : small_a) == (small_b == DOTLESS_I ? 'i' : small_b);
}

/* The end of the string in the sentence at a place, in any case; 0 if it is not there. */
static size_t string_end(const struct replacing *replacing, size_t place, const char *string, size_t bytes)
{
    for (size_t at = 0; at < bytes;) {
        int32_t code, written;
        if (place >= replacing->bytes)
            return 0;
        at += utf8_decode(string + at, bytes - at, &code);
        place += utf8_decode(replacing->sentence + place, replacing->bytes - place, &written);
        if (!is_same_letter(code, written))
            return 0;
    }
    return place;
}

/* Appends another string, such as a path, as the sentence has it from a place on, which moves behind it; false
 * if that does not have it. */
static bool replace_string(struct strbuf *out, size_t *place, const struct replacing *replacing,
                           const char *string, size_t bytes)
{
    int32_t code;
    for (size_t at = *place; at < replacing->bytes && at < *place + MOST_SEARCHED;
         at += utf8_decode(replacing->sentence + at, replacing->bytes - at, &code)) {
        const size_t end = string_end(replacing, at, string, bytes);
        if (end) {
            strbuf_add(out, replacing->sentence + at, end - at);
            *place = end;
            return true;
        }
    }
    return false;
}

void unseen_replace(struct protection *source, struct strbuf *memory, const struct replacing *replacing,
                    const char *text, size_t bytes)
{
    size_t begin[PLACEHOLDERS];
    bool replaced[PLACEHOLDERS];
    const bool words = replacing->capitals || replacing->options->dictionary_words;
    size_t place = 0;
    strbuf_reset(memory);
    for (int i = 0; i < source->count; i++) {
        const struct span span = source->items[i].span;
        begin[i] = memory->length;
        const bool is_word = source->items[i].kind == PATTERN_UNSEEN;
        replaced[i] =
            is_word ? words
                    : replace_string(memory, &place, replacing, text + span.begin, span.end - span.begin);
        if (is_word && words)
            replace_word(memory, replacing, text, bytes, span);
        strbuf_add(memory, "", 1);
    }
    for (int i = 0; i < source->count; i++)
        if (replaced[i])
            source->items[i].replacement = memory->text + begin[i];
}
