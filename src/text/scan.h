/* scan: looks at a text from a place on: what the matchers of patterns.c are written in. To them, past the
 * end every byte and character is 0. */
#ifndef NMT_SCAN_H
#define NMT_SCAN_H

#include "patterns.h"
#include "utf8.h"

/* The character at a position, with its length; -1 at the end. */
int32_t char_at(const char *text, size_t bytes, size_t at, size_t *length);
/* The last character of text[0 … at), with its length; -1 if there is none. */
int32_t char_before(const char *text, size_t at, size_t *length);

/* A text that is matched. */
struct scan {
    const char *text;
    size_t bytes;
    const struct seen_words *seen;       /* as in struct patterns */
    const struct user_words *user_words; /* likewise */
    const struct text_strings *wanted;   /* likewise */
};

/* Returns where a string of the kind that begins at `at` ends; 0 if there is none. Looks only so far behind a
 * failure that the time of all places together is linear. */
typedef size_t matcher(const struct scan *s, size_t at);

char scan_byte(const struct scan *s, size_t at);
int32_t scan_code(const struct scan *s, size_t at);
/* What is before the place; behind an escape such as "\n", a blank. At the beginning, 0 or a blank. */
int32_t scan_code_before(const struct scan *s, size_t at);
char scan_byte_before(const struct scan *s, size_t at);
bool scan_behind_escape(const struct scan *s, size_t at);
/* The end of the character at the place. */
size_t scan_next(const struct scan *s, size_t at);
/* Has the text these bytes at the place? */
bool scan_has(const struct scan *s, size_t at, const char *bytes);
/* Has it a string at the place, which is no part of a longer word or number? */
bool scan_has_string(const struct scan *s, size_t at, const char *string, size_t bytes);
/* Returns the end of the longest run of bytes that `takes` accepts, of at most `most` bytes. */
size_t scan_run(const struct scan *s, size_t at, size_t most, bool (*takes)(char byte));

bool is_digit(char byte);
bool is_lower(char byte);
bool is_upper(char byte);
bool is_alpha(char byte);
bool is_alnum(char byte);
/* A syllable, or where text is not in NFC a part of one. */
bool is_hangul(int32_t code);
/* Emphasis, exclamation and question marks, which stand within Armenian words. */
bool is_armenian_mark(int32_t code);
/* An accent that is a character of its own, as where text is not in NFC. */
bool is_accent(int32_t code);
/* A digit, a letter of a script with blanks between words, or an Armenian mark. */
bool is_in_word(int32_t code);
/* A character that is shown as a picture by itself. */
bool is_picture(int32_t code);
/* Is there an end of a word between two characters that touch? It is, too, where a script without capitals
 * touches Latin letters or digits. */
bool is_parted(int32_t left, int32_t right);
bool scan_word_begins(const struct scan *s, size_t at);
bool scan_word_ends(const struct scan *s, size_t at);

/* The rows of the table in patterns.c. */
#define MATCHER(constant, name) matcher match_##name;
PATTERNS(MATCHER)
#undef MATCHER

/* The end of "\n" or the like at the place; 0 if there is none. */
size_t escape_end(const struct scan *s, size_t at);
/* Are these the digits, ASCII ones, of a whole number, and not of a fraction, a date or thousands? */
bool number_is_whole(const struct scan *s, size_t begin, size_t end);
/* Does a unit touch the digits that end at the place, as in "37kg", where quantities are not copied? Then the
 * digits are a number by themselves. */
bool number_stands_before_unit(const struct scan *s, size_t at);

#endif
