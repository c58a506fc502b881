/* translation_line: prints a line's translations for nmt translate. */
#ifndef NMT_TRANSLATION_LINE_H
#define NMT_TRANSLATION_LINE_H

#include "choices.h"
#include "translate.h"

#include <stdbool.h>

#define ALIGNMENT_FORMS(ROW)                                                                                 \
    ROW(ALIGNMENT_PHARAOH, pharaoh)                                                                          \
    ROW(ALIGNMENT_SOFT, soft)
enum alignment_form { ALIGNMENT_NONE = -1, ALIGNMENT_FORMS(CHOICE_CONSTANT) };

struct line_form {
    enum alignment_form alignment;
    bool scores;
    bool n_best; /* print all hypotheses, one a line, each with the number of the source line */
};

/* Appends the line or lines; `number` is that of the source line, from 0. */
void translation_line_add(struct strbuf *out, const struct translations *translations, long number,
                          const struct line_form *form);

#endif
