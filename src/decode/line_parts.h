/* line_parts: reads a line as the parts that are translated one by one: its sentences, and pieces of those
 * that are too long. */
#ifndef NMT_LINE_PARTS_H
#define NMT_LINE_PARTS_H

#include "inputs.h"

/* How the lines of a run are split. */
struct splitting {
    struct translator *translator;
    struct inputs *inputs;
    struct line_splitting {
        bool sentences;  /* lines are split into sentences */
        size_t limit;    /* a line or sentence of more tokens is divided */
    } free, forced, now; /* lines without and with a prefix, and this one */
    struct sentence_limit limit;
    bool recases;               /* text is read in its usual case */
    bool has_target;            /* there is a prefix or translation of this line … */
    bool scored;                /* … a whole one, to be scored: then a line is one part */
    struct strbuf valid;        /* the line */
    struct strbuf replacements; /* of protected strings */
    struct span written;        /* the sentence last read … */
    struct strbuf usual;        /* … in its usual case */
    struct strbuf target;
    struct protection protection[SIDES]; /* of the part last read, and the target */
    bool repaired;
    int line;
    int first; /* number of the line's first part */
};

void splitting_init(struct splitting *splitting, struct translator *translator, struct inputs *inputs,
                    bool scored);
void splitting_release(struct splitting *splitting);
/* Adds the parts of a line, at least one, to the inputs; its target (NULL: none) is that of the first one. */
void splitting_add_line(struct splitting *splitting, int line, const struct lines *lines,
                        const struct lines *targets);
void input_release(struct input *input);

#endif
