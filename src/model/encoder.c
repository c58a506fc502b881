/* The encoder: embeddings of source words, a recurrent layer in each direction, the layers above, and
 * annotations. The layers themselves are in layers/; attention is part of the decoder. */
#include "encoder.h"

#include "err.h"
#include "vecmath.h"

#include <string.h>

/* Width of the states of all directions together. */
static size_t states_width(const struct encoder *encoder)
{
    return encoder->directions * encoder->rnn[0].cell.units;
}

size_t encoder_width(const struct encoder *encoder)
{
    return states_width(encoder) + encoder->words;
}

void encoder_declare(struct encoder *encoder, struct layout *layout, const struct embedding *embedding,
                     const struct encoder_choice *choice)
{
    static const char *const names[2] = {"encoder.forward", "encoder.backward"};
    ASSERT(choice->directions == 1 || choice->directions == 2);
    encoder->embedding = *embedding;
    encoder->directions = choice->directions;
    encoder->words = choice->lexical ? embedding->width : 0;
    for (size_t d = 0; d < choice->directions; d++)
        rnn_declare(&encoder->rnn[d], layout, names[d], &choice->cell, embedding->width, choice->transitions);
    stack_declare(&encoder->stack, layout, "encoder", &choice->cell, choice->directions, choice->layers,
                  choice->transitions);
}

void encoder_prepack(struct encoder_weights *weights, const struct encoder *encoder, const real *params,
                     struct prepack_list *list)
{
    weights->encoder = encoder;
    embedding_weights_init(&weights->embedding, &encoder->embedding, params, list->quantised);
    for (size_t d = 0; d < encoder->directions; d++)
        rnn_prepack(&weights->rnn[d], &encoder->rnn[d], params, list);
    stack_prepack(&weights->stack, &encoder->stack, params, list);
}

void encoder_words_init(struct encoder_acts *acts, const int *ids, const struct encoder *encoder, size_t rows,
                        struct arena *arena)
{
    unique_init(&acts->words, ids, rows, encoder->embedding.vocabulary, arena);
}

void encoder_acts_init(struct encoder_acts *acts, const struct encoder *encoder,
                       const struct packed_seq *source, const struct encoder_options *options, bool keep,
                       struct arena *arena)
{
    acts->options = options;
    ASSERT(acts->words.rows == source->rows);
    acts->x = mat_new(arena, acts->words.count, encoder->embedding.width);
    for (size_t d = 0; d < encoder->directions; d++)
        if (d == 0 || keep)
            rnn_acts_init(&acts->rnn[d], &encoder->rnn[d], source, acts->words.count, &options->state[d],
                          arena);
        else
            acts->rnn[d] = acts->rnn[0];
    acts->states = mat_new(arena, source->rows, states_width(encoder));
    stack_acts_init(&acts->stack, &encoder->stack, source, &options->stack, arena);
    acts->annotations = encoder->words || options->annotation.rate > 0
                            ? mat_new(arena, source->rows, encoder_width(encoder))
                            : (struct mat){0};
}

void encoder_acts_init_backward(struct encoder_acts *acts, const struct encoder *encoder, struct arena *arena)
{
    acts->dx = mat_zero(arena, acts->x.rows, acts->x.cols);
    stack_acts_init_backward(&acts->stack, &encoder->stack, acts->states.rows, arena);
}

/* ---- embeddings ---- */

/* x = dropout(embedding(words)) */
static void embed(struct encoder_acts *acts, const struct encoder_weights *weights)
{
    const struct mat x = acts->x;
    embedding_forward(x, acts->words.ids, &weights->embedding);
    dropout_words(x, &acts->options->word);
    dropout_apply(x, &acts->options->embedding);
}

static void embed_backward(struct grad_terms *terms, struct mat dx, const struct encoder_acts *acts,
                           const struct encoder *encoder)
{
    dropout_apply(dx, &acts->options->embedding);
    dropout_words(dx, &acts->options->word);
    embedding_backward(terms, mat_const(dx), acts->words.ids, &encoder->embedding);
}

/* ---- annotations ---- */

/* h_j = [→h_j ; ←h_j] of the top layer, or [→h_j ; ←h_j ; x_j]; then dropout. */
static void annotate(struct encoder_acts *acts, struct mat top, size_t words)
{
    const struct mat annotations = acts->annotations;
    if (!annotations.data) {
        acts->annotations = top;
        return;
    }
    mat_copy(mat_cols(annotations, 0, top.cols), mat_const(top));
    for (size_t i = 0; words && i < annotations.rows; i++)
        memcpy(mat_row(annotations, i) + top.cols, mat_row(acts->x, acts->words.index[i]),
               words * sizeof(real));
    dropout_apply(annotations, &acts->options->annotation);
}

/* Adds the words' part of dannotations to dx; returns the states' part, compacted in place. */
static struct mat annotate_backward(struct mat dx, struct mat dannotations, const struct encoder_acts *acts,
                                    size_t words)
{
    const size_t states = dannotations.cols - words;
    const struct mat dtop = mat_of(dannotations.data, dannotations.rows, states);
    dropout_apply(dannotations, &acts->options->annotation);
    for (size_t i = 0; words && i < dannotations.rows; i++) { /* h_j = [→h_j ; ←h_j ; x_j] */
        const real *dannotation = mat_row(dannotations, i);
        vec_add(mat_row(dx, acts->words.index[i]), dannotation + states, words);
        memmove(mat_row(dtop, i), dannotation, states * sizeof(real));
    }
    return dtop;
}

/* ---- the pass ---- */

void encoder_forward(struct encoder_acts *acts, const struct encoder_weights *weights)
{
    const struct encoder *encoder = weights->encoder;
    const size_t units = encoder->rnn[0].cell.units;
    embed(acts, weights); /* x */
    for (size_t d = 0; d < encoder->directions; d++) {
        struct rnn_acts *rnn = &acts->rnn[d];
        cell_words_forward(&rnn->cell, &acts->words, mat_const(acts->x), &weights->rnn[d].ih,
                           &weights->rnn[d].cell);                                            /* W_ih x */
        rnn_forward(mat_cols(acts->states, d * units, units), rnn, &weights->rnn[d], d == 1); /* →h, ←h */
    }
    annotate(acts, stack_forward(acts->states, &acts->stack, &weights->stack), encoder->words); /* h_j */
}

void encoder_backward(struct grad_terms *terms, struct mat dannotations, struct encoder_acts *acts,
                      const struct encoder_weights *weights)
{
    const struct encoder *encoder = weights->encoder;
    const size_t units = encoder->rnn[0].cell.units;
    const struct mat dx = acts->dx;
    ASSERT(dannotations.rows == acts->words.rows && dannotations.cols == encoder_width(encoder));
    const struct mat dstates = annotate_backward(dx, dannotations, acts, encoder->words); /* h_j */
    stack_backward(dstates, terms, &acts->stack, &weights->stack);
    for (size_t d = 0; d < encoder->directions; d++) {
        struct rnn_acts *rnn = &acts->rnn[d];
        rnn_backward(rnn, mat_const(mat_cols(dstates, d * units, units)), &weights->rnn[d],
                     d == 1); /* →h, ←h */
        cell_words_backward(dx, terms, &rnn->cell, &acts->words, mat_const(acts->x), &weights->rnn[d].ih,
                            &weights->rnn[d].cell); /* W_ih x */
        rnn_defer_weight_grads(terms, rnn, &encoder->rnn[d]);
    }
    embed_backward(terms, dx, acts, encoder); /* x */
}
