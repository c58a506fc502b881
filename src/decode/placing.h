/* placing: the words of a sentence and of its translation, the attention between them, and the tags around
 * them: what tag_places.c works on. */
#ifndef NMT_PLACING_H
#define NMT_PLACING_H

#include "tag_places.h"

/* Words from `begin` to `end` - 1. */
struct run {
    int begin, end;
};

struct placing {
    const struct inline_tag *tags;
    size_t count;
    const char *source, *text;
    size_t source_bytes, text_bytes;
    struct span *words; /* [word_count]: of the translation, in its order */
    int *word_rows;     /* [word_count]: the row of the attention of each */
    int word_count;
    struct span *source_words; /* [source_count] */
    int *source_columns;       /* [source_count]: likewise */
    int source_count;
    float
        *sums; /* [word_count][source_count + 1]: the attention to the source words before each; NULL: none */
    int *owner;       /* [word_count]: the innermost tag around each; -1: none */
    struct run *runs; /* [count]: words of each tag; begin == end: before that word */
    bool *placed;
    struct span *inside; /* [count]: the place of each that is within a word; {0, 0}: it is not */
    struct run *kept;    /* [count]: the first and the last kept tag of each and those in it; -1: none */
};

/* With the words of the translation t of p->source, and its attention if it has one. The tags, count, source
 * and text of p are set; the rest is 0. */
void placing_init(struct placing *p, const struct translation *t, const struct tokenizer *tokenizers);
void placing_release(struct placing *p);

/* Is a word of the translation the same as one of the source? */
bool placing_is_same(const struct placing *p, int word, int source);
/* The first source word that ends behind a place. */
int placing_word_behind(const struct placing *p, size_t at);
/* Where a word would stand in the source, if it stood in proportion. */
size_t placing_place_in_source(const struct placing *p, int word);
/* A part of the source as source words; empty without attention. */
struct run placing_source_run(const struct placing *p, struct span text);
/* The attention of a word to a part of the source, which is these words. */
float placing_weight(const struct placing *p, int word, struct span text, struct run run);

#endif
