/* vocab: the words of one side and their ids. Ids 0, 1, 2 are the unknown word, the begin mark and the end
 * mark (no text is mapped to the marks); then the placeholders, where strings are protected; then words by
 * falling frequency. File: "word count" lines in the order of ids. */
#ifndef NMT_VOCAB_H
#define NMT_VOCAB_H

#include "err.h"
#include "model_files.h"
#include "placeholder.h"
#include "strmap.h"

#include <stdint.h>

enum vocab_special { VOCAB_UNKNOWN, VOCAB_BEGIN, VOCAB_END, VOCAB_SPECIALS };
#define VOCAB_PLACEHOLDER(number) (VOCAB_SPECIALS - 1 + (number)) /* the id, where there are any */

struct vocab {
    struct strmap words;
    int64_t *counts;
    size_t capacity;
};

void vocab_init(struct vocab *vocab); /* only the special words */
void vocab_release(struct vocab *vocab);
/* Adds the placeholders, to the special words only. */
void vocab_add_placeholders(struct vocab *vocab);
bool vocab_has_placeholders(const struct vocab *vocab);
/* Adds new words by falling count, ties by byte order: the `most` most frequent (0: all) of those with a
 * count of at least `least`, and at least 1. */
void vocab_build(struct vocab *vocab, const struct strmap *words, const int64_t *counts, size_t most,
                 int64_t least);
/* Initialises the vocabulary with the words of a model's file; on failure there is nothing to release. */
int vocab_load(struct vocab *vocab, const struct model_files *files, const char *name, struct err *err);
/* Appends the text of the file. */
void vocab_print(struct strbuf *text, const struct vocab *vocab);
int vocab_size(const struct vocab *vocab);
/* The id of a word; VOCAB_UNKNOWN if it has none. */
int vocab_id(const struct vocab *vocab, const char *word, size_t bytes);
const char *vocab_word(const struct vocab *vocab, int id);

#endif
