/* marks: characters of three bytes that have a meaning of their own in words, and how text that holds them is
 * escaped: as U+FF05 "％" and the four hexadecimal digits of the character. */
#ifndef NMT_MARKS_H
#define NMT_MARKS_H

#include "strbuf.h"

#include <stdbool.h>
#include <stdint.h>

#define MARK_BYTES 3
#define ESCAPE_CODE 0xff05

/* A joiner, a mark for a blank (tokenize.h), or the escape. */
bool is_mark(int32_t code);
bool begins_with_mark(const char *text, size_t bytes, const char *mark);
bool ends_with_mark(const char *text, size_t bytes, const char *mark);

#define ESCAPED_BYTES (MARK_BYTES + 4)
/* Appends a character escaped. */
void mark_escape(struct strbuf *out, int32_t code);
/* The character that is escaped at the beginning of the text; -1 if none is. */
int32_t mark_escaped(const char *text, size_t bytes);

#endif
