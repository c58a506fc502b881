/* summary: one vector for a whole source sentence, from which the decoder's first state is made; without
 * attention, it is all that the decoder sees of the source.
 *
 *   mean             mean_j h_j
 *   backward_first   ←h_1, the last state of the backward network (Bahdanau, Cho, Bengio 2015)
 *   last             [→h_S ; ←h_1], each direction's last state (Sutskever et al. 2014; Cho et al. 2014)
 *   zero             nothing: the first state is 0
 *
 * Annotations h are K wide, and begin with the states of all directions. */
#ifndef NMT_SUMMARY_H
#define NMT_SUMMARY_H

#include "packed_seq.h"
#include "real.h"

struct annotations {
    size_t width, directions, units; /* units of each direction */
};

struct summary {
    size_t (*width)(const struct annotations *shape);
    /* summary [B][width], by source rank */
    void (*forward)(real *summary, const real *annotations, const struct annotations *shape,
                    const struct packed_seq *source);
    /* Adds to dannotations. */
    void (*backward)(real *dannotations, const real *dsummary, const struct annotations *shape,
                     const struct packed_seq *source);
};

/* By enum summary_kind of choices.h, where it says how to add one; "zero" has a width of 0, and neither
 * forward nor backward. */
extern const struct summary *const summary_kinds[];

#endif
