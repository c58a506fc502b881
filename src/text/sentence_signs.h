/* sentence_signs: the characters that end sentences and clauses, and the word before a full stop. */
#ifndef NMT_SENTENCE_SIGNS_H
#define NMT_SENTENCE_SIGNS_H

#include "scan.h"
#include "splitter.h"

#define MOST_ORDINAL_DIGITS 3

/* Does it end sentences: a full stop, question or exclamation mark, an ellipsis, of any script? */
bool sign_is_stop(int32_t code);
/* A full stop that abbreviations and numbers have as well. */
bool sign_is_point(int32_t code);
bool sign_is_ellipsis(int32_t code);
bool sign_is_superscript(int32_t code);
/* A stop of a script that needs no blank behind it. */
bool sign_is_tight(int32_t code);
/* Commas, colons and semicolons of any script. */
bool sign_ends_clause(int32_t code);
/* Quotes that may open as well as close. */
bool sign_is_quote(int32_t code);

/* A letter of the script. */
bool is_greek(int32_t code);
bool is_armenian(int32_t code);
bool is_ethiopic(int32_t code);
/* A letter, sign or digit of a script from Devanagari to Oriya, most of which end sentences with a danda. */
bool is_danda_script(int32_t code);

/* The word of text[begin … end), of a text of that many bytes, that a point at `end` belongs to: what follows
 * the last blank, its escape, bracket, quote, hyphen or slash, without invisible marks around it; empty if
 * there is none. Looks at the last 64 bytes only. */
struct span word_before(const char *text, size_t bytes, size_t begin, size_t end);
/* The letters at a position, with the marks on them. */
struct span letters_at(const char *text, size_t bytes, size_t at);
/* Sets `key` to the word in lower case, and in NFC if it has combining marks or Hangul. */
void word_key(struct strbuf *key, const char *text, struct span word);
/* Is the word one of `words`, which are such keys? */
bool word_is_in(const struct strmap *words, const char *text, struct span word);
/* May a word be tied to a number behind it, as in "No. 5": is it short? */
bool is_tied(const char *word, size_t bytes);
/* Does a word without a point behind it look like an abbreviation: a few consonants with a small letter among
 * them, such as "Dr", "bzw" or "стр"? */
bool looks_abbreviated(const char *word, size_t bytes);
/* A number of at most `most` digits. */
bool is_number(const char *word, size_t bytes, size_t most);
/* A number such as "II" or "XIV", as of a king; a single letter may be an initial. */
bool is_roman(const char *word, size_t bytes);
/* Are there points in it, between one or two letters each, as in "e.g", or of Indic scripts up to four? */
bool is_dotted(const char *word, size_t bytes);
/* Does it have few letters, all Thai or Lao consonants but for a vowel in front, as "กก" and "โทร"? */
bool is_thai_abbreviation(const char *text, struct span word);
/* The name of a Latin letter in an Indic script, of more than one letter itself, as "एस". */
bool is_letter_name(const char *text, struct span word);
/* An abbreviation of an Indic script for a currency or a number that follows, as in "रु. 500". */
bool is_before_numbers(const char *text, struct span word);
/* What a quote holds at its end: a question, an exclamation or an East Asian stop, or another stop. */
enum quoted { QUOTED_NOTHING, QUOTED_QUESTION, QUOTED_STATEMENT, QUOTED = QUOTED_STATEMENT };
#define QUOTED_SET(quoted) (1 << ((quoted)-1))
/* That of the quote which closes right before a place. */
enum quoted quoted_before(const char *text, size_t at);
/* Does a sentence begin, or text before a place end, with a quote of any script? */
bool begins_with_quote(const char *text, const struct span *sentence);
bool ends_with_quote(const char *text, size_t at);
/* A single letter with its marks, as of a name. */
bool is_initial(const char *text, struct span word);
/* Is it a unit: with a number before it? */
bool is_unit(const char *text, struct span word);

#endif
