/* line_signs: properties of one line of a corpus, for `nmt check`: length, quotes, encoding. */
#ifndef NMT_LINE_SIGNS_H
#define NMT_LINE_SIGNS_H

#include "strbuf.h"
#include "tokenize.h"

#include <stdbool.h>

/* The length of a valid line. */
struct line_length {
    int words;      /* about the number of subwords: words; in scripts without blanks, one for six letters */
    int characters; /* without blanks */
    int letters;    /* as characters, but Han and kana count twice: comparable between languages */
    bool unspaced;  /* at least a third of it is in a script without blanks */
};

/* Measures a line, given its words as split by that kind of tokenizer. */
struct line_length line_length(const struct strbuf *line, const struct strbuf *words,
                               enum tokenize_kind kind);

/* Is a field quoted by a spreadsheet: "…", with each inner quote doubled? Without inner quotes it may be
 * an ordinary quotation. */
enum sheet_quotes { QUOTES_NONE, QUOTES_PERHAPS, QUOTES_SURE };
enum sheet_quotes sheet_quotes(const char *text, size_t bytes);

/* How texts of some languages used to be written, by tags of languages up to NULL: an encoding of one byte
 * for each character, the bytes that it does not have, and where one of ISO 8859 has the same letters in
 * other places, that one. */
struct old_encoding {
    const char *languages[24];
    bool turkic; /* also of the languages of CASING_TURKIC */
    const char *name, *unassigned, *iso;
};

/* By a tag; that of western Europe, which has no `languages`, for others and for NULL. */
const struct old_encoding *old_encoding(const char *tag);

bool is_ascii_line(const struct strbuf *line);
/* Is a line that is not UTF-8 probably in an encoding of one byte for each character, which does not have
 * some bytes: single high bytes among many ASCII letters? */
bool looks_like_bytes(const struct strbuf *line, const char *unassigned);
/* Has it bytes that Windows has for letters and signs, and ISO 8859 for controls? */
bool has_windows_bytes(const struct strbuf *line);

#endif
