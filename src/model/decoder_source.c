/* What the decoder makes of the source before its first step: s_0, and the positions that can be attended to,
 * or without attention the summary in their place. */
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
    weights->decoder = decoder;
    weights->params = params;
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

void decoder_source_pack(struct decoder_source *source, const struct decoder *decoder,
                         const struct packed_seq *seq, struct arena *arena)
{
    source->seq = seq;
    if (!attention_has_score(&decoder->attention))
        single_init(&source->single, seq, arena);
}

void decoder_source_init(struct decoder_source *source, const struct decoder *decoder, struct arena *arena)
{
    const struct packed_seq *seq = source->seq;
    source->summary = ARENA_NEW(arena, seq->sents * summary_width(decoder), real);
    source->start = ARENA_ZERO(arena, seq->sents * decoder->units, real);
    attention_source_init(&source->positions, &decoder->attention,
                          attention_has_score(&decoder->attention) ? seq : &source->single, arena);
}

void decoder_source_init_backward(struct decoder_source *source, const struct decoder *decoder,
                                  struct arena *arena)
{
    const struct attention_source *positions = &source->positions;
    source->dsummary = mat_zero(arena, source->seq->sents, summary_width(decoder));
    if (positions->own_values)
        source->dvalues = mat_zero(arena, positions->seq->rows, decoder->attention.width);
}

void decoder_source_forward(struct decoder_source *source, const real *annotations,
                            const struct source_weights *weights)
{
    const struct decoder *decoder = weights->decoder;
    const size_t width = summary_width(decoder), sents = source->seq->sents;
    if (width) { /* s_0 = tanh(W_init summary + b) */
        decoder->summary->forward(source->summary, annotations, &decoder->annotations, source->seq);
        linear_forward_prepacked(mat_of(source->start, sents, decoder->units),
                                 const_mat_of(source->summary, sents, width), &decoder->init, &weights->init,
                                 weights->params);
        vec_tanh(source->start, source->start, sents * decoder->units);
    }
    attention_source_forward(&source->positions,
                             attention_has_score(&decoder->attention) ? annotations : source->summary,
                             &weights->attention);
}

void decoder_source_backward(struct mat dstart, const struct decoder_grads *grads, struct grad_terms *terms,
                             const struct attention_acts *acts, const struct decoder_pass *pass,
                             const struct decoder_weights *weights)
{
    const struct decoder *decoder = weights->decoder;
    const struct decoder_source *source = pass->source;
    const struct attention *attention = &decoder->attention;
    const struct attention_source *positions = &source->positions;
    const struct attention_values values = attention_context_values(positions, attention);
    const size_t width = summary_width(decoder), sents = source->seq->sents;
    const struct mat dsummary = source->dsummary,
                     dpositions = attention_has_score(attention) ? grads->dannotations : dsummary,
                     dvalues = positions->own_values ? source->dvalues : dpositions;
    attention_values_backward(dvalues, mat_const(grads->dcontext), acts->alpha, &values, pass->source_rank,
                              positions->seq, pass->target); /* c_i = Σ_j α_ij value_j */
    attention_source_backward(dpositions, terms, acts, mat_const(dvalues), positions, &weights->attention);
    if (!width)
        return;
    vec_tanh_backward(dstart.data, dstart.data, source->start,
                      sents * decoder->units); /* s_0 = tanh(W_init summary + b) */
    linear_backward(dsummary, terms, mat_const(dstart), const_mat_of(source->summary, sents, width),
                    &decoder->init, weights->params);
    decoder->summary->backward(grads->dannotations.data, dsummary.data, &decoder->annotations, source->seq);
}
