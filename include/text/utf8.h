/* utf8: Unicode text as bytes. utf8proc enters the program here alone. */
#ifndef NMT_UTF8_H
#define NMT_UTF8_H

#include "choices.h"
#include "strbuf.h"
#include "utf8_check.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define UTF8_REPLACEMENT "\xef\xbf\xbd" /* U+FFFD */

/* What the tokenizer tells apart. BLANK: ASCII white space and the line separators; other spaces (no-break,
 * thin) are symbols that text needs back. LETTER: letters, marks and the joiners inside words. */
enum utf8_class { UTF8_BLANK, UTF8_LETTER, UTF8_DIGIT, UTF8_SYMBOL };

/* Bytes of the character at `text` (bytes > 0), 0 where it is not valid; `code` becomes its code point. */
size_t utf8_decode(const char *text, size_t bytes, int32_t *code);
/* Appends the character. */
void utf8_append(struct strbuf *out, int32_t code);
/* Appends the text with U+FFFD for each invalid byte; returns how many there were. */
size_t utf8_repair(struct strbuf *out, const char *text, size_t bytes);
/* Appends valid text in the given form. */
void utf8_normalize(struct strbuf *out, const char *text, size_t bytes, enum utf8_form form);
/* Appends valid text in lower case, as Python's str.lower does. */
void utf8_lower(struct strbuf *out, const char *text, size_t bytes);
enum utf8_class utf8_class_of(int32_t code);
/* Of a script that is written without blanks between words: how many letters of an alphabet the character is
 * worth, 2 for Han and kana, 1 for Thai, Lao, Khmer, Burmese, Tibetan and their like. Else 0. */
int utf8_unspaced(int32_t code);
/* Columns of a terminal that the character at `text`, which is not at its end, takes with all that combines
 * with it: 0, 1 or 2 (East Asian wide). `bytes` becomes theirs together. */
int utf8_columns(const char *text, size_t *bytes);
/* White space as Python's str.split sees it. */
bool utf8_is_space(int32_t code);

#endif
