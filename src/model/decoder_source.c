#include "decoder.h"
#include "vecmath.h"

#include <string.h>

static size_t summary_width(const struct decoder *decoder)
{
    return decoder->summary->width(&decoder->annotations);
}

void source_prepack(struct source_weights *weights, const struct decoder *decoder, const real *params,
                    struct prepack_list *list)
{
    if (summary_width(decoder))
        linear_prepack(&weights->init, &decoder->init, params, list);
    attention_source_prepack(&weights->attention, &decoder->attention, params, list);
}

/* One position for each sentence; the ranks stay those of the source. */
static void single_init(struct packed_seq *single, const struct packed_seq *source, struct arena *arena)
{
    size_t *lengths = ARENA_NEW(arena, source->sents, size_t);
    for (size_t b = 0; b < source->sents; b++)
        lengths[b] = 1;
    packed_seq_init(single, lengths, source->sents, arena);
}

void decoder_source_init(struct decoder_source *at, const struct decoder *decoder,
                         const struct packed_seq *source, struct arena *arena)
{
    const size_t sents = source->sents;
    at->seq = source;
    at->summary = ARENA_NEW(arena, sents * summary_width(decoder), real);
    at->start = ARENA_ZERO(arena, sents * decoder->units, real);
    if (!attention_has_score(&decoder->attention))
        single_init(&at->single, source, arena);
    attention_source_init(&at->positions, &decoder->attention,
                          attention_has_score(&decoder->attention) ? source : &at->single, arena);
}

void decoder_source_forward(struct decoder_source *at, const real *annotations, const struct decoder *decoder,
                            const struct source_weights *weights, const real *params)
{
    const size_t width = summary_width(decoder), sents = at->seq->sents;
    if (width) {
        decoder->summary->forward(at->summary, annotations, &decoder->annotations, at->seq);
        linear_forward_prepacked(mat_of(at->start, sents, decoder->init.outputs),
                                 const_mat_ld(at->summary, sents, decoder->init.inputs, width),
                                 &decoder->init, &weights->init, params);
        vec_tanh(at->start, at->start, sents * decoder->units);
    }
    attention_source_forward(&at->positions,
                             attention_has_score(&decoder->attention) ? annotations : at->summary,
                             &decoder->attention, &weights->attention, params);
}

void decoder_source_backward(real *dannotations, struct grad_terms *terms, real *dstart, const real *dcontext,
                             const struct attention_acts *acts, const size_t *source_rank,
                             const struct decoder_source *at, const struct decoder *decoder,
                             const real *params, const struct packed_seq *target, struct arena *arena)
{
    const struct attention *attention = &decoder->attention;
    const struct attention_source *positions = &at->positions;
    const struct attention_values values = attention_context_values(positions, attention);
    const size_t width = summary_width(decoder), sents = at->seq->sents;
    real *dsummary = ARENA_ZERO(arena, sents * width, real);
    real *dpositions = attention_has_score(&decoder->attention) ? dannotations : dsummary,
         *dvalues = dpositions;
    if (positions->own_values)
        dvalues = ARENA_ZERO(arena, positions->seq->rows * attention->width, real);
    attention_values_backward(dvalues, dcontext, acts->alpha, &values, source_rank, positions->seq, target);
    attention_source_backward(dpositions, terms, acts, dvalues, positions, attention, params);
    if (!width)
        return;
    vec_tanh_backward(dstart, dstart, at->start, sents * decoder->units); /* start = tanh(…) */
    linear_backward(mat_ld(dsummary, sents, decoder->init.inputs, width), terms,
                    const_mat_of(dstart, sents, decoder->init.outputs),
                    const_mat_ld(at->summary, sents, decoder->init.inputs, width), &decoder->init, params);
    decoder->summary->backward(dannotations, dsummary, &decoder->annotations, at->seq);
}
