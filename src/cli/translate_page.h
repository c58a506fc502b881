/* translate_page: an HTML page that nmt translate translates as a whole. */
#ifndef NMT_TRANSLATE_PAGE_H
#define NMT_TRANSLATE_PAGE_H

#include "translate.h"

#define FORMATS(ROW)                                                                                         \
    ROW(FORMAT_TEXT, text)                                                                                   \
    ROW(FORMAT_HTML, html)
enum input_format { FORMATS(CHOICE_CONSTANT) };

/* Appends the page with its sentences translated. `split`: that of the decoding's config. */
int translate_page(struct strbuf *out, struct translator *translator, const struct strbuf *page,
                   enum split_kind split, struct err *err);

#endif
