/* nbest: lines of n-best lists, "sentence ||| translation ||| features ||| score", as Moses and Marian write
 * them. The sentence is a number from 0; a feature is a name such as "LM0=" and its values. Lists of nmt
 * translate have a score in the place of the features. */
#ifndef NMT_NBEST_H
#define NMT_NBEST_H

#include "err.h"
#include "strbuf.h"

#include <stddef.h>

/* A line and its parts; they point into it. */
struct nbest_line {
    const char *text;
    size_t bytes;
    long sentence; /* from 0 */
    const char *translation;
    size_t translation_bytes;
    const char *features; /* NULL if the line has none */
    size_t features_bytes;
    size_t third; /* bytes before the third field; `bytes` if there is none */
};

/* -1 for a line without a number and a translation. The text ends with a NUL, and must outlive the result. */
int nbest_parse(struct nbest_line *line, const char *text, size_t bytes, struct err *err);
/* Appends a translation as a field: "|||", which ends one, becomes "&#124;&#124;&#124;", as Moses has it. */
void nbest_add_text(struct strbuf *out, const char *text);
/* The translation of a line as it was before; the caller frees it. */
char *nbest_translation(const struct nbest_line *line);
/* Appends the line with a feature for each score, "F0= -1.5 F1= -2.25", behind its own features; numbers of
 * features go on from those that it has. */
void nbest_add_features(struct strbuf *out, const struct nbest_line *line, const double *scores, int count);

#endif
