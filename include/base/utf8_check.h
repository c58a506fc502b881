/* utf8_check: validates, repairs, counts and measures UTF-8. Properties of characters are in text/utf8.h. */
#ifndef NMT_UTF8_CHECK_H
#define NMT_UTF8_CHECK_H

#include "strbuf.h"

#include <stdbool.h>
#include <stddef.h>

/* Offset of the first byte that is not valid UTF-8 (The Unicode Standard, table 3-7); `bytes` if all is
 * valid. */
size_t utf8_check(const char *text, size_t bytes);
bool utf8_valid(const char *text);
/* Is the byte one of a character, but not its first? */
static inline bool utf8_continues(char byte)
{
    return ((unsigned char)byte & 0xc0) == 0x80;
}
/* The number of characters of valid text. */
size_t utf8_count(const char *text, size_t bytes);
/* At most `most` bytes of a longer text, without the beginning of a character at their end. */
size_t utf8_whole_bytes(const char *text, size_t most);
/* How many bytes of a UTF-8 text fit into `columns` columns for certain: a character of three bytes or
 * more counts as two columns, as East Asian ones are. */
size_t utf8_fitting_bytes(const char *text, int columns);
/* The length of the control character (C0, DEL or C1) that a text begins with; 0 if it begins with none. */
size_t utf8_control(const char *text);
/* Puts a '?' in the place of each byte of a control character but those in `kept`. */
void utf8_hide_controls(char *text, const char *kept);

#define UTF8_REPLACEMENT "\xef\xbf\xbd" /* U+FFFD */

/* Appends the text with U+FFFD for each invalid byte and each NUL; returns their number. */
size_t utf8_repair(struct strbuf *out, const char *text, size_t bytes);

#endif
