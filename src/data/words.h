/* words: training text between raw lines and ids: all pairs on the disk, as words, and how often each word is
 * there, in bounded memory. */
#ifndef NMT_WORDS_H
#define NMT_WORDS_H

#include "language_pair.h"
#include "links.h"
#include "strbuf.h"

#include <stdio.h>

/* A pair, as words. */
struct pair_words {
    struct strbuf side[SIDES];
    struct links links; /* of words, the right ones; where they are known */
    int corpus;         /* which of data.train */
};

void pair_words_init(struct pair_words *pair);
void pair_words_release(struct pair_words *pair);

/* Pairs that are written one after the other, and then read in the same order; a file without a name. */
struct word_spool {
    FILE *file;
    char *path; /* as it was called for a moment */
};

int word_spool_open(struct word_spool *spool, const char *dir, struct err *err);
int word_spool_add(struct word_spool *spool, const struct pair_words *pair, struct err *err);
/* From now on it is read. */
int word_spool_rewind(struct word_spool *spool, struct err *err);
/* The next pair. 1: there it is; 0: there was none; -1: error. */
int word_spool_next(struct word_spool *spool, struct pair_words *pair, struct err *err);
void word_spool_close(struct word_spool *spool);

/* Words in the order in which they were first seen, and how often on each side. */
struct word_table {
    struct strmap words;
    int64_t *counts[SIDES];
    size_t capacity[SIDES];
};

/* Of a language pair: one table for both sides where they share their subwords. */
struct word_tables {
    struct word_table own[SIDES];
    struct word_table *side[SIDES];
};

void word_tables_init(struct word_tables *tables, bool joint);
void word_tables_release(struct word_tables *tables);
/* Counts the words of a pair. Beyond a million different words, the rarest so far are forgotten: what
 * hardly ever comes has no bearing on subwords and vocabularies. */
void word_tables_add(struct word_tables *tables, const struct pair_words *pair);

#endif
