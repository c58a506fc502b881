/* decoder: the recurrent part of the decoder under teacher forcing.
 *
 *   s_0 = tanh(W_init · mean_j h_j + b)
 *   input feed (Bahdanau, Cho, Bengio 2015):      α_i, c_i = attention(s_{i-1}, h)
 *                                                 s_i = GRU([y_{i-1} ; c_i], s_{i-1})
 *   conditional GRU (Sennrich et al. 2017, Nematus, arXiv:1703.04357):
 *     s'_i = GRU'(y_{i-1}, s_{i-1})               α_i, c_i = attention(s'_i, h)      s_i = GRU(c_i, s'_i)
 *
 * Further transitions (deep.h) may stand between that and s_i, and layers above (stack.h) between s_i and the
 * readout.
 *
 * D units, A attention units, K annotation width, E embedding, N rows of the target packing, B sentences.
 * Row r of a step belongs to the source sentence of rank column[r]: source and target are ranked by their own
 * lengths. */
#ifndef NMT_DECODER_H
#define NMT_DECODER_H

#include "attention.h"
#include "cell.h"
#include "distinct.h"
#include "dropout.h"
#include "gradients.h"
#include "packing.h"
#include "stack.h"

#include <stdbool.h>

struct decoder {
    struct linear init;         /* K -> D */
    struct attention attention; /* query D, annotations K */
    bool conditional;
    int embedding;     /* E */
    struct cell first; /* conditional: reads the embedding */
    struct cell cell;  /* reads [embedding ; context]: E + K wide, or, conditional, the context alone */
    struct deep deep;
    struct stack stack;
};

struct decoder_noise {
    struct dropout state; /* s_{i-1} */
    struct stack_noise stack;
};

/* What the decoder sees of the source, before its first step. */
struct decoder_source {
    const struct packing *packing;
    const real *annotations; /* [source rows][K] */
    real *keys;              /* [source rows][A] */
    real *mean;              /* [B][K] mean annotation, by source rank */
    real *start;             /* [B][D] s_0, by source rank */
};

struct decoder_acts {
    struct decoder_source source;
    const int *column;            /* [B] */
    const struct distinct *words; /* the previous tokens; the caller's */
    const real *y;                /* [words][E]: their embeddings, after dropout; the caller's */
    struct cell_acts first;       /* conditional: of the first transition */
    struct cell_acts cell;        /* its `before` is what asks for the context: s'_i, or s_{i-1} */
    real *query;                  /* [N][A] */
    real *alpha;                  /* [N][source steps] */
    real *context;                /* [N][K] */
    struct deep_acts deep;
    real *states; /* [N][D] s_i */
    real *memory; /* [N][D], of cells with memory, or NULL */
    struct stack_acts stack;
    real *top; /* [N][D]: what the readout reads; states itself where there is one layer */
};

void decoder_declare(struct decoder *decoder, struct layout *layout, const struct gates *gates, int embedding,
                     int annotation_width, int units, int attention_units, bool conditional, int layers,
                     int transitions, bool normalized);
/* The cell that reads the previous word, in the first E columns of its weight_ih. */
const struct cell *decoder_word_cell(const struct decoder *decoder);

/* What the source is multiplied with. */
struct source_weights {
    struct packed key, init;
};

/* What a step multiplies with. */
struct decoder_weights {
    struct packed word;           /* W_iy; forward alone */
    struct packed context, query; /* W_ic, W_a */
    struct cell_weights first, cell;
    struct deep_weights deep;
    struct stack_weights stack;
};

void source_pack(struct source_weights *weights, const struct decoder *decoder, const real *params,
                 struct packs *packs);
void decoder_pack(struct decoder_weights *weights, const struct decoder *decoder, const real *params,
                  struct packs *packs);
void decoder_pack_backward(struct decoder_weights *weights, const struct decoder *decoder, const real *params,
                           struct packs *packs);
/* Room for keys and first states; then their values. */
void decoder_source_init(struct decoder_source *at, const struct decoder *decoder,
                         const struct packing *source, struct arena *arena);
void decoder_source_forward(struct decoder_source *at, const real *annotations, const struct decoder *decoder,
                            const struct source_weights *weights, const real *params);
void decoder_forward(struct decoder_acts *acts, const struct decoder_source *at, const int *column,
                     const struct distinct *words, const real *y, const struct decoder *decoder,
                     const struct decoder_weights *weights, const real *params, const struct packing *target,
                     const struct decoder_noise *noise, struct arena *arena);

/* dstates [N][D], of the top, and dcontext [N][K] come from the readout; both are used up. Adds to
 * dannotations [source rows][K] and to dy [words][E]. */
void decoder_backward(real *dy, real *dannotations, struct gradients *gradients, real *dstates,
                      real *dcontext, struct decoder_acts *acts, const struct decoder *decoder,
                      const struct decoder_weights *weights, const real *params, const struct packing *target,
                      const struct decoder_noise *noise, struct arena *arena);

#endif
