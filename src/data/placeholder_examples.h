/* placeholder_examples: placeholders in training pairs that have few strings to protect, so that the network
 * learns to put them where they belong. */
#ifndef NMT_PLACEHOLDER_EXAMPLES_H
#define NMT_PLACEHOLDER_EXAMPLES_H

#include "lexicon.h"
#include "rng.h"

/* Adds placeholders to the words of some pairs: in place of words that both sides hold, between words whose
 * neighbours correspond, at the start and before the final stop. In these pairs the numbers need not begin at
 * 1, so that all placeholders are learned. A pair that is `tagged` begins with the tag of its corpus, which
 * stays in front. */
void placeholder_examples_add(struct pair_words *pair, bool tagged, const struct lexicon *lexicon,
                              struct rng *rng);

#endif
