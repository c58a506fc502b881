/* stepper: the network at translation time: a source once, then one target word at a time for any number of
 * rows.
 *
 * Linear maps of the context are taken once per source position instead of once per step:
 * W · c_i = Σ_j α_ij (W h_j), for the decoder cell and the readout together. */
#ifndef NMT_STEPPER_H
#define NMT_STEPPER_H

#include "seq2seq.h"

struct stepper {
    const struct seq2seq *model;
    const real *params;
    struct packing source;
    struct decoder_source at; /* keys and first states, by source rank */
    real *products;           /* [source rows][3D + E]: W_ic h_j and W_c h_j */
    /* One step's scratch, for at most max_rows rows: */
    real *y;              /* [rows][E] */
    real *query;          /* [rows][A] */
    real *sums;           /* [rows][3D + E] */
    real *gates, *hidden; /* [rows][3D] */
    real *t;              /* [rows][E] */
};

/* Encodes the sentences (closed by the end mark). All memory from the arena. */
void stepper_init(struct stepper *stepper, const struct seq2seq *model, const real *params,
                  const struct sentence *sentences, int sents, int max_rows, struct arena *arena);
/* The first decoder state of the sentence with that source rank: [D]. */
const real *stepper_start(const struct stepper *stepper, int rank);
/* One step for `rows` rows. In: previous words `ids`, previous `states` [rows][D], `column` = source ranks.
 * Out: logits [rows][V], next_states [rows][D], alpha [rows][source.steps]. */
void stepper_step(struct stepper *stepper, real *logits, real *next_states, real *alpha, const int *ids,
                  const real *states, const int *column, int rows);

#endif
