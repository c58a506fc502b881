/* token_style: what a picture needs to know about the script and marks of its tokens, told by a caller
 * that knows text. */
#ifndef NMT_TOKEN_STYLE_H
#define NMT_TOKEN_STYLE_H

#include "strbuf.h"

/* A part of a token that is not text of the sentence, such as "@@", and its explanation. */
struct token_mark {
    const char *text, *meaning;
};

struct token_style {
    /* The terminal columns of the character at `text` and all that combines with it: 0, 1 or 2. `bytes`
     * becomes its length, at least 1. */
    int (*columns)(const char *text, size_t *bytes);
    const struct token_mark *marks; /* ended by an entry without text */
};

/* The lengths of the marks at the start and end of a token; a token may be all mark. */
struct token_parts {
    size_t before, text, after;
};

struct token_parts token_parts(const char *token, const struct token_style *style);
/* The columns of a text; of the widest of `count` texts. */
int token_columns(const char *token, const struct token_style *style);
int token_most_columns(char *const *tokens, int count, const struct token_style *style);
/* Appends the token for HTML or SVG, with its marks in elements of this name and class "mark". */
void token_markup(struct strbuf *out, const char *token, const char *element,
                  const struct token_style *style);

#endif
