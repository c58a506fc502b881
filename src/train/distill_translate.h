/* distill_translate: translates one side of a text with trained models into a file. */
#ifndef NMT_DISTILL_TRANSLATE_H
#define NMT_DISTILL_TRANSLATE_H

#include "distill_state.h"
#include "pair_reader.h"

struct distill_translation {
    const struct config *config;       /* whose training text is translated, or else … */
    const struct config_pairs *corpus; /* … this one, whose tag is not the models'; NULL */
    int part, parts;                   /* of it: pairs i with i % parts = part, from 0 */
    enum side from;                    /* which side is translated */
    char *const *models;               /* directories; several are an ensemble */
    int count;
    const char *output; /* one line for each pair that training uses, corpus after corpus; empty where the
                         * line has more than data.max_length tokens, the models' numbers are no longer
                         * finite, or time is too short for all lines */
    int64_t pairs;      /* how many lines these are */
    double seconds;     /* the most that it may take, or 0 */
    const volatile sig_atomic_t *signal_number;
};

/* Translates with the models' own settings, and training text with the tag of each corpus. After some
 * thousand lines, the output is synced and `state` saved with its length: what is behind that is cut off
 * when the translation goes on. If `seconds` are too few for all lines, every second or third, and so on, of
 * the rest is translated. Returns 0 also when a signal has stopped it: then lines are left. */
int distill_translate(const struct distill_translation *job, struct distill_state *state, struct err *err);

#endif
