/* token_style: what a picture has to know of its tokens' script and marks. Its caller, who knows text, says
 * it. */
#ifndef NMT_TOKEN_STYLE_H
#define NMT_TOKEN_STYLE_H

#include "strbuf.h"

/* A piece of a token that is not text of the sentence, such as "@@", and what it says. */
struct token_mark {
    const char *text, *meaning;
};

struct token_style {
    /* Columns of a terminal that the character at `text` takes, with what combines with it: 0, 1 or 2.
     * `bytes` becomes its bytes, at least 1. */
    int (*columns)(const char *text, size_t *bytes);
    const struct token_mark *marks; /* closed by one without a text */
};

/* Where a token begins or ends with marks, the bytes of these; a token may be all mark. */
struct token_parts {
    size_t before, text, after;
};

struct token_parts token_parts(const char *token, const struct token_style *style);
/* Columns of a whole text; of the widest of `count` texts. */
int token_columns(const char *token, const struct token_style *style);
int token_most_columns(char *const *tokens, int count, const struct token_style *style);
/* Appends the token for HTML or SVG, with its marks in elements of this name and class "mark". */
void token_markup(struct strbuf *out, const char *token, const char *element,
                  const struct token_style *style);

#endif
