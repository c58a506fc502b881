#include "encoder.h"

#include "mat.h"

#include <string.h>

int encoder_width(const struct encoder *encoder)
{
    return encoder->directions * encoder->rnn[0].cell.units;
}

void encoder_declare(struct encoder *encoder, struct layout *layout, int embedding, int units, int directions,
                     int layers, int transitions, bool normalized)
{
    static const char *const names[2] = {"encoder.forward", "encoder.backward"};
    encoder->directions = directions;
    for (int d = 0; d < directions; d++)
        rnn_declare(&encoder->rnn[d], layout, names[d], embedding, units, transitions, normalized);
    stack_declare(&encoder->stack, layout, "encoder", directions, directions * units, layers, transitions,
                  normalized);
}

void encoder_pack(struct encoder_weights *weights, const struct encoder *encoder, const real *params,
                  struct packs *packs)
{
    for (int d = 0; d < encoder->directions; d++)
        rnn_pack(&weights->rnn[d], &encoder->rnn[d], params, packs);
    stack_pack(&weights->stack, &encoder->stack, params, packs);
}

void encoder_pack_backward(struct encoder_weights *weights, const struct encoder *encoder, const real *params,
                           struct packs *packs)
{
    for (int d = 0; d < encoder->directions; d++)
        rnn_pack_backward(&weights->rnn[d], &encoder->rnn[d], params, packs);
    stack_pack_backward(&weights->stack, &encoder->stack, params, packs);
}

void encoder_acts_init(struct encoder_acts *acts, const int *ids, const struct encoder *encoder,
                       const struct embedding *embedding, const struct packing *source,
                       const struct encoder_noise *noise, bool keep, struct arena *arena)
{
    const size_t size = (size_t)source->rows * (size_t)encoder_width(encoder);
    distinct_init(&acts->words, ids, source->rows, embedding->vocabulary, arena);
    acts->x = ARENA_NEW(arena, (size_t)acts->words.count * (size_t)embedding->width, real);
    for (int d = 0; d < encoder->directions; d++)
        if (d == 0 || keep)
            rnn_acts_init(&acts->rnn[d], &encoder->rnn[d], source, noise->state[d].rate > 0, arena);
        else
            acts->rnn[d] = acts->rnn[0];
    acts->states = ARENA_NEW(arena, size, real);
    stack_acts_init(&acts->stack, &encoder->stack, source, &noise->stack, arena);
    acts->annotations = noise->annotation.rate > 0 ? ARENA_NEW(arena, size, real) : NULL;
}

void encoder_forward(struct encoder_acts *acts, const struct encoder *encoder,
                     const struct embedding *embedding, const struct encoder_weights *weights,
                     const real *params, const struct packing *source, const struct encoder_noise *noise,
                     struct arena *arena)
{
    const int width = encoder_width(encoder), units = encoder->rnn[0].cell.units, words = acts->words.count;
    const size_t n = (size_t)source->rows, e = (size_t)embedding->width;
    const struct arena_mark mark = arena_mark(arena);
    real *products = ARENA_NEW(arena, (size_t)words * 3 * (size_t)units, real);
    embedding_forward(acts->x, acts->words.ids, embedding, params, words);
    dropout_words(acts->x, &noise->word, words, (int)e);
    dropout_apply(acts->x, &noise->embedding, (size_t)words * e);
    for (int d = 0; d < encoder->directions; d++) {
        packed_product(products, 3 * units, acts->x, (int)e, &weights->rnn[d].ih, words, false); /* W_ih x */
        distinct_spread(acts->rnn[d].cell.gates, products, 3 * units, &acts->words, false);
        rnn_forward(acts->states + d * units, width, &acts->rnn[d], &encoder->rnn[d], &weights->rnn[d],
                    params, source, d == 1, &noise->state[d]);
    }
    arena_rewind(arena, mark);
    real *top = stack_forward(acts->states, &acts->stack, &encoder->stack, &weights->stack, params, source,
                              &noise->stack);
    if (noise->annotation.rate > 0) {
        memcpy(acts->annotations, top, n * (size_t)width * sizeof(real));
        dropout_apply(acts->annotations, &noise->annotation, n * (size_t)width);
    } else {
        acts->annotations = top;
    }
}

void encoder_backward(struct gradients *gradients, real *dannotations, struct encoder_acts *acts,
                      const struct encoder *encoder, const struct embedding *embedding,
                      const struct encoder_weights *weights, const real *params, const struct packing *source,
                      const struct encoder_noise *noise, struct arena *arena)
{
    const size_t n = (size_t)source->rows, e = (size_t)embedding->width;
    const int width = encoder_width(encoder), units = encoder->rnn[0].cell.units;
    dropout_apply(dannotations, &noise->annotation, n * (size_t)width); /* annotations = dropout(top) */
    stack_backward(dannotations, gradients, &acts->stack, &encoder->stack, &weights->stack, params, source,
                   &noise->stack, arena);
    const int words = acts->words.count;
    real *dx = ARENA_ZERO(arena, (size_t)words * e, real);
    for (int d = 0; d < encoder->directions; d++) {
        const size_t weight = encoder->rnn[d].cell.weight_ih;
        real *dproducts = ARENA_NEW(arena, (size_t)words * 3 * (size_t)units, real);
        rnn_backward(gradients, &acts->rnn[d], dannotations + d * units, width, &encoder->rnn[d],
                     &weights->rnn[d], params, source, d == 1, &noise->state[d]);
        distinct_gather(dproducts, acts->rnn[d].cell.gates, 3 * units, &acts->words);
        /* W_ih x */
        gradients_product(gradients, weight, (int)e, dproducts, 3 * units, acts->x, (int)e, 3 * units, (int)e,
                          words);
        mat_nn(dx, (int)e, dproducts, 3 * units, params + weight, (int)e, words, (int)e, 3 * units, true);
    }
    dropout_apply(dx, &noise->embedding, (size_t)words * e); /* x = dropout(embedding(words)) */
    dropout_words(dx, &noise->word, words, (int)e);
    embedding_backward(gradients, dx, acts->words.ids, embedding, words);
}
