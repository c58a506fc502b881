/* page: writes a page of text: a command's short help, or a manual page, in man's language (roff) or plain.
 *
 * Text is filled: a newline is a blank. `word` is bold and *word* italic on a manual page; plain text leaves
 * the marks out. Between ` and `, a * is itself. */
#ifndef NMT_PAGE_H
#define NMT_PAGE_H

#include "strbuf.h"

#include <stdbool.h>
#include <stddef.h>

struct page {
    struct strbuf *out;
    bool roff;
    int columns;     /* how wide lines may be */
    int indent;      /* plain: of paragraphs and of the terms of lists */
    int item_indent; /* plain: of what is said of a term */
    bool dense;      /* plain: no empty lines between the items of a list */
    bool begins;     /* what comes next is the first after a heading */
};

/* A manual page, in roff or plain. */
void page_init_roff(struct page *page, struct strbuf *out);
void page_init_plain(struct page *page, struct strbuf *out, int columns);

/* The head of a manual page: "nmt-train", 1, "train a model". */
void page_head(struct page *page, const char *name, int section, const char *summary);
void page_heading(struct page *page, const char *text, size_t bytes);
void page_subheading(struct page *page, const char *text, size_t bytes);
void page_paragraph(struct page *page, const char *text, size_t bytes);
/* An item of a list: a term, and what it is. */
void page_item(struct page *page, const char *term, const char *text, size_t bytes);
/* Lines as they are. */
void page_lines(struct page *page, const char *text, size_t bytes);
/* Text in Markdown: paragraphs, ## headings, fenced blocks, and lists of "- term: what it is". Skips the
 * title and comments. */
void page_markdown(struct page *page, const char *text, size_t bytes);

#endif
