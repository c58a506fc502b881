#include "encoder.h"

#include "vecmath.h"

#include <assert.h>
#include <string.h>

/* Of all directions' states. */
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
    assert(choice->directions == 1 || choice->directions == 2);
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
    for (size_t d = 0; d < encoder->directions; d++)
        rnn_prepack(&weights->rnn[d], &encoder->rnn[d], params, list);
    stack_prepack(&weights->stack, &encoder->stack, params, list);
}

void encoder_acts_init(struct encoder_acts *acts, const int *ids, const struct encoder *encoder,
                       const struct packed_seq *source, const struct encoder_options *options, bool keep,
                       struct arena *arena)
{
    const size_t rows = source->rows;
    unique_init(&acts->words, ids, source->rows, encoder->embedding.vocabulary, options->twice ? 2 : 1,
                arena);
    acts->x = ARENA_NEW(arena, acts->words.count * encoder->embedding.width, real);
    for (size_t d = 0; d < encoder->directions; d++)
        if (d == 0 || keep)
            rnn_acts_init(&acts->rnn[d], &encoder->rnn[d], source, acts->words.count, &options->state[d],
                          arena);
        else
            acts->rnn[d] = acts->rnn[0];
    acts->states = ARENA_NEW(arena, rows * states_width(encoder), real);
    stack_acts_init(&acts->stack, &encoder->stack, source, &options->stack, arena);
    acts->annotations = encoder->words || options->annotation.rate > 0
                            ? ARENA_NEW(arena, rows * encoder_width(encoder), real)
                            : NULL;
}

/* annotations = [top ; x] */
static void annotate(struct encoder_acts *acts, const struct encoder *encoder, const real *top)
{
    const size_t states = states_width(encoder), words = encoder->words;
    real *annotation = acts->annotations;
    for (size_t i = 0; i < acts->words.rows; i++, annotation += states + words) {
        memcpy(annotation, top + i * states, states * sizeof *top);
        memcpy(annotation + states, acts->x + acts->words.index[i] * words, words * sizeof *top);
    }
}

/* The way back: the part of the states to the front of dannotations, without gaps; dx += the rest. */
static void annotate_backward(real *dx, real *dannotations, const struct encoder_acts *acts,
                              const struct encoder *encoder)
{
    const size_t states = states_width(encoder), words = encoder->words;
    const real *annotation = dannotations;
    if (!words)
        return;
    for (size_t i = 0; i < acts->words.rows; i++, annotation += states + words) {
        vec_add(dx + acts->words.index[i] * words, annotation + states, words);
        memmove(dannotations + i * states, annotation, states * sizeof *dx);
    }
}

void encoder_forward(struct encoder_acts *acts, const struct encoder *encoder,
                     const struct embedding *embedding, const struct encoder_weights *weights,
                     const real *params, const struct packed_seq *source,
                     const struct encoder_options *options, struct arena *arena)
{
    const size_t width = states_width(encoder), units = encoder->rnn[0].cell.units, words = acts->words.count;
    const size_t n = source->rows, e = embedding->width;
    embedding_forward(acts->x, acts->words.ids, embedding, params, words);
    dropout_words(acts->x, &options->word, words, e);
    dropout_apply(acts->x, &options->embedding, words * e);
    for (size_t d = 0; d < encoder->directions; d++) {
        cell_words_forward(&acts->rnn[d].cell, &acts->words, acts->x, &weights->rnn[d].ih,
                           &encoder->rnn[d].cell, params, arena);
        rnn_forward(acts->states + d * units, width, &acts->rnn[d], &encoder->rnn[d], &weights->rnn[d],
                    params, source, d == 1);
    }
    real *top = stack_forward(acts->states, &acts->stack, &encoder->stack, &weights->stack, params, source,
                              &options->stack);
    if (acts->annotations) {
        annotate(acts, encoder, top);
        dropout_apply(acts->annotations, &options->annotation, n * encoder_width(encoder));
    } else {
        acts->annotations = top;
    }
}

void encoder_backward(struct grad_terms *terms, real *dannotations, struct encoder_acts *acts,
                      const struct encoder *encoder, const struct embedding *embedding,
                      const struct encoder_weights *weights, const real *params,
                      const struct packed_seq *source, const struct encoder_options *options,
                      struct arena *arena)
{
    const size_t n = source->rows, e = embedding->width;
    const size_t width = states_width(encoder), units = encoder->rnn[0].cell.units, words = acts->words.count;
    real *dx = ARENA_ZERO(arena, words * e, real);
    dropout_apply(dannotations, &options->annotation, n * encoder_width(encoder));
    annotate_backward(dx, dannotations, acts, encoder);
    stack_backward(dannotations, terms, &acts->stack, &encoder->stack, &weights->stack, params, source,
                   &options->stack, arena);
    for (size_t d = 0; d < encoder->directions; d++) {
        rnn_backward(&acts->rnn[d], dannotations + d * units, width, &encoder->rnn[d], &weights->rnn[d],
                     params, source, d == 1);
        cell_words_backward(dx, terms, &acts->rnn[d].cell, &acts->words, acts->x, e, &encoder->rnn[d].cell,
                            params, arena);
        rnn_defer_weight_grads(terms, &acts->rnn[d], &encoder->rnn[d], source->rows);
    }
    dropout_apply(dx, &options->embedding, words * e); /* x = dropout(embedding(words)) */
    dropout_words(dx, &options->word, words, e);
    embedding_backward(terms, dx, acts->words.ids, embedding, words);
}
