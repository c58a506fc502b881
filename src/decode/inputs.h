/* inputs: the lines of a run as the model reads them, sorted by length and cut into batches. */
#ifndef NMT_INPUTS_H
#define NMT_INPUTS_H

#include "translate.h"

/* A batch has at most this many source tokens per sentence of its limit. */
#define BATCH_TOKENS 12

struct input {
    struct strbuf subwords; /* of the source, as many as are read */
    struct ids ids;         /* with the end mark; empty for a blank line, unless its translation is given */
    struct strbuf target;   /* subwords of the prefix or the given translation */
    struct ids target_ids;  /* with the end mark if the translation is given */
    bool repaired;          /* the line was not UTF-8 */
    bool cut;               /* the line has more than max_tokens */
    int line;
};

/* All lines, longest first, those without ids last. `targets` (may be NULL): prefixes, or if `given` whole
 * translations. Counts lines in the translator. */
struct input *inputs_new(struct translator *translator, const struct lines *lines,
                         const struct lines *targets, bool given);
void inputs_free(struct input *inputs, size_t count);
/* Cuts `count` sorted lines into batches: begin [batches + 1]; returns the number of batches. Few lines are
 * shared out evenly; long ones, which need much memory, form smaller batches. */
int inputs_cut(int *begin, const struct input *inputs, int count, const struct translate_options *options);

#endif
