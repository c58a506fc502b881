/* line_signs: what one line of a corpus looks like, for `nmt check`. It judges nothing. */
#ifndef NMT_LINE_SIGNS_H
#define NMT_LINE_SIGNS_H

#include "strbuf.h"
#include "tokenize.h"

#include <stdbool.h>

/* How long a valid line is. */
struct line_length {
    int words;      /* hardly fewer subwords: words, of scripts without blanks every sixth letter */
    int characters; /* but blanks */
    int letters;    /* the same with Han and kana counted twice, by which languages compare */
    bool unspaced;  /* a third of it at least is of a script without blanks */
};

/* Of a line and of its words, as the tokenizer of that kind made them. */
struct line_length line_length(const struct strbuf *line, const struct strbuf *words,
                               enum tokenize_kind kind);

/* A field as spreadsheets write it that need quotes: "…", each quote inside doubled. Where none is inside,
 * the text may as well be a quotation. */
enum sheet_quotes { QUOTES_NONE, QUOTES_PERHAPS, QUOTES_SURE };
enum sheet_quotes sheet_quotes(const char *text, size_t bytes);

bool is_ascii_line(const struct strbuf *line);
/* Of a line that is not UTF-8: would it be in Windows-1252, of which Latin-1 is a part? Single high bytes
 * among many ASCII letters. */
bool looks_like_latin1(const struct strbuf *line);

#endif
