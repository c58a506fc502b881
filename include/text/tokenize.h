/* tokenize: splits text into words, and joins them again.
 *
 * Words are separated by single ASCII blanks, which no word contains.
 *
 *   unicode     splits at white space and where the Unicode category changes: runs of letters and marks, runs
 *               of digits, every other character alone. Where two neighbours touched, the less wordlike one
 *               gets U+FFED "￭" on that side: "l'été (2 fois)." -> "l ￭'￭ été (￭ 2 fois ￭) ￭.". So a word
 *               looks the same whatever its neighbours, and only repeated blanks are lost.
 *   script      the same, and scripts without blanks between words (utf8_script_of) also at each change of
 *               script: a Han character is a word, runs of the others have at most 16 characters. Such words,
 *               and East Asian punctuation, touch without a mark; a blank between them is U+2581 "▁":
 *               "東京タワーは 高い。" -> "東 京 タワー は ▁ 高 い 。", "Linuxの" -> "Linux￭ の".
 *   whitespace  splits at ASCII blanks: for text that is tokenized already.
 *   char        makes every character a word, and a blank U+2581 "▁".
 *
 * For all but whitespace, detokenize(tokenize(x)) is x without repeated, leading and trailing blanks.
 * U+FFED, U+2581 and U+FF05 in the text itself are escaped as U+FF05 "％" and four hexadecimal digits. */
#ifndef NMT_TOKENIZE_H
#define NMT_TOKENIZE_H

#include "patterns.h"
#include "strbuf.h"

#define TOKENIZE_JOINER "\xef\xbf\xad" /* U+FFED */
#define TOKENIZE_BLANK "\xe2\x96\x81"  /* U+2581 */

/* Appends the words of valid UTF-8 text. */
void tokenize(struct strbuf *out, const char *text, size_t bytes, enum tokenize_kind kind);
/* A part of a text that is a word as it is: a placeholder (placeholder.h). */
struct whole_word {
    struct span span;
    bool before_unit; /* a number, behind which a letter with case begins a unit, as in "37kg" */
};
/* The same, where `whole` [count] are such parts, in the order of the text. Beside a digit or a letter with
 * case the mark is theirs, unless it begins a unit, else the other one's; beside text without blanks they
 * touch without a mark. */
void tokenize_around(struct strbuf *out, const char *text, size_t bytes, enum tokenize_kind kind,
                     const struct whole_word *whole, size_t count);
/* Appends the text of tokenized words. */
void detokenize(struct strbuf *out, const char *words, size_t bytes, enum tokenize_kind kind);
/* The same, with the strings of placeholders in their places. */
void detokenize_protected(struct strbuf *out, const char *words, size_t bytes, enum tokenize_kind kind);

/* Has the word a joiner mark at its beginning, or at its end? */
bool word_joins_left(const char *word, size_t bytes);
bool word_joins_right(const char *word, size_t bytes);
/* Does the word begin or end with a character that touches others of its kind without a mark? */
bool word_begins_unspaced(const char *word, size_t bytes);
bool word_ends_unspaced(const char *word, size_t bytes);

/* Appends words from the last to the first, with one blank between them. */
void words_add_reversed(struct strbuf *out, const char *words, size_t bytes);
/* Iterates over words: returns the next one in text[*at … bytes) and its length; NULL at the end. */
const char *next_word(const char *text, size_t bytes, size_t *at, size_t *length);
int word_count(const char *text, size_t bytes);

#endif
