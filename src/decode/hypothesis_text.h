/* hypothesis_text: what a translation keeps of a hypothesis of the search. */
#ifndef NMT_HYPOTHESIS_TEXT_H
#define NMT_HYPOTHESIS_TEXT_H

#include "inputs.h"
#include "translate.h"

/* Sets the fields of a translation, which the caller owns, by a hypothesis of an input; `scored`: one that
 * was given, not found. */
void hypothesis_text(struct translation *to, const struct translator *translator, bool scored,
                     const struct input *input, const struct hypothesis *h);

#endif
