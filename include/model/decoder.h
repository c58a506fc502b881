/* decoder: the recurrent part of the decoder under teacher forcing.
 *
 *   s_0 = tanh(W_init summary + b), with a summary of summary.h, or 0
 *
 * A step has up to two cells: the query cell, whose state s' is the attention's query, and the context cell,
 * which reads the context vector. Rows of a table (model.attention.feed) define which cells there are and
 * what they read:
 *
 *   input         c_i = attention(s_{i-1})              s_i = cell([y_{i-1} ; c_i], s_{i-1})
 *                 (Bahdanau, Cho, Bengio 2015)
 *   replace       c_i = attention(s_{i-1})              s_i = cell(c_i, s_{i-1})
 *                 y_{i-1} is read by the readout only
 *   conditional   s'_i = cell'(y_{i-1}, s_{i-1})        c_i = attention(s'_i)      s_i = cell(c_i, s'_i)
 *                 (Nematus: Sennrich et al. 2017, arXiv:1703.04357)
 *   output        s_i = cell(y_{i-1}, s_{i-1})          c_i = attention(s_i)
 *                 (Luong, Pham, Manning 2015); with input feeding s_i = cell([y_{i-1} ; t_{i-1}], s_{i-1}),
 *                 where t is the readout, their attentional vector; t_0 = 0
 *
 * Without attention, c_i is the summary in every step.
 *
 * Further transitions (deep.h) follow the last cell; layers above (stack.h) come between s_i and the readout.
 *
 * D units, K annotation width, C context width, E embedding, N rows of the packed target sequences, B
 * sentences. Source and target are ranked by their own lengths: row r of a step belongs to the source
 * sentence of rank source_rank[r]. */
#ifndef NMT_DECODER_H
#define NMT_DECODER_H

#include "attention.h"
#include "cell.h"
#include "dropout.h"
#include "grad_terms.h"
#include "packed_seq.h"
#include "readout.h"
#include "stack.h"
#include "summary.h"
#include "unique.h"

#include <stdbool.h>

/* What a cell reads, the word before the context; 0: there is no such cell. */
enum { READS_WORD = 1, READS_CONTEXT = 2 };

struct feed {
    int query_cell_reads, context_cell_reads;
};

/* By enum feed_kind of choices.h, where it says how to add one. */
extern const struct feed *const feed_kinds[];

struct decoder {
    const struct gates *gates;
    const struct feed *feed;
    const struct summary *summary;
    struct annotations annotations;
    size_t units, embedding, context; /* D, E, C */
    bool input_feeding;
    struct linear init; /* W_init */
    struct attention attention;
    struct cell query_cell, context_cell; /* declared if the feed has them */
    struct deep deep;
    struct stack stack;
};

/* The options of a decoder. */
struct decoder_choice {
    struct cell_choice cell;
    const struct feed *feed;
    const struct summary *summary;
    struct attention_choice attention;
    size_t embedding, layers, transitions;
    bool input_feeding;
};

void decoder_declare(struct decoder *decoder, struct layout *layout, const struct annotations *annotations,
                     const struct decoder_choice *choice);
bool decoder_has_query_cell(const struct decoder *decoder);
bool decoder_has_context_cell(const struct decoder *decoder);
/* Does the query cell read only words, so that input products can be computed and normalised once per
 * word? */
bool decoder_reads_words_alone(const struct decoder *decoder);
/* The cell that reads the previous word, by the first E columns of its weight_ih; NULL if there is none. */
const struct cell *decoder_word_cell(const struct decoder *decoder);
/* Where columns of a weight_ih begin in the parameters: W_ic, the last ones of the context cell, and with
 * input feeding W_it, those of the query cell behind the word's. */
size_t decoder_context_weight(const struct decoder *decoder);
size_t decoder_fed_weight(const struct decoder *decoder);
/* The first cell of a step. */
const struct cell *decoder_first_cell(const struct decoder *decoder);

/* ---- the source, before the first step ---- */

/* The decoder with its parameters; those that are multiplied with the source are prepacked for one pass,
 * forward or backward. */
struct source_weights {
    const struct decoder *decoder;
    const real *params;
    struct prepacked init;
    struct attention_source_weights attention;
};

struct decoder_source {
    const struct packed_seq *seq;
    struct packed_seq single;          /* without attention: one position per sentence, its summary */
    struct attention_source positions; /* the positions to attend to */
    struct mat summary;                /* [B][], by source rank */
    struct mat start;                  /* [B][D]: s_0, by source rank */
};

void source_prepack(struct source_weights *weights, const struct decoder *decoder, const real *params,
                    struct prepack_list *list);
/* Sets the packed sequences; `seq` must outlive `source`, which must not move. */
void decoder_source_pack(struct decoder_source *source, const struct decoder *decoder,
                         const struct packed_seq *seq, struct arena *arena);
/* Allocates the summary, s_0, and the keys and values of the positions. */
void decoder_source_init(struct decoder_source *source, const struct decoder *decoder, struct arena *arena);
void decoder_source_forward(struct decoder_source *source, struct const_mat annotations,
                            const struct source_weights *weights);

/* ---- the steps ---- */

/* The decoder with its parameters; those of its steps are prepacked for one pass, forward or backward. */
struct decoder_weights {
    const struct decoder *decoder;
    const real *params;
    struct prepacked word, context; /* W_iy, W_ic */
    struct prepacked fed;           /* input feeding: W_it */
    struct readout_weights readout; /* input feeding */
    struct cell_weights query_cell, context_cell;
    struct attention_weights attention;
    struct deep_weights deep;
    struct stack_weights stack;
};

void decoder_prepack(struct decoder_weights *weights, const struct decoder *decoder,
                     const struct readout *readout, const real *params, struct prepack_list *list);

/* The weights of decoder_word_cell. */
const struct cell_weights *decoder_word_weights(const struct decoder_weights *weights);

struct decoder_options {
    struct dropout state; /* s_{i-1} */
    struct stack_dropout stack;
    struct hard_attention attention;
};

/* The inputs of a pass over target sentences. */
struct decoder_pass {
    const struct decoder_source *source;
    const struct packed_seq *target;
    const size_t *source_rank;  /* [B] */
    const struct unique *words; /* the previous tokens */
    struct const_mat y;         /* [words][E]: their embeddings, after dropout */
    const struct decoder_options *options;
};

struct decoder_acts {
    struct cell_acts query_cell, context_cell;
    struct attention_acts attention;
    struct mat query_states;  /* [N][D]: what queries read: context_cell.prev.h, or else states.h */
    struct mat context;       /* [N][C]: c_i */
    struct cell_state states; /* [N][D]: s_i */
    struct deep_acts deep;
    struct stack_acts stack;
    struct mat top;     /* [N][D]: input of the readout; the states themselves if there is one layer */
    struct mat readout; /* [N][E]: t_i, with input feeding; data NULL without */
    /* For backward: */
    struct cell_state carry; /* [B][D]: gradients passed from step to step */
    struct mat dstart;       /* [B][D]: of s_0, by source rank */
    struct mat dsummary;     /* [B][] */
    struct mat dvalues;      /* [positions][K], with several heads */
    struct mat fed;          /* [N - B][E]: with input feeding, all t_{i-1} but t_0 */
};

/* The gradients that a backward pass reads and writes. dstates, of the top, and dcontext come from the
 * readout; both are overwritten. With input feeding they are 0, and dt, the gradient of the readout, is
 * used instead. */
struct decoder_grads {
    struct mat dstates;      /* [N][D] */
    struct mat dcontext;     /* [N][C] */
    struct mat dt;           /* [N][E] */
    struct mat dy;           /* [words][E]; added to */
    struct mat dannotations; /* [source rows][K]; added to */
};

/* Allocate the acts of a pass; then what its backward pass needs. */
void decoder_acts_init(struct decoder_acts *acts, const struct decoder_pass *pass,
                       const struct decoder *decoder, struct arena *arena);
void decoder_acts_init_backward(struct decoder_acts *acts, const struct decoder_pass *pass,
                                const struct decoder *decoder, struct arena *arena);
void decoder_forward(struct decoder_acts *acts, const struct decoder_pass *pass,
                     const struct decoder_weights *weights);
void decoder_backward(const struct decoder_grads *grads, struct grad_terms *terms, struct decoder_acts *acts,
                      const struct decoder_pass *pass, const struct decoder_weights *weights);

/* After that: adds to the gradients of the annotations, from those of s_0 (acts->carry), of contexts and of
 * keys. */
void decoder_source_backward(const struct decoder_grads *grads, struct grad_terms *terms,
                             const struct decoder_acts *acts, const struct decoder_pass *pass,
                             const struct source_weights *weights);

#endif
