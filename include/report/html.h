/* html: pages that need nothing but themselves: style inside, no script, no other resource. They are never
 * wider than their window: long words break, and what is wide scrolls in itself. */
#ifndef NMT_HTML_H
#define NMT_HTML_H

#include "strbuf.h"

/* Appends text with & < > " ' as entities. */
void html_text(struct strbuf *out, const char *text);
void html_bytes(struct strbuf *out, const char *text, size_t bytes);
/* From the first line to where the content begins, with a heading; then the end. */
void html_begin(struct strbuf *out, const char *title);
void html_end(struct strbuf *out);
/* A table that scrolls in itself where it is wide. `id` may be NULL. */
void html_table_begin(struct strbuf *out, const char *id);
void html_table_end(struct strbuf *out);
/* A cell of text that runs in its own direction; `element` is "td" or "th". */
void html_cell(struct strbuf *out, const char *element, const char *text);

#endif
