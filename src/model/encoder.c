#include "encoder.h"

#include "mat.h"

#include <string.h>

int encoder_width(const struct encoder *encoder)
{
    return encoder->directions * encoder->cell[0].units;
}

void encoder_declare(struct encoder *encoder, struct layout *layout, int embedding, int units, int directions)
{
    encoder->directions = directions;
    gru_declare(&encoder->cell[0], layout, "encoder.forward", embedding, units);
    if (directions == 2)
        gru_declare(&encoder->cell[1], layout, "encoder.backward", embedding, units);
}

void encoder_pack(struct encoder_weights *weights, const struct encoder *encoder, const real *params,
                  struct packs *packs)
{
    for (int d = 0; d < encoder->directions; d++) {
        const struct gru *cell = &encoder->cell[d];
        packed_init_nt(&weights->ih[d], params + cell->weight_ih, cell->inputs, 3 * cell->units, cell->inputs,
                       packs);
        packed_init_nt(&weights->hh[d], params + cell->weight_hh, cell->units, 3 * cell->units, cell->units,
                       packs);
    }
}

void encoder_pack_backward(struct encoder_weights *weights, const struct encoder *encoder, const real *params,
                           struct packs *packs)
{
    for (int d = 0; d < encoder->directions; d++) {
        const struct gru *cell = &encoder->cell[d];
        packed_init_nn(&weights->hh[d], params + cell->weight_hh, cell->units, cell->units, 3 * cell->units,
                       packs);
    }
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
            rnn_acts_init(&acts->rnn[d], &encoder->cell[d], source, noise->state[d].rate > 0, arena);
        else
            acts->rnn[d] = acts->rnn[0];
    acts->states = acts->annotations = ARENA_NEW(arena, size, real);
    if (noise->annotation.rate > 0)
        acts->annotations = ARENA_NEW(arena, size, real);
}

void encoder_forward(struct encoder_acts *acts, const struct encoder *encoder,
                     const struct embedding *embedding, const struct encoder_weights *weights,
                     const real *params, const struct packing *source, const struct encoder_noise *noise,
                     struct arena *arena)
{
    const int width = encoder_width(encoder), units = encoder->cell[0].units, words = acts->words.count;
    const size_t n = (size_t)source->rows, e = (size_t)embedding->width;
    const struct arena_mark mark = arena_mark(arena);
    real *products = ARENA_NEW(arena, (size_t)words * 3 * (size_t)units, real);
    embedding_forward(acts->x, acts->words.ids, embedding, params, words);
    dropout_words(acts->x, &noise->word, words, (int)e);
    dropout_apply(acts->x, &noise->embedding, (size_t)words * e);
    for (int d = 0; d < encoder->directions; d++) {
        packed_product(products, 3 * units, acts->x, (int)e, &weights->ih[d], words, false); /* W_ih x */
        distinct_spread(acts->rnn[d].gates, products, 3 * units, &acts->words, false);
        rnn_forward(acts->states + d * units, width, &acts->rnn[d], &encoder->cell[d], &weights->hh[d],
                    params, source, d == 1, &noise->state[d]);
    }
    arena_rewind(arena, mark);
    if (noise->annotation.rate > 0) {
        memcpy(acts->annotations, acts->states, n * (size_t)width * sizeof(real));
        dropout_apply(acts->annotations, &noise->annotation, n * (size_t)width);
    }
}

void encoder_backward(struct gradients *gradients, real *dannotations, struct encoder_acts *acts,
                      const struct encoder *encoder, const struct embedding *embedding,
                      const struct encoder_weights *weights, const real *params, const struct packing *source,
                      const struct encoder_noise *noise, struct arena *arena)
{
    const size_t n = (size_t)source->rows, e = (size_t)embedding->width;
    const int width = encoder_width(encoder), units = encoder->cell[0].units;
    dropout_apply(dannotations, &noise->annotation, n * (size_t)width); /* annotations = dropout(states) */
    const int words = acts->words.count;
    real *dx = ARENA_ZERO(arena, (size_t)words * e, real);
    for (int d = 0; d < encoder->directions; d++) {
        const size_t weight = encoder->cell[d].weight_ih;
        real *dproducts = ARENA_NEW(arena, (size_t)words * 3 * (size_t)units, real);
        rnn_backward(gradients, &acts->rnn[d], dannotations + d * units, width, &encoder->cell[d],
                     &weights->hh[d], source, d == 1, &noise->state[d]);
        distinct_gather(dproducts, acts->rnn[d].gates, 3 * units, &acts->words);
        /* W_ih x */
        gradients_product(gradients, weight, (int)e, dproducts, 3 * units, acts->x, (int)e, 3 * units, (int)e,
                          words);
        mat_nn(dx, (int)e, dproducts, 3 * units, params + weight, (int)e, words, (int)e, 3 * units, true);
    }
    dropout_apply(dx, &noise->embedding, (size_t)words * e); /* x = dropout(embedding(words)) */
    dropout_words(dx, &noise->word, words, (int)e);
    embedding_backward(gradients, dx, acts->words.ids, embedding, words);
}
