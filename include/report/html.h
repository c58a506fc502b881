/* html: self-contained pages: inline style, no scripts, no other resources. A page is never wider than its
 * window: long words break, and wide content scrolls in a box of its own. */
#ifndef NMT_HTML_H
#define NMT_HTML_H

#include "strbuf.h"

/* Appends text with & < > " ' as entities, and U+FFFD for what is not UTF-8 or XML does not have. */
void html_text(struct strbuf *out, const char *text);
void html_bytes(struct strbuf *out, const char *text, size_t bytes);
/* Begins a page, with a heading; ends it. */
void html_begin(struct strbuf *out, const char *title);
void html_end(struct strbuf *out);
/* Begins a table that scrolls if it is wide. `id` may be NULL. */
void html_table_begin(struct strbuf *out, const char *id);
void html_table_end(struct strbuf *out);
/* Adds a cell whose text sets its own direction; `element` is "td" or "th". */
void html_cell(struct strbuf *out, const char *element, const char *text);

#endif
