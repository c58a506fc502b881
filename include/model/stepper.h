/* stepper: the network at translation time: encodes a source once, then advances any number of rows by one
 * target word at a time.
 *
 * Linear maps of the context are applied once per source position instead of once per step: W · c_i = Σ_j
 * α_ij (W value_j), for the cell that reads it and the readout together. Hypotheses with the same predecessor
 * share its state, and many end in the same word: products and, if attention comes first in a step, attention
 * are computed once per distinct state and word.
 *
 * A state has Z numbers: for each layer of the decoder, the lowest first, h and, for an LSTM, c (L
 * numbers); with input feeding, the readout; the attention's coverage. P is the width of a position's
 * products for one head: those of the gates that read contexts, if any, and E for the readout.
 *
 * A step has a query for each row if there is a query cell, else for each state. */
#ifndef NMT_STEPPER_H
#define NMT_STEPPER_H

#include "step_weights.h"
#include "unique.h"

struct stepper {
    const struct step_weights *weights;
    struct packed_seq source;
    struct decoder_source decoder_source; /* keys and first states, by source rank; no values */
    struct mat products;                  /* [positions][heads · P] */
    struct arena *arena;
    /* Scratch of one step, for at most max_rows rows: */
    struct unique words; /* the distinct last words of the rows … */
    struct mat y;        /* … and their embeddings, [words][E] */
    struct mat sums;     /* [queries][P] */
    real *shared;        /* [states or queries][GU] or [words][E]: of one product at a time */
    struct cell_acts query_cell, context_cell;
    struct attention_acts attention;
    struct deep_acts deep;  /* used for all layers in turn */
    struct cell_acts upper; /* used for all layers above the first in turn */
    struct mat top;         /* [rows][D]: input of the readout, with several layers */
    struct mat t;           /* [rows][E] */
    /* With a query cell, each row has its own query: */
    struct mat query_states;   /* [rows][L]: the query cell's states, if a context cell follows */
    size_t *query_source_rank; /* [rows] */
    struct unique each;        /* maps each row to itself */
};

/* The inputs of a step. */
struct step_input {
    const int *ids;              /* [rows]: last words */
    const struct unique *unique; /* maps rows to states */
    struct const_mat states;     /* [states][Z] */
    const size_t *source_rank;   /* [states]: source ranks */
    size_t step;                 /* from 0 */
};

/* Encodes the sentences (ended by the end mark). All memory comes from the arena. */
void stepper_init(struct stepper *stepper, const struct step_weights *weights,
                  const struct sentence *sentences, size_t sents, size_t max_rows, struct arena *arena);
/* Allocates as stepper_init, numbers in a counting arena, indices in `arena`: no step can be made. Only the
 * model of the weights is used. */
void stepper_count(struct stepper *stepper, const struct step_weights *weights,
                   const struct sentence *sentences, size_t sents, size_t max_rows, struct arena *arena,
                   struct arena *counting);
size_t stepper_state_width(const struct stepper *stepper); /* Z */
/* state [Z] = the first state for the sentence with that source rank. */
void stepper_start(real *state, const struct stepper *stepper, size_t rank);
/* Advances all rows: next_states [rows][Z], alpha [queries][heads][steps of the positions]; the readout t
 * stays in the stepper. */
void stepper_step(struct stepper *stepper, struct mat next_states, real *alpha,
                  const struct step_input *input);
/* Numbers per query in alpha. */
size_t stepper_alpha_width(const struct stepper *stepper);
/* sum [source_length] += weight times a row's attention, the mean of its heads. Without attention, does
 * nothing. */
void stepper_add_attention(real *sum, real weight, const struct stepper *stepper, const real *alpha,
                           const struct step_input *input, size_t row, size_t source_length);
/* weights [heads][source_length] = a row's attention, head by head. The model must have attention. */
void stepper_head_attention(real *weights, const struct stepper *stepper, const real *alpha,
                            const struct step_input *input, size_t row, size_t source_length);
/* logits [rows][V] of the step's rows from `first` on. */
void stepper_logits(const struct stepper *stepper, real *logits, size_t first, size_t rows);

/* The same as stepper_logits: logits [rows][words], of the words of the part. */
void stepper_part_logits(const struct stepper *stepper, real *logits, const struct output_part *part,
                         size_t first, size_t rows);

#endif
