/* Lists the words of terms. What that means for a word of a text is in segment.c. */
#include "user_words.h"

#include "segment.h"

void user_words_init(struct user_words *user, enum casing casing, const struct seen_words *seen,
                     const struct strmap *translated)
{
    user->casing = casing;
    user->seen = seen;
    strmap_init(&user->term_words);
    strmap_init(&user->term_beginnings);
    user->translated = translated;
}

void user_words_release(struct user_words *user)
{
    strmap_release(&user->term_words);
    strmap_release(&user->term_beginnings);
}

void user_words_add_term(struct user_words *user, const char *term, size_t bytes, bool begun)
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
        strmap_intern(begun && segment.end == bytes ? &user->term_beginnings : &user->term_words, key.text,
                      key.length);
    }
    strbuf_release(&normal);
    strbuf_release(&key);
}
