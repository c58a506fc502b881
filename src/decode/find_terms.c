/* Finds a glossary's terms in a line, and in its translation. */
#include "terms.h"

#include <string.h>

#define OBJECT "\xef\xbf\xbc" /* U+FFFC, which stands for what is no text */

/* ---- words ---- */

/* Is a character a mark of the one before it, or stacked below it, in a script without blanks? */
static bool is_of_letter(int32_t last, int32_t code)
{
    static const int32_t stackers[] = {0x1039, 0x17d2, 0x1a60, 0x1b44, 0xa9c0};
    bool is = utf8_category(code) == 'M';
    for (size_t i = 0; i < sizeof stackers / sizeof stackers[0]; i++)
        is |= last == stackers[i];
    return is && utf8_unspaced(last);
}

/* The end of the unit that begins at `at`: a run of wordlike characters, or another one with its marks. */
static size_t unit_end(const char *text, size_t bytes, size_t at)
{
    int32_t last = 0, code;
    for (size_t used; at < bytes; at += used, last = code) {
        used = utf8_decode(text + at, bytes - at, &code);
        if (!used)
            return last ? at : at + 1;
        if (last && !is_of_letter(last, code) &&
            (!utf8_is_wordlike(last) || !utf8_is_wordlike(code) || utf8_is_particle_between(last, code)))
            return at;
    }
    return at;
}

size_t terms_units(const char *text, size_t bytes)
{
    size_t count = 0;
    for (size_t at = 0; at < bytes; count++)
        at = unit_end(text, bytes, at);
    return count;
}

/* ---- terms in a line ---- */

/* Looks up a text of a line in capitals. "IT" may be a term there, or "it". */
static bool look_up_recased(struct term_match *match, const struct terms *terms, const char *text,
                            size_t bytes)
{
    struct strbuf lower;
    strbuf_init(&lower);
    casing_lower(&lower, terms->pair->casing[SOURCE], text, bytes);
    const bool seen = strmap_find(&terms->pair->seen.words, lower.text, lower.length) >= 0;
    const int number = seen ? -1 : strmap_find(&terms->lower, lower.text, lower.length);
    strbuf_release(&lower);
    match->capital = false;
    if (number >= 0)
        match->entry = terms->lower_entry_of[number];
    return number >= 0;
}

/* Looks a text up, in whatever case it is. */
static bool look_up(struct term_match *match, const struct terms *terms, bool wildcard, const char *text,
                    size_t bytes)
{
    bool as_it_is;
    const struct strmap *map = wildcard ? &terms->wildcard : &terms->whole;
    const int number = casing_find(&as_it_is, map, terms->pair->casing[SOURCE], text, bytes);
    match->capital = !as_it_is;
    if (number >= 0)
        match->entry = terms->entry_of[wildcard][number];
    return number >= 0;
}

/* A term that is text[0 … bytes), whose last unit begins at `last`: the whole, or its longest beginning. */
static bool match_term(struct term_match *match, const struct terms *terms, bool recased, const char *text,
                       size_t bytes, size_t last)
{
    if (look_up(match, terms, false, text, bytes) || (recased && look_up_recased(match, terms, text, bytes)))
        return true;
    for (size_t end = bytes; terms->wildcard.count && end > last; end--)
        if ((end == bytes || !utf8_continues(text[end])) && look_up(match, terms, true, text, end))
            return true;
    return false;
}

/* The longest term that begins here; returns its end, or that of the first unit. */
static size_t longest_term(struct term_match *match, bool *found, const struct terms *terms, bool recased,
                           const char *text, size_t bytes)
{
    size_t end = 0, longest = unit_end(text, bytes, 0);
    *found = false;
    for (size_t units = 0; units < terms->most_units && end < bytes; units++) {
        struct term_match longer;
        const size_t last = end;
        end = unit_end(text, bytes, end);
        if (match_term(&longer, terms, recased, text, end, last)) {
            *match = longer;
            *found = true;
            longest = end;
        }
    }
    return longest;
}

/* Appends tokens with a symbol in place of each placeholder. */
static void add_without_placeholders(struct strbuf *out, const struct strbuf *subwords, bool tagged)
{
    size_t at = 0, length;
    for (const char *word; (word = next_word(subwords->text, subwords->length, &at, &length));) {
        const bool is_tag = tagged && !out->length;
        if (out->length)
            strbuf_addch(out, ' ');
        if (is_tag || placeholder_number(word, length))
            strbuf_adds(out, OBJECT);
        else
            strbuf_add(out, word, length);
    }
}

/* Appends the text of the first tokens, and returns its bytes. */
static size_t add_text(struct strbuf *text, const struct tokenizer *tokenizer, const struct strbuf *subwords,
                       size_t tokens)
{
    size_t at = 0, length;
    while (tokens-- > 0)
        next_word(subwords->text, subwords->length, &at, &length);
    strbuf_reset(text);
    tokenizer_text(text, tokenizer, subwords->text, at);
    return text->length;
}

/* The most of `count` tokens that are at most so many bytes of text. */
static size_t tokens_within(const struct tokenizer *tokenizer, const struct strbuf *subwords, size_t count,
                            size_t bytes)
{
    size_t low = 0, high = count;
    struct strbuf text;
    strbuf_init(&text);
    while (low < high) {
        const size_t middle = (low + high + 1) / 2;
        if (add_text(&text, tokenizer, subwords, middle) <= bytes)
            low = middle;
        else
            high = middle - 1;
    }
    strbuf_release(&text);
    return low;
}

size_t terms_find(struct term_match *matches, const struct terms *terms, const struct strbuf *subwords,
                  bool tagged, bool recased)
{
    struct tokenizer tokenizer = terms->pair->tokenizer[SOURCE];
    struct strbuf tokens, text;
    size_t count = 0;
    tokenizer.protect.kinds = 0;
    strbuf_init(&tokens);
    strbuf_init(&text);
    add_without_placeholders(&tokens, subwords, tagged);
    const size_t token_count = (size_t)word_count(tokens.text, tokens.length);
    const size_t bytes = add_text(&text, &tokenizer, &tokens, token_count);
    for (size_t at = 0; at < bytes && count < MOST_PHRASES;) {
        struct term_match *match = &matches[count];
        bool found;
        const size_t begin = at;
        at += longest_term(match, &found, terms, recased, text.text + at, bytes - at);
        if (!found)
            continue;
        match->part.begin = tokens_within(&tokenizer, &tokens, token_count, begin);
        match->part.end = tokens_within(&tokenizer, &tokens, token_count - 1, at - 1) + 1;
        count++;
    }
    strbuf_release(&tokens);
    strbuf_release(&text);
    return count;
}

/* ---- terms in a translation ---- */

/* How often a term stands in a text as whole words. */
static size_t occurrences(const char *text, const char *term)
{
    const size_t bytes = strlen(text), length = strlen(term);
    size_t count = 0;
    for (size_t at = 0; at < bytes; at = unit_end(text, bytes, at)) {
        size_t end = at;
        if (strncmp(text + at, term, length))
            continue;
        while (end < at + length)
            end = unit_end(text, bytes, end);
        count += end == at + length;
    }
    return count;
}

/* The same for a term of a match: as it is, with a capital if it may have one, or in capitals, as the
 * translation of a line in capitals is. */
static size_t occurrences_of(const char *text, const char *term, bool capital, enum casing casing)
{
    size_t count = occurrences(text, term);
    struct strbuf title, upper;
    strbuf_init(&title);
    strbuf_init(&upper);
    casing_capitalize(&title, casing, term, strlen(term));
    casing_upper(&upper, casing, term, strlen(term));
    if (capital && strcmp(title.text, term))
        count += occurrences(text, title.text);
    if (strcmp(upper.text, term) && strcmp(upper.text, title.text))
        count += occurrences(text, upper.text);
    strbuf_release(&title);
    strbuf_release(&upper);
    return count;
}

void terms_check(struct term *found, const struct terms *terms, const struct term_match *matches,
                 size_t count, const char *text)
{
    for (size_t i = 0; i < count; i++) {
        const struct glossary_entry *entry = &terms->glossary->entries[matches[i].entry];
        const char *target = terms->entries[matches[i].entry].target;
        const enum casing casing = terms->pair->casing[TARGET];
        size_t before = 0;
        for (size_t k = 0; k < i; k++)
            before += !strcmp(terms->entries[matches[k].entry].target, target);
        found[i] = (struct term){entry->source, entry->target,
                                 occurrences_of(text, target, matches[i].capital, casing) > before};
    }
}
