/* vocab: the numbered words of one side. Ids 0, 1, 2 are the unknown word, the begin mark and the end mark,
 * which no text ever maps to; then words by falling frequency. File: "word count" lines in the order of the
 * ids. */
#ifndef NMT_VOCAB_H
#define NMT_VOCAB_H

#include "err.h"
#include "strmap.h"

#include <stdint.h>

enum vocab_special { VOCAB_UNKNOWN, VOCAB_BEGIN, VOCAB_END, VOCAB_SPECIALS };

struct vocab {
    struct strmap words;
    int64_t *counts;
    size_t capacity;
};

void vocab_init(struct vocab *vocab); /* the special words only */
void vocab_release(struct vocab *vocab);
/* Adds counted words that it has not yet: the `most` most frequent (0: all) of those seen `least` times, and
 * at all; ties by byte order. */
void vocab_build(struct vocab *vocab, const struct strmap *words, const int64_t *counts, size_t most,
                 int64_t least);
int vocab_load(struct vocab *vocab, const char *path, struct err *err);
int vocab_save(const struct vocab *vocab, const char *path, struct err *err);
int vocab_size(const struct vocab *vocab);
/* Id of a word of text; VOCAB_UNKNOWN where it has none. */
int vocab_id(const struct vocab *vocab, const char *word, size_t bytes);
const char *vocab_word(const struct vocab *vocab, int id);

/* Words being counted. */
struct word_counts {
    struct strmap words;
    int64_t *counts;
    size_t capacity;
};

void word_counts_init(struct word_counts *counts);
void word_counts_release(struct word_counts *counts);
/* Counts the words of a line (separated by blanks), `times` each. */
void word_counts_add(struct word_counts *counts, const char *text, size_t bytes, int64_t times);

#endif
