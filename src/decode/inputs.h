/* inputs: the lines of a run as the model reads them, in one part or several, sorted by length and cut into
 * batches. */
#ifndef NMT_INPUTS_H
#define NMT_INPUTS_H

#include "translate.h"

/* A batch of several sentences has at most this many source tokens per sentence of its limit. */
#define BATCH_TOKENS 12

/* A line, or a part of one. */
struct input {
    struct strbuf subwords; /* of the source */
    struct strbuf judged;   /* the source's text, for models that judge; empty where they are not asked */
    struct ids ids; /* with the end mark; empty for a blank line, unless its translation is scored … */
    char *copied;   /* … and for a part that is its own translation; else NULL */
    struct strbuf target;  /* subwords of the prefix or the translation to be scored */
    struct ids target_ids; /* with the end mark if it is scored */
    char *between; /* what stood before the part, behind the last one: NULL for a line's first; for line ends,
                    * blanks */
    bool joined;   /* the two parts are of one word: nothing comes between them */
    bool repaired; /* the line, or the prefix or target given with it, was not UTF-8 */
    bool too_long; /* to be scored */
    bool divided;  /* it is part of a sentence that is too long */
    int first_placeholders[PLACEHOLDERS]; /* as in struct beam_options */
    enum text_case written;               /* unless usual, the source was read in its usual case */
    bool small_prefix;                    /* the prefix of such a source has small letters, which stay */
    int line;
    int part; /* its number among all parts, in the order of the text */
};

struct inputs {
    struct input *items;
    size_t count, capacity;
};

/* The parts of all lines, longest first, those without ids last. `targets` (may be NULL): prefixes, or if
 * `scored` whole translations; then each line is one part, else as options.split says and what is too long
 * needs. Counts lines in the translator. False if `watch` (may be NULL) says that it is cancelled: it is
 * asked before the first line, and then now and again. */
bool inputs_init(struct inputs *inputs, struct translator *translator, const struct lines *lines,
                 const struct lines *targets, bool scored, const struct translation_watch *watch);
void inputs_release(struct inputs *inputs);
/* Cuts the first `count` sorted inputs into batches: begin [batches + 1]; returns the number of batches. Few
 * inputs are shared out evenly; long ones, which need much memory, form smaller batches. */
int inputs_cut(int *begin, const struct input *inputs, int count, const struct translate_options *options);

#endif
