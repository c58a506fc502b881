/* language_profile: the sequences of letters that a language's text is made of, by which text is recognised.
 *
 * A profile is a model of a word's letters: p(letter | the up to three letters before it), with a mark at
 * both ends of the word, by interpolated Witten-Bell estimates of n-gram counts (Dunning 1994, Statistical
 * Identification of Language; Witten and Bell 1991). Case, digits and signs do not count, nor do addresses,
 * tags and variables beside other words. Text without blanks between words is one long word. */
#ifndef NMT_LANGUAGE_PROFILE_H
#define NMT_LANGUAGE_PROFILE_H

#include "model_files.h"
#include "strmap.h"

#include <stddef.h>
#include <stdint.h>

#define PROFILE_ORDER 4 /* letters of the longest n-gram */

/* What follows an n-gram, as far as the profile has it. */
struct ngram_next {
    int64_t count;
    int kinds; /* different letters */
};

struct language_profile {
    struct strmap ngrams; /* in lower case, with '_' as the mark; none: the profile has learned nothing */
    int64_t *counts;      /* [ngrams.count] */
    size_t capacity;
    struct ngram_next *next; /* [ngrams.count] */
    struct ngram_next first; /* what follows nothing: single letters */
};

void language_profile_init(struct language_profile *profile);
void language_profile_release(struct language_profile *profile);
/* Learns from lines of valid UTF-8: the most frequent n-grams. The profile must be as after
 * language_profile_init, here and below. */
void language_profile_learn(struct language_profile *profile, const char *const *lines, const size_t *bytes,
                            size_t count);
/* Sums profiles [count] of one language. */
void language_profile_merge(struct language_profile *profile, const struct language_profile *const *profiles,
                            size_t count);
/* Loads a model's file; on failure the profile is as before. */
int language_profile_load(struct language_profile *profile, const struct model_files *files, const char *name,
                          struct err *err);
/* Appends the text of the file: an n-gram and its count in each line, the most frequent first. */
void language_profile_print(struct strbuf *text, const struct language_profile *profile);

/* How well a text fits a language. */
struct language_fit {
    double log_probability; /* of its letters and the ends of its words */
    int letters;            /* the text's */
    int known;              /* those that the profile has */
};

/* Of valid UTF-8, of which the first part is enough: some hundred words. The profile must have n-grams. */
struct language_fit language_profile_fit(const struct language_profile *profile, const char *text,
                                         size_t bytes);
/* The probability of each of `count` languages, from 0 to 1, given that the text is in one of them; lower
 * where the profile does not know all its letters. */
void language_confidences(double *confidences, const struct language_fit *fits, size_t count);

#endif
