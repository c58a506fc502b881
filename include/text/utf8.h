/* utf8: Unicode text as bytes. The only user of utf8proc. */
#ifndef NMT_UTF8_H
#define NMT_UTF8_H

#include "choices.h"
#include "span.h"
#include "strbuf.h"
#include "utf8_check.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Classes for the tokenizer. BLANK: ASCII white space and line separators; other spaces (no-break, thin)
 * are symbols, so that they can be restored. LETTER: letters, marks and joiners inside words. */
enum utf8_class { UTF8_BLANK, UTF8_LETTER, UTF8_DIGIT, UTF8_SYMBOL };

/* Decodes the character at `text` (bytes > 0) into `code`; returns its length, 0 if invalid. */
size_t utf8_decode(const char *text, size_t bytes, int32_t *code);
/* Decodes the character that ends before text + at (at > 0) into `code`; returns its length, 0 if invalid. */
size_t utf8_decode_before(const char *text, size_t at, int32_t *code);
#define UTF8_MOST_BYTES 4 /* of a character */
/* Writes a character, and returns its length. */
size_t utf8_encode(char bytes[UTF8_MOST_BYTES], int32_t code);
/* Appends a character. */
void utf8_append(struct strbuf *out, int32_t code);
/* Appends valid text in the given normal form. Of more than 30 combining marks in a row, each 30 are
 * normalised for themselves (Unicode Standard Annex 15, section 13, sets that limit). */
void utf8_normalize(struct strbuf *out, const char *text, size_t bytes, enum utf8_form form);
/* The bytes of the first piece of valid text (bytes > 0): a character, and those behind it that a normal
 * form may compose with it or put into another order. The normal form of a text is that of its pieces, in
 * a row. */
size_t utf8_piece(const char *text, size_t bytes);
/* Appends valid text in lower case, as Python's str.lower does, but for Cherokee, which stays as it is. */
void utf8_lower(struct strbuf *out, const char *text, size_t bytes);
/* Appends valid text in upper case: "ß" becomes "SS", ligatures come apart. */
void utf8_upper(struct strbuf *out, const char *text, size_t bytes);
/* Appends valid text with its first letter as the first of a word in title case: the first character, unless
 * modifiers such as the ʻokina stand before it. */
void utf8_capitalize(struct strbuf *out, const char *text, size_t bytes);
enum utf8_class utf8_class_of(int32_t code);
/* The first letter of the Unicode general category: L(etter), M(ark), N(umber), P(unctuation), S(ymbol),
 * Z (separator), or C for all others. */
char utf8_category(int32_t code);
/* The scripts that have no blanks between words. */
enum utf8_script {
    UTF8_SPACED, /* all others */
    UTF8_HAN,
    UTF8_HIRAGANA,
    UTF8_KATAKANA,
    UTF8_BOPOMOFO,
    UTF8_THAI,
    UTF8_LAO,
    UTF8_TIBETAN,
    UTF8_BURMESE,
    UTF8_TAI,
    UTF8_KHMER,
    UTF8_BALINESE,
    UTF8_JAVANESE
};
enum utf8_script utf8_script_of(int32_t code);
/* For a character of such a script: the number of letters that it counts for, 2 for Han, kana and Bopomofo,
 * 1 for the others. Else 0. */
int utf8_unspaced(int32_t code);
/* A digit, or a letter of a script with blanks between words. */
bool utf8_is_wordlike(int32_t code);
/* Punctuation of East Asia, its full-width and half-width forms of other characters, and the zero-width
 * space, which stand in text without blanks. */
bool utf8_is_east_asian(int32_t code);
/* Is it such a sign, or Han, kana or Bopomofo? */
bool utf8_is_of_east_asia(int32_t code);
/* The terminal columns of the character at `text` and all that combines with it: 0, 1 or 2 (East Asian
 * wide). Sets `bytes` to their length. `text` ends with a NUL byte and must not be empty. */
int utf8_columns(const char *text, size_t *bytes);
/* The case of a letter; a title-case letter counts as upper. Ordinary Georgian letters and Cherokee count as
 * caseless: the capitals of the former and the small letters of the latter are hardly used. */
enum utf8_case { UTF8_CASELESS, UTF8_UPPER, UTF8_LOWER };
enum utf8_case utf8_case_of(int32_t code);
/* The value of a decimal digit of any script; -1 for another character. */
int utf8_digit(int32_t code);
/* The small letter of a capital that has one; else the character itself. */
int32_t utf8_small(int32_t code);
/* A letter without case that says how others are spoken, as the ʻokina of "Hawaiʻi". */
bool utf8_is_modifier(int32_t code);
/* A letter of a script without capitals, such as Hebrew, Arabic, Hangul, Thai or Han. */
bool utf8_is_caseless(int32_t code);
/* A letter of another script than the Latin one. */
bool utf8_is_non_latin(int32_t code);
/* Does a particle touch a foreign word or number where these characters meet, as in "Linux에서" and "ב2024"? */
bool utf8_is_particle_between(int32_t left, int32_t right);
/* Brackets and quotes that open or close, dashes. */
enum utf8_punctuation { UTF8_PLAIN, UTF8_OPENING, UTF8_CLOSING, UTF8_DASH };
enum utf8_punctuation utf8_punctuation_of(int32_t code);
/* Marks and invisible signs, which belong to the character before them. */
bool utf8_extends(int32_t code);
/* Is it white space for Python's str.split? */
bool utf8_is_space(int32_t code);
bool utf8_is_capital(int32_t code);
/* Is valid text nothing but such white space? */
bool utf8_blank(const char *text, size_t bytes);
/* Has valid text a character that is of some kind? */
bool utf8_has(const char *text, size_t bytes, bool (*is)(int32_t code));
/* Has it a letter? Marks and joiners, as of emoji, are none. */
bool utf8_has_letter(const char *text, size_t bytes);
/* Valid text without the characters of the class UTF8_BLANK around it. */
struct span utf8_trim(const char *text, size_t bytes);

#endif
