/* Lists the words of terms, and looks those of a dictionary up. What that means for a word of a text is in
 * segment.c. */
#include "user_words.h"

#include "mem.h"
#include "segment.h"
#include "utf8.h"

#include <string.h>

static void add_read(struct user_words *user, int number, const struct strbuf *key)
{
    if (strmap_find(user->translated, key->text, key->length) >= 0)
        return;
    const size_t known = user->read.count;
    if ((size_t)strmap_intern(&user->read, key->text, key->length) == known) {
        GROW(user->read_from, known + 1, user->read_capacity);
        user->read_from[known] = number;
    }
}

/* Adds what a word with a translation is read as, and its capitals if they are not those of it alone: Greek
 * ones have no accents. */
static void read_word(struct user_words *user, int number)
{
    const char *word = strmap_text(user->translated, number);
    const size_t bytes = strmap_length(user->translated, number);
    struct strbuf signs, read, upper, lower;
    strbuf_init(&signs);
    strbuf_init(&read);
    strbuf_init(&upper);
    strbuf_init(&lower);
    seen_words_read(&signs, user->seen, word, bytes, (struct span){0, bytes}, true);
    utf8_normalize(&read, signs.text, signs.length, UTF8_NFC);
    add_read(user, number, &read);
    casing_upper(&upper, user->casing, read.text, read.length);
    casing_lower(&lower, user->casing, upper.text, upper.length);
    if (!utf8_has(read.text, read.length, utf8_is_capital) && strcmp(lower.text, read.text) != 0)
        add_read(user, number, &upper);
    strbuf_release(&signs);
    strbuf_release(&read);
    strbuf_release(&upper);
    strbuf_release(&lower);
}

void user_words_init(struct user_words *user, enum casing casing, const struct seen_words *seen,
                     const struct strmap *translated)
{
    user->casing = casing;
    user->seen = seen;
    strmap_init(&user->term_words);
    strmap_init(&user->term_beginnings);
    user->translated = translated;
    strmap_init(&user->read);
    user->read_from = NULL;
    user->read_capacity = 0;
    for (size_t i = 0; translated && seen && i < translated->count; i++)
        read_word(user, (int)i);
}

int user_words_find(bool *as_it_is, const struct user_words *user, const char *word, size_t bytes)
{
    const int number = casing_find(as_it_is, user->translated, user->casing, word, bytes);
    if (number >= 0)
        return number;
    const int read = casing_find(as_it_is, &user->read, user->casing, word, bytes);
    if (read < 0)
        return -1;
    const int from = user->read_from[read];
    *as_it_is &=
        utf8_has(word, bytes, utf8_is_capital) ==
        utf8_has(strmap_text(user->translated, from), strmap_length(user->translated, from), utf8_is_capital);
    return from;
}

void user_words_release(struct user_words *user)
{
    strmap_release(&user->term_words);
    strmap_release(&user->term_beginnings);
    strmap_release(&user->read);
    xfree(user->read_from);
}

void user_words_add_term(struct user_words *user, const char *term, size_t bytes, bool wildcard)
{
    const struct scan s = {.text = term, .bytes = bytes, .seen = user->seen};
    struct strbuf normal, key;
    struct segment segment;
    strbuf_init(&normal);
    strbuf_init(&key);
    for (size_t at = 0; segment_next(&segment, &s, &at);) {
        strbuf_reset(&normal);
        strbuf_reset(&key);
        segment_add_normal(&normal, &s, &segment);
        casing_lower(&key, user->casing, normal.text, normal.length);
        strmap_intern(wildcard && segment.end == bytes ? &user->term_beginnings : &user->term_words, key.text,
                      key.length);
    }
    strbuf_release(&normal);
    strbuf_release(&key);
}
