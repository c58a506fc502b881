/* encoder: from source tokens to annotations h_j = [→h_j ; ←h_j], K wide (K = 2H, or H in one direction
 * only).
 *
 * N = rows of the source packing, E embedding, H units per direction. */
#ifndef NMT_ENCODER_H
#define NMT_ENCODER_H

#include "distinct.h"
#include "embedding.h"
#include "gradients.h"
#include "rnn.h"

struct encoder {
    int directions; /* 2: bidirectional; 1: forwards only */
    struct gru cell[2];
};

/* The noise of one forward pass; rates 0 at test time. One key for each place. */
struct encoder_noise {
    struct dropout word, embedding, state[2], annotation;
};

/* What a pass multiplies with, of each direction; the way back needs hh alone. */
struct encoder_weights {
    struct packed ih[2], hh[2];
};

struct encoder_acts {
    struct distinct words;
    real *x; /* [words][E]: embeddings, after dropout: one mask for each word, wherever it stands */
    struct rnn_acts rnn[2];
    real *states;      /* [N][K] */
    real *annotations; /* [N][K]: states after dropout; the same memory where there is none */
};

int encoder_width(const struct encoder *encoder); /* K */
void encoder_declare(struct encoder *encoder, struct layout *layout, int embedding, int units,
                     int directions);

void encoder_pack(struct encoder_weights *weights, const struct encoder *encoder, const real *params,
                  struct packs *packs);
void encoder_pack_backward(struct encoder_weights *weights, const struct encoder *encoder, const real *params,
                           struct packs *packs);
/* Room in the arena for a pass over ids [N]. Without `keep` there is no way backward, and both directions use
 * the same room. */
void encoder_acts_init(struct encoder_acts *acts, const int *ids, const struct encoder *encoder,
                       const struct embedding *embedding, const struct packing *source,
                       const struct encoder_noise *noise, bool keep, struct arena *arena);
void encoder_forward(struct encoder_acts *acts, const struct encoder *encoder,
                     const struct embedding *embedding, const struct encoder_weights *weights,
                     const real *params, const struct packing *source, const struct encoder_noise *noise,
                     struct arena *arena);
/* dannotations [N][K] is used up. */
void encoder_backward(struct gradients *gradients, real *dannotations, struct encoder_acts *acts,
                      const struct encoder *encoder, const struct embedding *embedding,
                      const struct encoder_weights *weights, const real *params, const struct packing *source,
                      const struct encoder_noise *noise, struct arena *arena);

#endif
