/* lexicon: which words translate which: IBM model 1 (Brown et al. 1993), if wanted with a preference for the
 * diagonal (Dyer, Chahuneau, Smith 2013), learned by expectation maximisation. Words are numbers. */
#ifndef NMT_LEXICON_H
#define NMT_LEXICON_H

#include "words.h"

/* A pair of words. */
struct lexicon_entry {
    int source, target; /* source is -1 where the entry is free */
    float probability;  /* of the target word, given the source word */
    float expected;     /* how often the one translates the other */
};

/* Pairs that are learned from: of each pair two lengths, then both sides' words. */
struct lexicon_sample {
    int *numbers;
    size_t count, capacity;
};

/* All zero is an empty one. */
struct lexicon {
    const struct word_tables *tables; /* from lexicon_learn: of the words */
    struct lexicon_entry *entries;    /* [mask + 1]: hash table */
    size_t mask, count;
    double diagonal; /* a word's weight falls by e to the minus this, over the whole sentence */
    bool reversed;   /* do the target words of the text stand from the last to the first? */
    struct lexicon_sample sample;
};

/* The words of a sentence; a number below 0 is an unknown word. */
struct word_numbers {
    int *items;
    int count;
};

void lexicon_init(struct lexicon *lexicon, double diagonal);
void lexicon_release(struct lexicon *lexicon);
/* Adds a pair to the sample, unless a side has more than LEXICON_MOST_WORDS. */
#define LEXICON_MOST_WORDS 100
void lexicon_add(struct lexicon *lexicon, const struct word_numbers *source,
                 const struct word_numbers *target);
/* Does it take as much memory as it may, 0.9 GiB at most while it grows? */
bool lexicon_full(const struct lexicon *lexicon);
/* Leaves every second pair of the sample out. */
void lexicon_thin(struct lexicon *lexicon);
/* Learns from the sample, which is emptied. `sources`: source words have numbers below this. */
void lexicon_fit(struct lexicon *lexicon, size_t sources);

/* Learns from a part of the spooled training text, which has `pairs` pairs, enough to say of some places in a
 * pair that they surely correspond. `reversed`: its target words stand from the last to the first; it is
 * learned from in the order of reading, in which lexicon_links is to be asked, too. The spool is rewound
 * before and after. On failure there is nothing to release. */
int lexicon_learn(struct lexicon *lexicon, struct word_spool *spool, const struct word_tables *tables,
                  int64_t pairs, bool reversed, struct err *err);
/* target_of [source.count] = the target word that each source word is linked with, or -1: both are each
 * other's best. */
void lexicon_links(int *target_of, const struct lexicon *lexicon, const struct word_numbers *source,
                   const struct word_numbers *target);

#endif
