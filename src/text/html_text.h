/* html_text: text of a page as plain text, and the reverse. */
#ifndef NMT_HTML_TEXT_H
#define NMT_HTML_TEXT_H

#include "span.h"
#include "strbuf.h"

#include <stdbool.h>
#include <stdint.h>

/* Decodes the character, or the entity, at `at` (< size); returns its length. What is not UTF-8 is taken for
 * windows-1252, as browsers do. */
size_t html_decode(int32_t *code, const char *bytes, size_t size, size_t at);
/* Appends a character so that a browser shows it; `ascii`: in ASCII. */
void html_encode(struct strbuf *out, int32_t code, bool ascii);
/* Is the page's encoding another than UTF-8, by what it says of it in `meta` or the XML declaration, or by its
 * bytes? */
bool html_is_ascii(const char *bytes, size_t size);
/* Does the page begin as one in UTF-16 does? */
bool html_is_utf16(const char *bytes, size_t size);

#endif
