/* utf8_check: is it UTF-8? What the characters are is text/utf8.h's business. */
#ifndef NMT_UTF8_CHECK_H
#define NMT_UTF8_CHECK_H

#include <stdbool.h>
#include <stddef.h>

/* Offset of the first byte that is not valid UTF-8 (The Unicode Standard, table 3-7); `bytes` if all is well.
 */
size_t utf8_check(const char *text, size_t bytes);
bool utf8_valid(const char *text);

#endif
