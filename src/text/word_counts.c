/* Counts the words of lines. */
#include "word_counts.h"

#include "mem.h"
#include "tokenize.h"

#include <string.h>

void word_counts_init(struct word_counts *counts)
{
    memset(counts, 0, sizeof *counts);
    strmap_init(&counts->words);
}

void word_counts_release(struct word_counts *counts)
{
    strmap_release(&counts->words);
    xfree(counts->counts);
    word_counts_init(counts);
}

void word_counts_add(struct word_counts *counts, const char *text, size_t bytes, int64_t times)
{
    size_t at = 0, length;
    for (const char *word; (word = next_word(text, bytes, &at, &length));) {
        const size_t known = counts->words.count;
        const size_t id = (size_t)strmap_intern(&counts->words, word, length);
        GROW(counts->counts, id + 1, counts->capacity);
        counts->counts[id] = (id == known ? 0 : counts->counts[id]) + times;
    }
}
