#include "encoder.h"

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

void encoder_forward(struct encoder_acts *acts, const int *ids, const struct encoder *encoder,
                     const struct embedding *embedding, const real *params, const struct packing *source,
                     const struct encoder_noise *noise, bool keep, struct arena *arena)
{
    const size_t n = (size_t)source->rows, e = (size_t)embedding->width;
    const int width = encoder_width(encoder), units = encoder->cell[0].units;
    acts->ids = ids;
    acts->x = ARENA_NEW(arena, n * e, real);
    embedding_forward(acts->x, ids, embedding, params, source->rows);
    dropout_apply(acts->x, &noise->embedding, n * e);

    acts->states = ARENA_NEW(arena, n * (size_t)width, real);
    for (int d = 0; d < encoder->directions; d++) {
        const struct arena_mark mark = arena_mark(arena);
        rnn_acts_init(&acts->rnn[d], &encoder->cell[d], source, noise->state[d].rate > 0, arena);
        rnn_forward(acts->states + d * units, width, &acts->rnn[d], acts->x, &encoder->cell[d], params,
                    source, d == 1, &noise->state[d], arena);
        if (!keep)
            arena_rewind(arena, mark);
    }
    acts->annotations = acts->states;
    if (noise->annotation.rate > 0) {
        acts->annotations = ARENA_NEW(arena, n * (size_t)width, real);
        memcpy(acts->annotations, acts->states, n * (size_t)width * sizeof(real));
        dropout_apply(acts->annotations, &noise->annotation, n * (size_t)width);
    }
}

void encoder_backward(real *grads, real *dannotations, struct encoder_acts *acts,
                      const struct encoder *encoder, const struct embedding *embedding, const real *params,
                      const struct packing *source, const struct encoder_noise *noise, struct arena *arena)
{
    const size_t n = (size_t)source->rows, e = (size_t)embedding->width;
    const int width = encoder_width(encoder), units = encoder->cell[0].units;
    dropout_apply(dannotations, &noise->annotation, n * (size_t)width); /* annotations = dropout(states) */
    real *dx = ARENA_ZERO(arena, n * e, real);
    for (int d = 0; d < encoder->directions; d++) /* states = rnn(x) */
        rnn_backward(dx, grads, &acts->rnn[d], dannotations + d * units, width, acts->x, &encoder->cell[d],
                     params, source, d == 1, &noise->state[d], arena);
    dropout_apply(dx, &noise->embedding, n * e); /* x = dropout(embedding(ids)) */
    embedding_backward(grads, dx, acts->ids, embedding, source->rows);
}
