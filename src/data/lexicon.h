/* lexicon: which words translate which, learned from the spooled training text: IBM model 1 (Brown et al.
 * 1993) with a preference for the diagonal (Dyer, Chahuneau, Smith 2013), from a part of the pairs. It is
 * good enough to say of some places in a pair that they surely correspond. */
#ifndef NMT_LEXICON_H
#define NMT_LEXICON_H

#include "words.h"

/* All zero is an empty one. */
struct lexicon {
    const struct word_tables *tables;
    struct lexicon_entry *entries; /* hash table of pairs of words */
    size_t mask, count;
};

/* Learns from the text in the spool, of `pairs` pairs; it is rewound before and after. On failure there is
 * nothing to release. */
int lexicon_learn(struct lexicon *lexicon, struct word_spool *spool, const struct word_tables *tables,
                  int64_t pairs, struct err *err);
void lexicon_release(struct lexicon *lexicon);

/* The words of a sentence by their numbers in the tables. */
struct word_numbers {
    int *items;
    int count;
};

/* target_of [source.count] = the target word that each source word is linked with, or -1: both are each
 * other's best. */
void lexicon_links(int *target_of, const struct lexicon *lexicon, const struct word_numbers *source,
                   const struct word_numbers *target);

#endif
