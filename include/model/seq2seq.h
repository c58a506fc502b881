/* seq2seq: the whole network: loss and gradients of a batch of sentence pairs.
 *
 * It works on token ids, not on text. One `struct seq2seq` (sizes and layout) serves any number of
 * threads; each has its own arena, acts and gradient terms. */
#ifndef NMT_SEQ2SEQ_H
#define NMT_SEQ2SEQ_H

#include "config.h"
#include "decoder.h"
#include "encoder.h"
#include "links.h"
#include "readout.h"
#include "xent.h"

struct seq2seq {
    struct layout layout;
    size_t source_vocabulary, target_vocabulary;
    struct embedding source, target; /* with tie "all", target is the first rows of source */
    struct encoder encoder;
    struct decoder decoder;
    struct readout readout;
};

/* Declares the parameters that `config` selects. With tie "all", the source's vocabulary must begin with the
 * target's. */
void seq2seq_init(struct seq2seq *model, const struct config *config, size_t source_vocabulary,
                  size_t target_vocabulary);

/* One side of a pair: source ids end with the end mark; target ids have begin and end mark. */
struct sentence {
    const int *ids;
    size_t length; /* marks included: source >= 1, target >= 2 */
};

/* Links between source tokens and predicted target tokens. */
struct guide {
    const struct link *links;
    size_t count;
};

struct batch {
    const struct sentence *source, *target; /* [sents] */
    size_t sents;
    const struct guide *guides; /* [sents]: reference alignments, or NULL */
};

/* Packs the sentences without `marks` of their tokens, starting at token `shift`. Returns their ids
 * [seq->rows]. */
int *seq2seq_pack(struct packed_seq *seq, const struct sentence *sentences, size_t sents, size_t marks,
                  size_t shift, struct arena *arena);

/* Dropout, label smoothing and weights of losses; dropout rates are 0 for evaluation. */
struct pass_options {
    struct encoder_options encoder;
    struct dropout target_word, target_embedding, readout;
    struct decoder_options decoder;
    double smoothing; /* label smoothing */
    double guided;    /* weight of guided alignment */
};

/* Sets the config's rates, with the random keys of one update and worker. */
void pass_options_init(struct pass_options *options, const struct config *config, uint64_t update,
                       uint64_t worker);
void pass_options_none(struct pass_options *options);

struct loss {
    struct xent_sums sums;
    long target_tokens; /* predicted, end marks included */
    long source_tokens;
};

void loss_add(struct loss *sum, const struct loss *loss);

/* The weights of a pass, forward or backward, prepacked for all shards: call
 * prepack_list_fill(&weights->list, …) after the init. `weights` must not move. */
struct pass_weights {
    const real *params;
    struct prepack_list list;
    struct encoder_weights encoder;
    struct source_weights source;
    struct decoder_weights decoder;
    struct readout_weights readout; /* unless the decoder has one, with input feeding */
    struct prepacked output[2];     /* by direction, both with those of the forward pass: E_out */
};

void pass_weights_init(struct pass_weights *weights, const struct seq2seq *model, const real *params,
                       enum pass_direction direction, enum product_kind products, struct arena *arena);

/* A pass over a batch: forward up to the readout, then the output layer chunk by chunk, then backward. All
 * its memory comes from the arena, which the caller resets. Each call with `terms` clears them first: what
 * the list has must have been added (grad_terms.h). With two lists in turn, the terms of a chunk may be added
 * during the next one; all must have been added before seq2seq_backward. The forward pass's weights must stay
 * as they are until the output is computed. */
struct pass;
struct pass *seq2seq_forward(const struct seq2seq *model, const struct pass_weights *weights,
                             const struct batch *batch, const struct pass_options *options,
                             struct arena *arena);
size_t seq2seq_chunks(const struct pass *pass);
/* Call before the chunks: adds the token counts and the loss of guided alignment. `backward`: gradients of
 * scale · loss will be computed. */
void seq2seq_begin_output(struct loss *loss, struct pass *pass, real scale, bool backward);
/* Adds the loss of a chunk; with `terms`, also runs the output layer backward. A chunk past the end is
 * empty. */
void seq2seq_output(struct loss *loss, struct grad_terms *terms, struct pass *pass, size_t chunk);
/* Call after all chunks, with weights prepacked for the backward pass. */
void seq2seq_backward(struct grad_terms *terms, struct pass *pass, const struct pass_weights *weights);

/* Instead of output and backward: log p of every target word given the source and the words before it, in
 * nats. scores [sents][ld]: by sentence of the batch, ld at least its longest target without the begin
 * mark. */
void seq2seq_scores(real *scores, size_t ld, struct pass *pass);

/* The attention of each predicted word of a sentence of the batch: weights [1 + heads][target
 * words][source length], the mean of all heads, then each head; `heads` is the model's, or 0 for the mean
 * alone. The model must have attention (attention_has_score). */
void seq2seq_attention(real *weights, const struct pass *pass, size_t sentence, size_t heads);
/* Hard attention: log-probability of all choices in the pass, for gradient checks. */
double seq2seq_choice_log_probability(const struct pass *pass);

/* A whole pass: returns the batch's loss and, unless grads is NULL, adds its gradients to that block. */
struct loss seq2seq_loss(real *grads, const struct seq2seq *model, const real *params,
                         const struct batch *batch, const struct pass_options *options, real scale,
                         struct arena *arena);

/* Logits of every target position, for golden tests: [target rows][V] in packed order, allocated in the
 * arena; `target` becomes the target's packed sequence. */
const real *seq2seq_logits(struct packed_seq *target, const struct seq2seq *model, const real *params,
                           const struct batch *batch, struct arena *arena);
/* ---- memory in bytes: counted by the functions that allocate it ---- */

/* Bytes of the prepacked weights. */
double pass_weights_bytes(const struct seq2seq *model, enum pass_direction direction,
                          enum product_kind products);
/* `sents` pairs of these lengths, marks included, with as many distinct words as possible. */
struct batch seq2seq_largest_batch(const struct seq2seq *model, size_t sents, size_t source_length,
                                   size_t target_length, struct arena *arena);
/* Bytes of a pass over a batch; without `backward`, of a forward pass and its loss. Guided alignment is
 * counted even if the batch has no guides. */
double seq2seq_pass_bytes(const struct seq2seq *model, const struct pass_options *options,
                          const struct batch *batch, bool backward);

#endif
