/* translation_line: prints a line's translations for nmt translate. */
#ifndef NMT_TRANSLATION_LINE_H
#define NMT_TRANSLATION_LINE_H

#include "translation_json.h"

#include <stdbool.h>

struct line_form {
    enum { LINE_TEXT, LINE_TSV, LINE_JSON } kind;
    enum alignment_form alignment;
    bool words; /* the alignment is one of whole words */
    const char
        *tag; /* with which each sentence of a source begins, and of which links say nothing, or NULL */
    bool scores;
    bool glossary; /* in JSON: the terms of its lines */
    bool n_best;   /* print all hypotheses, each with the number of the source line */
};

/* A line of the input. */
struct source_line {
    long number; /* from 0 */
    const char *text;
    size_t bytes;
};

/* Appends the line or lines: in JSON one for all hypotheses, else one for each. */
void translation_line_add(struct strbuf *out, const struct translations *translations,
                          const struct source_line *source, const struct line_form *form);

#endif
