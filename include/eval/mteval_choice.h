/* mteval_choice: which of BLEU's tokenizers suits a text, by its script. */
#ifndef NMT_MTEVAL_CHOICE_H
#define NMT_MTEVAL_CHOICE_H

#include "choices.h"

#include <stddef.h>

/* Letters of a text by script. Zero is an empty one. */
struct script_counts {
    long spaced, unspaced; /* of scripts with and without blanks between words */
    long han, kana;        /* among the latter */
};

/* Adds the letters of valid UTF-8 text. */
void script_counts_add(struct script_counts *counts, const char *text, size_t bytes);
/* The choice for `count` such texts, as mteval_choose has it. */
enum mteval_kind mteval_choose_for(char *const *text, const size_t *bytes, size_t count);
/* zh for Chinese; char for Japanese, Thai and others of which at least half of the letters are of scripts
 * without blanks between words; else 13a. */
enum mteval_kind mteval_choose(const struct script_counts *counts);
/* What decided, for messages: "Chinese", "in a script without blanks between words". */
const char *mteval_choice_reason(enum mteval_kind choice);

#endif
