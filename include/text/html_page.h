/* html_page: the sentences of an HTML page, and the page with others in their place.
 *
 * A page is its bytes: all of them stay but those of sentences. A sentence is text between tags of blocks;
 * the inline tags in it (a, b, img, …) are known with their places in it, and come exactly once in what takes
 * its place. Text that is not to be translated (translate="no", class="notranslate", code, script, …) is no
 * sentence; within one, a string stands for it. HTML may be as broken as it likes, and need not be valid
 * UTF-8. Only the first 256 attributes of a tag are looked at.
 *
 * Needs libxml2. Takes time in proportion to the page's size. */
#ifndef NMT_HTML_PAGE_H
#define NMT_HTML_PAGE_H

#include "err.h"
#include "inline_tag.h"
#include "splitter.h"

#include <stdbool.h>
#include <stddef.h>

/* Where a tag stands in the page. */
struct html_tag_source {
    struct span open, close; /* of a single tag, the first; empty for those outside the sentence */
};

struct html_sentence {
    char *text; /* valid UTF-8 without entities and line ends; runs of blanks are one, but in kept parts */
    size_t bytes;
    struct inline_tag *tags; /* [tag_count]; of a pair within another, the other comes first */
    size_t tag_count;
    struct html_tag_source *sources; /* [tag_count] */
    struct span source;              /* of the page: what its translation replaces … */
    char *before, *behind;           /* … but for white space, or escapes of it, at tags at its ends */
};

struct html_page {
    const char *bytes; /* the caller's, which must outlive it */
    size_t size;
    bool ascii;                /* its encoding is not UTF-8: other characters are written as references */
    bool has_unknown_entities; /* which are text that is written as it is */
    struct spans kept;         /* parts that are not to be translated (html_structure.h) */
    size_t followed; /* from here on too many elements are open: the rest stays as it is; else size */
    struct html_sentence *sentences; /* [count], in their order */
    size_t count, capacity;
};

/* -1: not built with libxml2. */
int html_check_available(struct err *err);
/* Splits the text of each block by the rules: where these keep PATTERN_MARKUP, a tag stands for text that is
 * not translated. -1: likewise, or the page is in an encoding that is not read, or has more than 2 GiB; then
 * there is nothing to release. */
int html_page_init(struct html_page *page, const char *bytes, size_t size, const struct sentence_rules *rules,
                   struct err *err);
/* Finds the sentences anew; where the rules' limit ends it, some are left out. */
void html_page_read(struct html_page *page, const struct sentence_rules *rules);
void html_page_release(struct html_page *page);
/* Appends the page with translations [count] in the place of its sentences. places [count]: of each sentence,
 * where its tags stand in the translation, as tags_place (tag_places.h) finds them. A sentence whose
 * translation is its own text is written as it was. `targets` (may be NULL) [count]: where translations stand
 * in `out`. */
void html_page_write(struct strbuf *out, const struct html_page *page, const char *const *translations,
                     const struct span *const *places, struct span *targets);
/* Appends the text of all sentences, one a line: to recognise its language by. */
void html_page_text(struct strbuf *out, const struct html_page *page);

#endif
