/* Counts a corpus's words by the side of the training text on which they are known. nmt check reads the
 * lines. */
#include "swapped_sides.h"

#define MOST_WORDS 1000000
/* Words known from the other side only, at least; they must also be more than twice those of the own side. */
#define LEAST_EVIDENCE 5

void swapped_sides_release(struct swapped_sides *sides)
{
    for (int side = 0; side < SIDES; side++)
        hashset_release(&sides->known[side]);
}

static void learn(struct swapped_sides *sides, int side, const char *word, size_t bytes)
{
    if (sides->known[side].count < MOST_WORDS)
        hashset_add(&sides->known[side], word, bytes);
}

static void count(struct swapped_sides *sides, int side, const char *word, size_t bytes)
{
    const bool own = hashset_has(&sides->known[side], word, bytes);
    const bool other = hashset_has(&sides->known[!side], word, bytes);
    sides->own += own && !other;
    sides->other += other && !own;
}

/* In scripts without blanks every character is a word. Tokens that do not begin with a letter are skipped. */
static void each_word(struct swapped_sides *sides, int side, const struct strbuf *words,
                      void (*take)(struct swapped_sides *, int side, const char *word, size_t bytes))
{
    size_t at = 0, length;
    for (const char *word; (word = next_word(words->text, words->length, &at, &length));) {
        int32_t code;
        utf8_decode(word, length, &code);
        if (utf8_class_of(code) != UTF8_LETTER)
            continue;
        if (!utf8_unspaced(code)) {
            take(sides, side, word, length);
            continue;
        }
        for (size_t used; length; word += used, length -= used) {
            used = utf8_decode(word, length, &code);
            take(sides, side, word, used);
        }
    }
}

void swapped_sides_learn(struct swapped_sides *sides, int side, const struct strbuf *words)
{
    each_word(sides, side, words, learn);
}

void swapped_sides_begin(struct swapped_sides *sides)
{
    sides->own = sides->other = 0;
}

void swapped_sides_count(struct swapped_sides *sides, int side, const struct strbuf *words)
{
    each_word(sides, side, words, count);
}

bool swapped_sides_found(const struct swapped_sides *sides)
{
    return sides->other >= LEAST_EVIDENCE && sides->other > 2 * sides->own;
}
