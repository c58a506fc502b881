/* Words of sentences that a machine made: they are seen, and tell nothing of those that are not. */
#include "check.h"

#include "seen_words.h"

#include <string.h>

#define WORDS 40

static bool has(const struct seen_words *seen, const char *word)
{
    return strmap_find(&seen->words, word, strlen(word)) >= 0;
}

/* Counts a sentence of a word that is different for each number, and its translation, which has none of
 * it. */
static void count(struct word_counts *counts, void (*add)(struct word_counts *, const struct strbuf *),
                  int number, const char *rest)
{
    struct strbuf line;
    char text[64];
    strbuf_init(&line);
    snprintf(text, sizeof text, "the dog %c%c%ct%s", 'a' + number % 26, "aeiou"[number / 26], 'k', rest);
    seen_words_observe(&line, (const char *const[]){text, "le chien"},
                       (const size_t[]){strlen(text), strlen("le chien")}, 0);
    add(counts, &line);
    strbuf_release(&line);
}

static void learn(struct seen_words *seen, void (*add)(struct word_counts *, const struct strbuf *))
{
    struct word_counts counts;
    word_counts_init(&counts);
    for (int i = 0; i < WORDS; i++)
        count(&counts, seen_words_count, i, "");
    for (int i = 0; i < WORDS; i++)
        count(&counts, add, i, " machine");
    seen_words_init(seen);
    seen_words_learn(seen, &counts);
    word_counts_release(&counts);
}

static void synthetic_words_do_not_tell_what_is_copied(void **state)
{
    (void)state;
    struct seen_words genuine, synthetic;
    learn(&genuine, seen_words_count);
    assert_true(genuine.copied & SHAPE_SET(SHAPE_LOWER)); /* since no word occurs only once */
    learn(&synthetic, seen_words_count_synthetic);
    assert_false(synthetic.copied & SHAPE_SET(SHAPE_LOWER));
    for (int i = 0; i < 2; i++)
        assert_true(has(i ? &synthetic : &genuine, "machine") && has(i ? &synthetic : &genuine, "aakt"));
    seen_words_release(&genuine);
    seen_words_release(&synthetic);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(synthetic_words_do_not_tell_what_is_copied)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
