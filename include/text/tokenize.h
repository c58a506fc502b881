/* tokenize: from text to words and back.
 *
 * Words come out separated by single ASCII blanks, which no word contains.
 *
 *   unicode     splits at white space and where the Unicode category changes: runs of letters and marks, runs
 *               of digits, every other character alone. Where two neighbours touched, the less wordlike one
 *               carries U+FFED "￭" on that side: "l'été (2 fois)." -> "l ￭'￭ été (￭ 2 fois ￭) ￭."; so a
 *               word looks the same whatever stands next to it, and nothing is lost but repeated blanks.
 *   whitespace  splits at ASCII blanks: for text that was tokenized before.
 *   char        every character is a word, a blank is U+2581 "▁".
 *
 * For unicode and char, detokenize(tokenize(x)) is x with runs of blanks as one and none at the ends. U+FFED,
 * U+2581 and U+FF05 in the text itself are written as U+FF05 "％" and four hexadecimal digits. */
#ifndef NMT_TOKENIZE_H
#define NMT_TOKENIZE_H

#include "choices.h"
#include "strbuf.h"

#define TOKENIZE_JOINER "\xef\xbf\xad" /* U+FFED */
#define TOKENIZE_BLANK "\xe2\x96\x81"  /* U+2581 */

/* Appends the words of valid UTF-8 text. */
void tokenize(struct strbuf *out, const char *text, size_t bytes, enum tokenize_kind kind);
/* Appends the text of the words. */
void detokenize(struct strbuf *out, const char *words, size_t bytes, enum tokenize_kind kind);

/* Walks over words: the next one in text[*at … bytes), its length in `length`; NULL at the end. */
const char *next_word(const char *text, size_t bytes, size_t *at, size_t *length);
int word_count(const char *text, size_t bytes);

#endif
