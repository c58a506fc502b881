/* other_codes: letters and signs of several codes that readers take for the same, or that are typed for each
 * other. */
#ifndef NMT_OTHER_CODES_H
#define NMT_OTHER_CODES_H

#include "seen_words.h"

/* The other code of one that has several, which the training has seen (NULL: any); 0 if there is none. */
int32_t other_code_of(const struct seen_words *seen, int32_t code);

#endif
