/* html_scan: the bytes of a page as text, tags and what else is between them. */
#ifndef NMT_HTML_SCAN_H
#define NMT_HTML_SCAN_H

#include "span.h"

#include <stdbool.h>
#include <stdint.h>

#define ELEMENT_NAME 16 /* bytes of a name that are looked at, with a NUL */

enum html_token_kind {
    HTML_TEXT,   /* entities are to be decoded */
    HTML_RAW,    /* script, style and the like */
    HTML_OPEN,   /* a start tag */
    HTML_CLOSE,  /* an end tag */
    HTML_OTHER,  /* comment, doctype, processing instruction, CDATA, code of a server */
    HTML_UNENDED /* markup without an end: the rest of the page */
};

struct html_token {
    enum html_token_kind kind;
    struct span span;
    char name[ELEMENT_NAME]; /* of a tag, in lower case; the beginning of a long one */
};

/* What ends where its own two or three bytes are: code of PHP, of other servers, and CDATA. */
enum html_end_kind { END_PHP, END_PERCENT, END_CDATA, HTML_ENDS };

struct html_scan {
    const char *bytes;
    size_t size, at;
    char inside[ELEMENT_NAME]; /* the element that was begun, if its text has no tags */
    int unended;               /* how often such an element had no end tag in the page */
    struct html_end {
        size_t from, behind; /* where it was last looked for, and found; SIZE_MAX: nowhere */
    } ends[HTML_ENDS];
};

/* The next token, which begins where the last one ended; false at the end. */
bool html_scan_next(struct html_token *token, struct html_scan *scan);
/* Is it a line break? Browsers take "</br>" for one, too. */
bool html_is_break(const struct html_token *token);
/* Behind the code of a server that begins at `at`, in a tag; 0 if there is none. */
size_t html_tag_code(struct html_scan *scan, size_t at);
/* Where the first `most` attributes of a start tag end, in the page. */
size_t html_attributes_end(const char *bytes, struct span tag, int most);

/* Is it white space to HTML? */
bool html_is_blank(int32_t code);

/* What the elements of a name are. */
bool html_is_known(const char *name);  /* HTML has them */
bool html_is_block(const char *name);  /* it ends a sentence */
bool html_is_void(const char *name);   /* it has no end tag */
bool html_is_kept(const char *name);   /* its text is not translated */
bool html_is_silent(const char *name); /* … nor read with the text around it */

#endif
