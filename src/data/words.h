/* words: the training text as words: all pairs in a file, and the count of each word, in bounded memory. */
#ifndef NMT_WORDS_H
#define NMT_WORDS_H

#include "language_pair.h"
#include "links.h"
#include "strbuf.h"

#include <stdio.h>

/* A pair as words. */
struct pair_words {
    struct strbuf side[SIDES];
    struct links links; /* reference word links, if given */
    int corpus;         /* which of data.train */
};

void pair_words_init(struct pair_words *pair);
void pair_words_release(struct pair_words *pair);
/* Puts the words of the target into the opposite order: that of text.reverse_target, or back. */
void pair_words_reverse_target(struct pair_words *pair);
/* Has neither side more words than this? A word is one token at least: training drops longer pairs. */
bool pair_words_fit(const struct pair_words *pair, int max_length);

/* A temporary file of pairs, written in order, then read in the same order. It has no name. */
struct word_spool {
    FILE *file;
    char *path; /* the name it had at creation, for messages */
};

int word_spool_open(struct word_spool *spool, const char *dir, struct err *err);
int word_spool_add(struct word_spool *spool, const struct pair_words *pair, struct err *err);
/* Switches from writing to reading. */
int word_spool_rewind(struct word_spool *spool, struct err *err);
/* Reads the next pair. 1: read; 0: end; -1: error. */
int word_spool_next(struct word_spool *spool, struct pair_words *pair, struct err *err);
/* Reads up to `most` pairs and sets their number. 1: there may be more; 0: these are the last; -1: error. */
int word_spool_chunk(struct word_spool *spool, struct pair_words *pairs, int most, int *count,
                     struct err *err);
void word_spool_close(struct word_spool *spool);

/* Words in order of first appearance, with counts for each side. */
struct word_table {
    struct strmap words;
    int64_t *counts[SIDES];
    size_t capacity[SIDES];
};

/* The tables of a language pair: a single one for both sides if they share subwords. */
struct word_tables {
    struct word_table own[SIDES];
    struct word_table *side[SIDES];
};

void word_tables_init(struct word_tables *tables, bool joint);
void word_tables_release(struct word_tables *tables);
/* Counts the words of a pair, but for those of more than 2,048 bytes: junk such as base64 in one line would
 * take most of the subwords. Beyond a million different words, the rarest so far are forgotten: they hardly
 * affect subwords and vocabularies. */
void word_tables_add(struct word_tables *tables, const struct pair_words *pair);

#endif
