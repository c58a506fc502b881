/* line_signs: measures of one line of a corpus, for `nmt check`: length, quotes, encoding. */
#ifndef NMT_LINE_SIGNS_H
#define NMT_LINE_SIGNS_H

#include "strbuf.h"
#include "tokenize.h"

#include <stdbool.h>

/* How long a valid line is. */
struct line_length {
    int words;      /* about as many as subwords: words, and in scripts without blanks one for six letters */
    int characters; /* but blanks */
    int letters;    /* the same with Han and kana counted twice, by which languages compare */
    bool unspaced;  /* at least a third of it is in a script without blanks */
};

/* The length of a line, given its words as the tokenizer of that kind splits it. */
struct line_length line_length(const struct strbuf *line, const struct strbuf *words,
                               enum tokenize_kind kind);

/* A field quoted by a spreadsheet: "…", with each quote inside doubled. Without a quote inside it may as well
 * be a quotation. */
enum sheet_quotes { QUOTES_NONE, QUOTES_PERHAPS, QUOTES_SURE };
enum sheet_quotes sheet_quotes(const char *text, size_t bytes);

bool is_ascii_line(const struct strbuf *line);
/* Is a line that is not UTF-8 probably Windows-1252, which includes Latin-1? It has single high bytes among
 * many ASCII letters. */
bool looks_like_latin1(const struct strbuf *line);

#endif
