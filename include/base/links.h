/* links: a word alignment of a sentence pair: links between source and target positions, both from 0, of
 * words or of tokens.
 *
 * As text it is a line "i-j i-j …", source first; "i?j" is a possible link, "i-j" a sure one. */
#ifndef NMT_LINKS_H
#define NMT_LINKS_H

#include "err.h"
#include "strbuf.h"

#include <stdbool.h>
#include <stddef.h>

struct link {
    int source, target;
    int sure; /* 0 or 1; int, so that the struct has no padding and can be written to a file */
};

/* All zero is an empty list. */
struct links {
    struct link *items;
    size_t count, capacity;
};

void links_release(struct links *links);
void links_add(struct links *links, int source, int target, bool sure);
/* Appends the links of a line. */
int links_parse(struct links *links, const char *line, struct err *err);
/* Appends the links as such a line, without its end. */
void links_print(struct strbuf *out, const struct links *links);
/* Removes the links of source tokens, such as tags, without which the others are then counted.
 * dropped [count]: for each source token */
void links_drop_sources(struct links *links, const bool *dropped, size_t count);
/* -1 if one is of a word beyond those of the sentences. */
int links_check(const struct links *links, int source_words, int target_words, struct err *err);

#endif
