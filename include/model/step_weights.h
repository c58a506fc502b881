/* step_weights: a model ready for translation: its weights, prepacked once and shared by all threads. */
#ifndef NMT_STEP_WEIGHTS_H
#define NMT_STEP_WEIGHTS_H

#include "prepacked.h"
#include "seq2seq.h"

struct step_weights {
    const struct seq2seq *model;
    const real *params;
    struct encoder_weights encoder;
    struct source_weights source;
    struct decoder_weights decoder;
    struct embedding_weights words;
    struct prepacked readout_word;   /* W_y, if the readout reads the word */
    struct readout_weights readout;  /* W_s and W_c */
    struct prepacked output;         /* E_out */
    struct prepacked *context_parts; /* [heads]: columns of W_ic for each head, with several heads */
    struct prepacked *readout_parts; /* [heads]: the same for W_c */
    bool *unread; /* [params of the layout]: but for output_part_init, only the panels are read */
};

/* Those that are `quantised` are never read from params; NULL: none are. The arena must outlive the weights,
 * and params and quantised tensors too, except those that are `unread`. */
void step_weights_init(struct step_weights *weights, const struct seq2seq *model, const real *params,
                       const struct quantised_params *quantised, struct arena *arena);

/* The output layer for some words only. */
struct output_part {
    struct prepacked weights; /* [words][E] */
    const real *bias;         /* [words] */
};

/* For words `ids` [count], whose rows of the output layer are read, `unread` or not. */
void output_part_init(struct output_part *part, const struct step_weights *weights, const int *ids,
                      size_t count, struct arena *arena);

#endif
