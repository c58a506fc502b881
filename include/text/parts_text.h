/* parts_text: how the translations of a text's parts follow each other. */
#ifndef NMT_PARTS_TEXT_H
#define NMT_PARTS_TEXT_H

#include "strbuf.h"

#include <stdbool.h>

/* Does a word or an address go on where a text was divided, without a blank? Not in a script without blanks
 * between words, and not behind its signs or the stops of another script. */
bool parts_are_joined(const char *text, size_t bytes, size_t at);
/* Appends what comes between two parts of a translation: what stood between the parts of the source; but
 * whether that is a blank or nothing depends on the script of the translation, `text` so far. */
void parts_add_between(struct strbuf *text, const char *between);

#endif
