/* translation_json: a translation as an object for programs: the fields of configs/output.md. */
#ifndef NMT_TRANSLATION_JSON_H
#define NMT_TRANSLATION_JSON_H

#include "choices.h"
#include "json.h"
#include "translate.h"

#include <stdbool.h>

#define ALIGNMENT_FORMS(ROW)                                                                                 \
    ROW(ALIGNMENT_PHARAOH, pharaoh)                                                                          \
    ROW(ALIGNMENT_SOFT, soft)
enum alignment_form { ALIGNMENT_NONE = -1, ALIGNMENT_FORMS(CHOICE_CONSTANT) };

/* Which fields an object has besides those that are always there. */
struct translation_fields {
    enum alignment_form alignment;
    bool words; /* the alignment is one of whole words */
    bool terms; /* those of a glossary */
};

/* Sets the fields of a translation. */
void translation_json(struct json *object, const struct translation *t,
                      const struct translation_fields *fields);
/* Sets a list of the tokens of its source, or of its words, with the end mark. */
void translation_json_source(struct json *object, const char *key, const struct translation *t, bool joined);

/* The weights of a translation's tokens, or of its words; a mark at the end of each side. */
struct translation_weights {
    const float *weights; /* [targets][sources]; NULL if there are none */
    int targets, sources;
    float *own; /* those of words */
};

void translation_weights_init(struct translation_weights *weights, const struct translation *t, bool words);
void translation_weights_release(struct translation_weights *weights);

#endif
