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
/* The length of an entity at the beginning that has a name which is not known; 0 if there is none. */
size_t html_unknown_entity(const char *bytes, size_t size);
/* Has a page some of them? */
bool html_has_unknown_entity(const char *bytes, size_t size);
/* Is a name one of a list that ends with NULL, in capitals or small letters? */
bool html_is_one_of(const char *name, const char *const *names);
/* The encoding that a page says it is in, in `meta` or the XML declaration; an empty text: UTF-8, or it does
 * not say. */
#define HTML_ENCODING 41 /* bytes of a name, with a NUL */
void html_encoding(char name[HTML_ENCODING], const char *bytes, size_t size);
/* Is it one that html_decode reads? */
bool html_reads_encoding(const char *name);
/* Is it one whose bytes look like ASCII, and is the page in it, not in UTF-8 or plain ASCII? */
bool html_is_seven_bit(const char *name, const char *bytes, size_t size);
/* Does the page begin as one in UTF-16 does, or is every other byte of its beginning mostly NUL? */
bool html_is_utf16(const char *bytes, size_t size);

#endif
