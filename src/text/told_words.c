/* Lists the words of terms. What that means for a word of a text is in unit.c. */
#include "told_words.h"

#include "unit.h"

void told_words_init(struct told_words *told, const struct strmap *translated)
{
    strmap_init(&told->text);
    strmap_init(&told->begun);
    told->translated = translated;
}

void told_words_release(struct told_words *told)
{
    strmap_release(&told->text);
    strmap_release(&told->begun);
}

void told_words_add_term(struct told_words *told, const char *term, size_t bytes, bool begun)
{
    const struct scan s = {.text = term, .bytes = bytes};
    struct strbuf key;
    struct unit unit;
    strbuf_init(&key);
    for (size_t at = 0; unit_next(&unit, &s, &at); strbuf_reset(&key)) {
        unit_add_key(&key, &s, &unit);
        strmap_intern(begun && unit.end == bytes ? &told->begun : &told->text, key.text, key.length);
    }
    strbuf_release(&key);
}
