/* copied_text: text of the source that comes into a translation as it is, but for digits of a script whose
 * digits the target text does not have, such as those of Hindi and Arabic in English: they become 0 to 9. */
#ifndef NMT_COPIED_TEXT_H
#define NMT_COPIED_TEXT_H

#include "vocab.h"

#include <stdbool.h>

/* Adds the zero of each script other than 0 to 9 of which a word of the target vocabulary has a digit. */
void copied_text_find_zeros(struct strmap *zeros, const struct vocab *vocab);
/* Has the text a digit that becomes another one? */
bool copied_text_changes(const struct strmap *zeros, const char *text, size_t bytes);
void copied_text_add(struct strbuf *out, const struct strmap *zeros, const char *text, size_t bytes);

#endif
