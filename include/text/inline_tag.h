/* inline_tag: a tag in a sentence, or a pair of tags. */
#ifndef NMT_INLINE_TAG_H
#define NMT_INLINE_TAG_H

#include "span.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

struct inline_tag {
    struct span text; /* the bytes of the sentence that it is around; empty: it stands before them */
    int parent;       /* number of the pair around it; -1: none. Pairs around others come first */
    bool from_start;  /* it is open where the sentence begins … */
    bool to_end;      /* … or still open where it ends */
    bool kept;        /* the text is not to be translated: the tag stands for it, with all that is in it */
};

/* The number of a string that stands for what is kept, "<x1/>"; 0: it is another one. */
static inline long inline_tag_number(const char *string)
{
    const bool is = string[0] == '<' && string[1] == 'x' && string[2] >= '0' && string[2] <= '9';
    return is ? strtol(string + 2, NULL, 10) : 0;
}

/* Does a tag without text at a place touch a word before it only, as the mark of a footnote does? */
static inline bool inline_tag_touches(const char *source, size_t at)
{
    return at && source[at - 1] != ' ' && source[at] && strchr(" ,;:", source[at]);
}

#endif
