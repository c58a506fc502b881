/* parts_text: how the translations of a text's parts follow each other. */
#ifndef NMT_PARTS_TEXT_H
#define NMT_PARTS_TEXT_H

#include "strbuf.h"

/* Appends what comes between two parts of a translation: what stood between the parts of the source; but
 * whether that is a blank or nothing depends on the script of the translation, `text` so far. */
void parts_add_between(struct strbuf *text, const char *between);

#endif
