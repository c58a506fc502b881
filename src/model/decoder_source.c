/* Prepares the source for the decoder: s_0, and the positions to attend to or, without attention, the
 * summary in their place. */
#include "decoder.h"
#include "vecmath.h"

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
        prepack_input(&weights->init, linear_weight(&decoder->init, params), list);
    attention_source_prepack(&weights->attention, &decoder->attention, params, list);
}

/* One position per sentence, with the ranks of the source. */
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
    source->summary = mat_new(arena, seq->sents, summary_width(decoder));
    source->start = mat_zero(arena, seq->sents, decoder->units);
    attention_source_init(&source->positions, &decoder->attention,
                          attention_has_score(&decoder->attention) ? seq : &source->single, arena);
}

void decoder_source_forward(struct decoder_source *source, struct const_mat annotations,
                            const struct source_weights *weights)
{
    const struct decoder *decoder = weights->decoder;
    if (summary_width(decoder)) { /* s_0 = tanh(W_init summary + b) */
        decoder->summary->forward(source->summary.data, annotations.data, &decoder->annotations, source->seq);
        linear_forward(source->start, mat_const(source->summary), &decoder->init, &weights->init,
                       weights->params, false);
        vec_tanh(source->start.data, source->start.data, source->start.rows * decoder->units);
    }
    attention_source_forward(&source->positions,
                             attention_has_score(&decoder->attention) ? annotations
                                                                      : mat_const(source->summary),
                             &weights->attention);
}

/* Passes the gradients of contexts and keys on to those of the positions attended to. */
static void positions_backward(struct mat dpositions, const struct decoder_grads *grads,
                               struct grad_terms *terms, const struct decoder_acts *acts,
                               const struct decoder_pass *pass,
                               const struct attention_source_weights *weights)
{
    const struct attention_source *positions = &pass->source->positions;
    const struct attention_values values = attention_context_values(positions, weights->attention);
    const struct mat dvalues = positions->own_values.data ? acts->dvalues : dpositions;
    attention_values_backward(dvalues, mat_const(grads->dcontext), acts->attention.alpha, &values,
                              pass->source_rank, positions->seq, pass->target); /* c_i = Σ_j α_ij value_j */
    attention_source_backward(dpositions, terms, &acts->attention, mat_const(dvalues), positions, weights);
}

/* s_0 = tanh(W_init summary + b) */
static void start_backward(struct grad_terms *terms, const struct decoder_acts *acts,
                           const struct decoder_pass *pass, const struct source_weights *weights)
{
    const struct decoder_source *source = pass->source;
    const struct mat ds = acts->carry.h;
    for (size_t r = 0; r < ds.rows; r++) {
        const size_t rank = pass->source_rank[r];
        vec_tanh_backward(mat_row(acts->dstart, rank), mat_row(ds, r), mat_row(source->start, rank), ds.cols);
    }
    linear_backward(acts->dsummary, terms, mat_const(acts->dstart), mat_const(source->summary),
                    &weights->decoder->init, &weights->init);
}

void decoder_source_backward(const struct decoder_grads *grads, struct grad_terms *terms,
                             const struct decoder_acts *acts, const struct decoder_pass *pass,
                             const struct source_weights *weights)
{
    const struct decoder *decoder = weights->decoder;
    const struct mat dpositions =
        attention_has_score(&decoder->attention) ? grads->dannotations : acts->dsummary;
    positions_backward(dpositions, grads, terms, acts, pass, &weights->attention);
    if (summary_width(decoder) == 0)
        return;
    start_backward(terms, acts, pass, weights);
    decoder->summary->backward(grads->dannotations.data, acts->dsummary.data, &decoder->annotations,
                               pass->source->seq);
}
