/* html_block: the text of a page between two tags of blocks, and the inline tags in it. */
#ifndef NMT_HTML_BLOCK_H
#define NMT_HTML_BLOCK_H

#include "html_page.h"
#include "html_scan.h"

#include <stdint.h>

enum mark_kind { MARK_OPEN, MARK_CLOSE, MARK_SINGLE, MARK_KEPT };
#define NO_PARTNER SIZE_MAX

/* A tag. */
struct block_mark {
    enum mark_kind kind;
    size_t at;        /* in the text */
    size_t length;    /* of the string that stands for what is kept */
    struct span page; /* in the page */
    size_t partner;   /* the other tag of a pair; NO_PARTNER: it is not in the block */
    char name[ELEMENT_NAME];
};

struct html_block {
    struct strbuf text;    /* valid UTF-8 */
    uint32_t *begin, *end; /* [text.length]: where the character of each byte stands in the page */
    size_t begin_capacity, end_capacity;
    struct block_mark *marks; /* [mark_count], in the order of the page */
    size_t mark_count, mark_capacity;
    size_t kept;     /* marks of that kind … */
    size_t kept_end; /* … and where the last one's string ends … */
    bool kept_word;  /* … whose own text ends a word: html_block_ends_word */
    size_t *open;    /* [open_count]: marks of start tags that wait for their end tags */
    size_t open_count, open_capacity;
    size_t parting; /* 1 + where the tag begins in the page that parts the last word from the next; 0: none */
    size_t border;  /* likewise, if a sentence may end and begin there: before start tags, behind end tags */
    size_t closed;  /* where the last end tag ends in the page … */
    char closed_name[ELEMENT_NAME]; /* … and its element */
};

void html_block_init(struct html_block *block);
void html_block_release(struct html_block *block);
/* Empties it. */
void html_block_reset(struct html_block *block);
/* Adds text of the page. */
void html_block_add_text(struct html_block *block, const char *bytes, struct span text);
/* Adds an inline tag, a comment or the like. */
void html_block_add_token(struct html_block *block, const struct html_token *token);
/* Adds the mark of a footnote, which ends with a blank or not. A sentence may end before it. */
void html_block_add_note(struct html_block *block, struct span note, bool blank);
/* Adds a part that is not translated: as a string that stands for it, where it has text. `marked`: it is a
 * tag, else the text itself. */
void html_block_add_kept(struct html_block *block, const char *bytes, struct span part, bool marked);
/* Does its text end with a word of three letters, or with a stop? */
bool html_block_ends_word(const struct html_block *block);
/* Ends it: adds its sentences to the page. */
void html_block_end(struct html_block *block, struct html_page *page, const struct sentence_rules *rules);

#endif
