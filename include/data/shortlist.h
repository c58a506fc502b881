/* shortlist: the target words that may translate a sentence (vocabulary selection: Mi et al. 2016,
 * arXiv:1605.03209; L'Hostis et al. 2016, arXiv:1610.00072): some hundreds of a large vocabulary, learned
 * from pairs of sentences. They are those that always may, the most frequent ones, and those of each of its
 * source words.
 *
 * A model's file has them as two tensors:
 *
 *   shortlist.begin   I32 [source words + 2]: where each list begins, and the last one ends
 *   shortlist.words   I8 [bytes]: the lists, those that always may first, then one for each source id.
 *                     A list is ascending ids, each as its distance from the one before (the first from -1,
 *                     so that all are above 0) in LEB128: seven bits a byte, the lowest first, and the eighth
 *                     bit set in all but the last byte. */
#ifndef NMT_SHORTLIST_H
#define NMT_SHORTLIST_H

#include "language_pair.h"
#include "safetensors.h"

#include <stdint.h>

/* All zero is none: every word may translate every sentence. */
struct shortlist {
    size_t source_words, target_words; /* sizes of the vocabularies */
    int32_t *begin;                    /* [source_words + 2]; NULL: there is none */
    uint8_t *words;                    /* [begin[source_words + 1]] */
};

/* Learns from pairs of text: those that the config's data.train names, or if `other` is not NULL, those of
 * its files. On failure there is nothing to release. */
int shortlist_learn(struct shortlist *shortlist, const struct language_pair *pair,
                    const struct config *config, const struct pair_files *other, struct err *err);
/* Reads the shortlist of a model's file, if it has one, and checks it. On failure there is nothing to
 * release. */
int shortlist_load(struct shortlist *shortlist, const struct safetensors *file,
                   const struct language_pair *pair, struct err *err);
void shortlist_release(struct shortlist *shortlist);
/* The tensors to be written, which point into the shortlist; returns their number: 0 if there is none. */
#define SHORTLIST_TENSORS 2
size_t shortlist_tensors(struct tensor tensors[SHORTLIST_TENSORS], const struct shortlist *shortlist);

/* A set of words: bit id % 64 of number id / 64. */
typedef uint64_t word_bits;
#define WORD_BITS 64
void word_bits_add(word_bits *set, size_t id);
/* Adds the words that may translate a sentence to set [(target_words + 63) / 64]. */
void shortlist_add(word_bits *set, const struct shortlist *shortlist, const int *ids, size_t count);
/* The mean length of the lists of source words. */
double shortlist_mean(const struct shortlist *shortlist);

#endif
