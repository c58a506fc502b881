/* encoder: from source tokens to annotations h_j = [→h_j ; ←h_j], K wide (K = 2H, or H with one direction),
 * optionally with further layers above (stack.h), and with the word's own embedding x_j appended to the
 * states, so that the decoder also sees the word itself (K = 2H + E; after the lexical model of Nguyen and
 * Chiang 2018, arXiv:1710.01329):
 *
 *   h_j = [→h_j ; ←h_j ; x_j]
 *
 * N = rows of the packed source sequences, E embedding, H units per direction. */
#ifndef NMT_ENCODER_H
#define NMT_ENCODER_H

#include "embedding.h"
#include "grad_terms.h"
#include "rnn.h"
#include "stack.h"
#include "unique.h"

/* The options of an encoder. */
struct encoder_choice {
    struct cell_choice cell;
    size_t directions;          /* 2: bidirectional; 1: forwards only */
    size_t layers, transitions; /* at least 1; stack.h, deep.h */
    bool lexical;               /* annotations end with the word's embedding */
};

struct encoder {
    struct embedding embedding; /* of the source words */
    size_t directions;
    size_t words; /* width of the word's embedding at the end of an annotation: E or 0 */
    struct rnn rnn[2];
    struct stack stack;
};

/* Dropout of one pass, with a key for each place; at test time all rates are 0. */
struct encoder_options {
    struct dropout word, embedding, state[2], annotation;
    struct stack_dropout stack;
};

/* The encoder with its parameters, prepacked for one pass. */
struct encoder_weights {
    const struct encoder *encoder;
    struct embedding_weights embedding;
    struct rnn_weights rnn[2];
    struct stack_weights stack;
};

struct encoder_acts {
    const struct encoder_options *options;
    struct unique words;
    struct mat dx; /* [words][E]: for backward */
    struct mat x;  /* [words][E]: embeddings after dropout, with one mask per distinct word */
    struct rnn_acts rnn[2];
    struct mat states; /* [N][directions · H]: states of the first layer */
    struct stack_acts stack;
    struct mat annotations; /* [N][K]: after dropout; may be the top layer's states themselves */
};

size_t encoder_width(const struct encoder *encoder); /* K */
/* The table of embeddings must be declared already. */
void encoder_declare(struct encoder *encoder, struct layout *layout, const struct embedding *embedding,
                     const struct encoder_choice *choice);

void encoder_prepack(struct encoder_weights *weights, const struct encoder *encoder, const real *params,
                     struct prepack_list *list);
/* acts->words = the distinct words of ids [N]. */
void encoder_words_init(struct encoder_acts *acts, const int *ids, const struct encoder *encoder, size_t rows,
                        struct arena *arena);
/* Prepares a pass over these words; source and options must outlive the acts. Without `keep` there is no
 * backward pass, and both directions share their memory. */
void encoder_acts_init(struct encoder_acts *acts, const struct encoder *encoder,
                       const struct packed_seq *source, const struct encoder_options *options, bool keep,
                       struct arena *arena);
/* Also allocates what the backward pass needs. */
void encoder_acts_init_backward(struct encoder_acts *acts, const struct encoder *encoder,
                                struct arena *arena);
void encoder_forward(struct encoder_acts *acts, const struct encoder_weights *weights);
/* dannotations [N][K] is overwritten. */
void encoder_backward(struct grad_terms *terms, struct mat dannotations, struct encoder_acts *acts,
                      const struct encoder_weights *weights);

#endif
