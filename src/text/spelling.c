/* Looks for the other spelling of a word. */
#include "spelling.h"

#include "sentence_signs.h"
#include "utf8.h"

#include <string.h>

/* The same to a reader: of Vietnamese, the older and the newer place of a tone; of Malayalam, final
 * consonants as one character, and as a consonant, a virama and a joiner; of Yiddish, digraphs; of Armenian,
 * the older spelling of "and"; of Persian, three endings; of Kurdish, a vowel that was typed as "h"; of
 * Esperanto, letters that keyboards lack. Of several rows for a part, the first one counts. */
static const char *const spellings[][2] = {
    {"oà", "òa"},     {"oá", "óa"},     {"oả", "ỏa"},     {"oã", "õa"},      {"oạ", "ọa"},
    {"oè", "òe"},     {"oé", "óe"},     {"oẻ", "ỏe"},     {"oẽ", "õe"},      {"oẹ", "ọe"},
    {"uỳ", "ùy"},     {"uý", "úy"},     {"uỷ", "ủy"},     {"uỹ", "ũy"},      {"uỵ", "ụy"},
    {"ൺ", "ണ്\u200d"}, {"ൻ", "ന്\u200d"}, {"ർ", "ര്\u200d"}, {"ൽ", "ല്\u200d"},  {"ൾ", "ള്\u200d"},
    {"ൿ", "ക്\u200d"}, {"װ", "וו"},      {"ױ", "וי"},      {"ײ", "יי"},       {"և", "եւ"},
    {"Եվ", "Եւ"},     {"ԵՎ", "ԵՒ"},     {"ۀ", "هٔ"},       {"هٔ", "ه\u200cی"}, {"ە", "ه\u200c"},
    {"ĉ", "cx"},      {"ĝ", "gx"},      {"ĥ", "hx"},      {"ĵ", "jx"},       {"ŝ", "sx"},
    {"ŭ", "ux"},      {"Ĉ", "Cx"},      {"Ĝ", "Gx"},      {"Ĥ", "Hx"},       {"Ĵ", "Jx"},
    {"Ŝ", "Sx"},      {"Ŭ", "Ux"},      {"Ĉ", "CX"},      {"Ĝ", "GX"},       {"Ĥ", "HX"},
    {"Ĵ", "JX"},      {"Ŝ", "SX"},      {"Ŭ", "UX"},
};
#define SPELLINGS ((int)(sizeof spellings / sizeof spellings[0]))

/* May a spelling be of a new word, too? What is typed in ASCII is, but "ux" may be itself, as in "Bordeaux";
 * letters of Esperanto are also those of names in other texts. */
static bool is_of_new_words(int spelling, int column)
{
    const char first = spellings[spelling][1][0];
    return (first & 0x80) || (column == 1 && (first | 0x20) != 'u');
}

/* The number of the spelling of a column that stands at a place; -1 if there is none. */
static int find_part(const char *word, size_t bytes, size_t at, int column, bool is_new)
{
    const char next = at + 1 < bytes ? word[at + 1] : '\0';
    if (!(word[at] & 0x80) && !(next & 0x80) && (next | 0x20) != 'x') /* most are */
        return -1;
    for (int i = 0; i < SPELLINGS; i++) {
        const char *part = spellings[i][column];
        if (*part == word[at] && (!is_new || is_of_new_words(i, column)) && strlen(part) <= bytes - at &&
            !memcmp(word + at, part, strlen(part)))
            return i;
    }
    return -1;
}

bool spelling_add_bare(struct strbuf *out, const char *word, size_t bytes)
{
    static const char joiners[][4] = {"\u200c", "\u200d"};
    const size_t length = strlen(joiners[0]), begin = out->length;
    size_t copied = 0, at = 0;
    while (at + length <= bytes) {
        if (memcmp(word + at, joiners[0], length) != 0 && memcmp(word + at, joiners[1], length) != 0) {
            at++;
            continue;
        }
        strbuf_add(out, word + copied, at - copied);
        copied = at += length;
    }
    if (copied)
        strbuf_add(out, word + copied, bytes - copied);
    return out->length > begin;
}

/* Appends the word with every spelling of a column as the other one; false if it has none. */
static bool respell(struct strbuf *out, const char *word, size_t bytes, int column, bool is_new)
{
    size_t copied = 0;
    for (size_t at = 0, used; at < bytes; at += used) {
        const int part = find_part(word, bytes, at, column, is_new);
        used = part < 0 ? 1 : strlen(spellings[part][column]);
        if (part < 0)
            continue;
        strbuf_add(out, word + copied, at - copied);
        strbuf_adds(out, spellings[part][!column]);
        copied = at + used;
    }
    if (copied)
        strbuf_add(out, word + copied, bytes - copied);
    return copied > 0;
}

static bool is_seen(const struct seen_words *seen, const char *word, size_t bytes)
{
    return word_is_in(&seen->words, word, (struct span){0, bytes});
}

/* Appends the word with the joiners with which it was seen, or else with none; false if it has none and was
 * seen with none. */
static bool rejoin(struct strbuf *out, const struct seen_words *seen, const char *word, size_t bytes)
{
    const bool bare = spelling_add_bare(out, word, bytes);
    const int number =
        bare ? strmap_find(&seen->bare, out->text, out->length) : strmap_find(&seen->bare, word, bytes);
    if (number >= 0 && (!bare || !is_seen(seen, out->text, out->length))) {
        strbuf_reset(out);
        strbuf_adds(out, strmap_text(&seen->joined, number));
    }
    return bare || number >= 0;
}

/* Are all characters seen, in any case? */
static bool has_characters(const struct seen_words *seen, const char *word, size_t bytes)
{
    bool all = true;
    for (size_t at = 0, used; at < bytes && all; at += used) {
        int32_t code;
        used = utf8_decode(word + at, bytes - at, &code);
        all = word_is_in(&seen->characters, word, (struct span){at, at + used});
    }
    return all;
}

/* Appends the word respelled twice, as Persian ۀ is هٔ, and that ه‌ی; false if there is none. */
static bool respell_twice(struct strbuf *out, const char *word, size_t bytes, int column, bool is_new)
{
    struct strbuf once;
    strbuf_init(&once);
    const bool other =
        respell(&once, word, bytes, column, is_new) && respell(out, once.text, once.length, column, is_new);
    strbuf_release(&once);
    return other;
}

/* Letters of which some words have the one and some the other, so that each place is tried by itself: German
 * as in Switzerland, before 1996 and in capitals; Russian as it is mostly written. */
static const char *const exchanged[][2] = {{"ß", "ss"}, {"ß", "SS"}, {"ẞ", "SS"}, {"ё", "е"}, {"Ё", "Е"}};
#define MOST_EXCHANGED 256 /* bytes of a word; the limit keeps the time linear */

bool spelling_exchange(struct strbuf *out, const char *word, size_t bytes, size_t *at)
{
    while (bytes <= MOST_EXCHANGED && *at < bytes) {
        const char *const place = word + (*at)++;
        const size_t left = bytes - (size_t)(place - word);
        for (size_t i = 0; i < 2 * sizeof exchanged / sizeof exchanged[0]; i++) {
            const char *part = exchanged[i / 2][i % 2];
            const size_t length = strlen(part);
            if (length > left || memcmp(place, part, length) != 0)
                continue;
            strbuf_reset(out);
            strbuf_add(out, word, (size_t)(place - word));
            strbuf_adds(out, exchanged[i / 2][!(i % 2)]);
            strbuf_add(out, place + length, left - length);
            return true;
        }
    }
    return false;
}

/* The same until the word is one that was seen; false if none was, or the word itself. What has a capital may
 * be a name, such as Weiss. */
static bool exchange_seen(struct strbuf *out, const struct seen_words *seen, const char *word, size_t bytes)
{
    int32_t first;
    utf8_decode(word, bytes, &first);
    if (!bytes || utf8_case_of(first) != UTF8_LOWER)
        return false;
    for (size_t at = 0; spelling_exchange(out, word, bytes, &at);)
        if (is_seen(seen, out->text, out->length))
            return !is_seen(seen, word, bytes);
    return false;
}

#define WAYS 5

/* Appends the word in one of the ways that others may write it; false if there is none. */
static bool rewrite(struct strbuf *out, const struct seen_words *seen, const char *word, size_t bytes,
                    int way, bool is_new)
{
    strbuf_reset(out);
    return way < 2   ? respell(out, word, bytes, way, is_new)
           : way < 4 ? respell_twice(out, word, bytes, way - 2, is_new)
                     : rejoin(out, seen, word, bytes);
}

bool spelling_find(struct strbuf *out, const struct seen_words *seen, const char *word, size_t bytes)
{
    struct strbuf other;
    bool found = false, known = false; /* is the word itself? */
    strbuf_init(&other);
    for (int way = 0; way < WAYS && !found && !known; way++)
        if (rewrite(&other, seen, word, bytes, way, false)) {
            known = is_seen(seen, word, bytes);
            found = !known && is_seen(seen, other.text, other.length);
        }
    if (!found && !known)
        found = exchange_seen(&other, seen, word, bytes);
    for (int way = 0; way < WAYS && !found && !known; way++)
        found = rewrite(&other, seen, word, bytes, way, true) && !has_characters(seen, word, bytes) &&
                has_characters(seen, other.text, other.length);
    if (found)
        strbuf_add(out, other.text, other.length);
    strbuf_release(&other);
    return found;
}
