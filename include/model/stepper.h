/* stepper: the network at translation time: a source once, then one target word at a time for any number of
 * rows.
 *
 * Linear maps of the context are taken once per source position instead of once per step:
 * W · c_i = Σ_j α_ij (W h_j), for the decoder cell and the readout together. Hypotheses that went on from one
 * and the same hypothesis share its state, and many end in the same word: attention and products are computed
 * once for each different state and word.
 *
 * A decoder's state is that of all its layers, the lowest first, each h and then the memory, if its cell has
 * one: Z = layers · D wide, or twice that. G · D is the width of the decoder cell's gates. */
#ifndef NMT_STEPPER_H
#define NMT_STEPPER_H

#include "distinct.h"
#include "packed.h"
#include "seq2seq.h"

/* A model ready for translation: all that it multiplies with, packed once. Shared by all threads. */
struct step_weights {
    const struct seq2seq *model;
    const real *params;
    struct encoder_weights encoder;
    struct source_weights source;
    struct decoder_weights decoder;
    struct packed readout_word;    /* W_y */
    struct packed readout_context; /* W_c */
    struct packed readout_state;   /* W_s */
    struct packed output;          /* E_out */
};

/* params and the arena must live as long. */
void step_weights_init(struct step_weights *weights, const struct seq2seq *model, const real *params,
                       struct arena *arena);

struct stepper {
    const struct step_weights *weights;
    struct packing source;
    struct decoder_source at; /* keys and first states, by source rank */
    real *products;           /* [source rows][GD + E]: W_ic h_j and W_c h_j */
    struct arena *arena;
    /* One step's scratch, for at most max_rows rows: */
    real *y;               /* [words][E] */
    real *query;           /* [states][A] */
    real *sums;            /* [states][GD + E] */
    real *shared;          /* [states][GD], [words][E] */
    struct cell_acts cell; /* that reads the context */
    struct deep_acts deep; /* of all layers in turn */
    real *t;               /* [rows][E] */
    /* Only where there are several layers: */
    struct cell_acts upper; /* of all layers above the first in turn */
    real *top;              /* [rows][D]: what the readout reads */
    /* Of a conditional GRU: */
    struct cell_acts first;
    real *asking;         /* [rows][D, or 2D with memory]: states after the first transition */
    int *asking_column;   /* [rows] */
    struct distinct each; /* every row is one of its own */
};

/* What goes into a step. */
struct step_input {
    const int *ids;               /* [rows]: last words */
    const struct distinct *which; /* from rows to states */
    const real *states;           /* [states][Z, ld] */
    int ld;
    const int *column; /* [states]: source ranks */
};

/* Encodes the sentences (closed by the end mark). All memory from the arena. */
void stepper_init(struct stepper *stepper, const struct step_weights *weights,
                  const struct sentence *sentences, int sents, int max_rows, struct arena *arena);
int stepper_state_width(const struct stepper *stepper); /* Z */
/* state [Z] = the first one of the sentence with that source rank. */
void stepper_start(real *state, const struct stepper *stepper, int rank);
/* next_states [rows][Z], alpha [rows][source.steps]; the readout t stays in the stepper. */
void stepper_step(struct stepper *stepper, real *next_states, real *alpha, const struct step_input *input);
/* Where in alpha the attention of a row stands: rows of one state may share theirs. */
int stepper_alpha_row(const struct stepper *stepper, const struct step_input *input, int row);
/* logits [rows][V] of the step's rows from `first` on. */
void stepper_logits(const struct stepper *stepper, real *logits, int first, int rows);

#endif
