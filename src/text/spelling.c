/* Looks for the other spelling of a word. */
#include "spelling.h"

#include "sentence_signs.h"
#include "utf8.h"

#include <string.h>

/* The same to a reader: of Vietnamese, the older and the newer place of a tone; of Malayalam, final
 * consonants as one character, and as a consonant, a virama and a joiner; of Yiddish, digraphs. */
static const char *const spellings[][2] = {
    {"oà", "òa"},     {"oá", "óa"},     {"oả", "ỏa"},     {"oã", "õa"},     {"oạ", "ọa"},
    {"oè", "òe"},     {"oé", "óe"},     {"oẻ", "ỏe"},     {"oẽ", "õe"},     {"oẹ", "ọe"},
    {"uỳ", "ùy"},     {"uý", "úy"},     {"uỷ", "ủy"},     {"uỹ", "ũy"},     {"uỵ", "ụy"},
    {"ൺ", "ണ്\u200d"}, {"ൻ", "ന്\u200d"}, {"ർ", "ര്\u200d"}, {"ൽ", "ല്\u200d"}, {"ൾ", "ള്\u200d"},
    {"ൿ", "ക്\u200d"}, {"װ", "וו"},      {"ױ", "וי"},      {"ײ", "יי"},
};
#define SPELLINGS (sizeof spellings / sizeof spellings[0])

/* The number of the spelling of a column that stands at a place; -1 if there is none. */
static int find_part(const char *word, size_t bytes, size_t at, int column)
{
    if (!(word[at] & 0x80) && (at + 1 == bytes || !(word[at + 1] & 0x80))) /* most are */
        return -1;
    for (int i = 0; i < (int)SPELLINGS; i++) {
        const size_t length = strlen(spellings[i][column]);
        if (length <= bytes - at && !memcmp(word + at, spellings[i][column], length))
            return i;
    }
    return -1;
}

/* Appends the word with every spelling of a column as the other one; false if it has none. */
static bool respell(struct strbuf *out, const char *word, size_t bytes, int column)
{
    size_t copied = 0;
    for (size_t at = 0, used; at < bytes; at += used) {
        const int part = find_part(word, bytes, at, column);
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

bool spelling_find(struct strbuf *out, const struct seen_words *seen, const char *word, size_t bytes)
{
    struct strbuf other;
    bool found = false;
    strbuf_init(&other);
    for (int column = 0; column < 2 && !found; column++) {
        strbuf_reset(&other);
        found = respell(&other, word, bytes, column) &&
                !word_is_in(&seen->words, word, (struct span){0, bytes}) &&
                (word_is_in(&seen->words, other.text, (struct span){0, other.length}) ||
                 (!has_characters(seen, word, bytes) && has_characters(seen, other.text, other.length)));
    }
    if (found)
        strbuf_add(out, other.text, other.length);
    strbuf_release(&other);
    return found;
}
