/* html: pages that need nothing but themselves: style inside, no script but what is given, no other resource.
 */
#ifndef NMT_HTML_H
#define NMT_HTML_H

#include "strbuf.h"

/* Appends text with & < > " ' as entities. */
void html_text(struct strbuf *out, const char *text);
/* From the first line to where the content begins, with a heading; then the end. */
void html_begin(struct strbuf *out, const char *title);
void html_end(struct strbuf *out);

#endif
