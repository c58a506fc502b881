/* mteval_choice: which of BLEU's tokenizers suits a text, by its script. */
#ifndef NMT_MTEVAL_CHOICE_H
#define NMT_MTEVAL_CHOICE_H

#include "choices.h"

#include <stddef.h>

/* The choice for `count` texts of valid UTF-8: zh for Chinese; char for Japanese, Thai and others of which at
 * least half of the letters are of scripts without blanks between words; else 13a. */
enum mteval_kind mteval_choose_for(char *const *text, const size_t *bytes, size_t count);
/* What decided, for messages: "Chinese", "in a script without blanks between words". */
const char *mteval_choice_reason(enum mteval_kind choice);

#endif
