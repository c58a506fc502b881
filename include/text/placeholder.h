/* placeholder: the words that stand for protected strings (protect.h).
 *
 * The network knows PLACEHOLDERS of them, "｟1｠", "｟2｠" and so on. In tokenized text, the string is part of
 * the word: "｟2：http://x.y｠". Blanks and the marks of tokenize.h in it are escaped as U+FF05 "％" and four
 * hexadecimal digits. Outside, the word may have joiner marks. Text without protection has no such words. */
#ifndef NMT_PLACEHOLDER_H
#define NMT_PLACEHOLDER_H

#include "strbuf.h"

#include <stdbool.h>

#define PLACEHOLDERS 10

/* Appends a placeholder's word with a string in valid UTF-8, or the bare one for NULL. */
void placeholder_add(struct strbuf *out, int number, const char *string, size_t bytes);
/* The number of a word, from 1; 0 if it is no placeholder. */
int placeholder_number(const char *word, size_t bytes);
/* Appends the string of a word without joiner marks; false if it is no placeholder with a string. */
bool placeholder_add_string(struct strbuf *out, const char *word, size_t bytes);

/* For valid UTF-8 text tokenized at blanks, which may hold words that look like placeholders: appends it with
 * "｟" and the escape escaped, and the reverse. */
void placeholder_escape(struct strbuf *out, const char *text, size_t bytes);
void placeholder_unescape(struct strbuf *out, const char *text, size_t bytes);

#endif
