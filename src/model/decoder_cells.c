/* The parts of a decoder: its feed, which defines the cells and what they read; its parameters, and these
 * prepacked for a pass. The pass itself is in decoder.c. */
#include "decoder.h"

#include "choices.h"

static const struct feed feed_input = {.context_cell_reads = READS_WORD | READS_CONTEXT};
static const struct feed feed_replace = {.context_cell_reads = READS_CONTEXT};
static const struct feed feed_conditional = {.query_cell_reads = READS_WORD,
                                             .context_cell_reads = READS_CONTEXT};
static const struct feed feed_output = {.query_cell_reads = READS_WORD};

#define ENTRY(constant, name) [constant] = &feed_##name,
const struct feed *const feed_kinds[] = {FEEDS(ENTRY)};

bool decoder_has_query_cell(const struct decoder *decoder)
{
    return decoder->feed->query_cell_reads != 0;
}

bool decoder_has_context_cell(const struct decoder *decoder)
{
    return decoder->feed->context_cell_reads != 0;
}

bool decoder_reads_words_alone(const struct decoder *decoder)
{
    return decoder->feed->query_cell_reads == READS_WORD && !decoder->input_feeding;
}

const struct cell *decoder_first_cell(const struct decoder *decoder)
{
    return decoder_has_query_cell(decoder) ? &decoder->query_cell : &decoder->context_cell;
}

const struct cell *decoder_word_cell(const struct decoder *decoder)
{
    return ((decoder->feed->query_cell_reads | decoder->feed->context_cell_reads) & READS_WORD)
               ? decoder_first_cell(decoder)
               : NULL;
}

/* The width of a cell's input. */
static size_t inputs_of(const struct decoder *decoder, int reads)
{
    return (reads & READS_WORD ? decoder->embedding : 0) + (reads & READS_CONTEXT ? decoder->context : 0);
}

static void declare_cells(struct decoder *decoder, struct layout *layout, const struct decoder_choice *choice)
{
    const struct feed *feed = decoder->feed;
    const bool both = decoder_has_query_cell(decoder) && decoder_has_context_cell(decoder);
    const size_t fed = choice->input_feeding ? choice->embedding : 0;
    if (decoder_has_query_cell(decoder))
        cell_declare(&decoder->query_cell, layout, both ? "decoder.first" : "decoder.cell", &choice->cell,
                     inputs_of(decoder, feed->query_cell_reads) + fed);
    if (decoder_has_context_cell(decoder))
        cell_declare(&decoder->context_cell, layout, "decoder.cell", &choice->cell,
                     inputs_of(decoder, feed->context_cell_reads));
    deep_declare(&decoder->deep, layout, "decoder.cell", &choice->cell, choice->transitions);
    stack_declare(&decoder->stack, layout, "decoder", &choice->cell, 0, choice->layers, choice->transitions);
}

void decoder_declare(struct decoder *decoder, struct layout *layout, const struct annotations *annotations,
                     const struct decoder_choice *choice)
{
    const size_t summary = choice->summary->width(annotations);
    const bool attends = choice->attention.score->forward != NULL;
    *decoder = (struct decoder){.gates = choice->cell.gates,
                                .feed = choice->feed,
                                .summary = choice->summary,
                                .annotations = *annotations,
                                .units = choice->cell.units,
                                .embedding = choice->embedding,
                                .context = attends ? annotations->width : summary,
                                .input_feeding = choice->input_feeding};
    if (summary)
        linear_declare(&decoder->init, layout, "decoder.init", summary, choice->cell.units, true);
    attention_declare(&decoder->attention, layout, "attention", choice->cell.units, decoder->context,
                      &choice->attention);
    declare_cells(decoder, layout, choice);
}

/* ---- weights ---- */

/* W_iy: the first E columns of the W_ih of the cell that reads the word. */
static struct const_mat word_weight(const struct decoder *decoder, const real *params)
{
    const struct cell *cell = decoder_word_cell(decoder);
    return const_mat_ld(params + cell->weight_ih, cell_width(cell), decoder->embedding, cell->inputs);
}

size_t decoder_context_weight(const struct decoder *decoder)
{
    const struct cell *cell = &decoder->context_cell;
    return cell->weight_ih + cell->inputs - decoder->context;
}

size_t decoder_fed_weight(const struct decoder *decoder)
{
    return decoder->query_cell.weight_ih + decoder->embedding;
}

static struct const_mat context_weight(const struct decoder *decoder, const real *params)
{
    const struct cell *cell = &decoder->context_cell;
    return const_mat_ld(params + decoder_context_weight(decoder), cell_width(cell), decoder->context,
                        cell->inputs);
}

static struct const_mat fed_weight(const struct decoder *decoder, const real *params)
{
    const struct cell *cell = &decoder->query_cell;
    return const_mat_ld(params + decoder_fed_weight(decoder), cell_width(cell), decoder->embedding,
                        cell->inputs);
}

void decoder_prepack(struct decoder_weights *weights, const struct decoder *decoder,
                     const struct readout *readout, const real *params, struct prepack_list *list)
{
    weights->decoder = decoder;
    weights->params = params;
    if (decoder_word_cell(decoder))
        prepack_input(&weights->word, word_weight(decoder, params), list);
    if (decoder_has_query_cell(decoder))
        cell_prepack(&weights->query_cell, &decoder->query_cell, params, list);
    if (decoder->input_feeding) {
        prepack(&weights->fed, fed_weight(decoder, params), list);
        readout_prepack(&weights->readout, readout, params, list);
    }
    attention_prepack(&weights->attention, &decoder->attention, params, list);
    if (decoder_has_context_cell(decoder)) {
        prepack(&weights->context, context_weight(decoder, params), list);
        cell_prepack(&weights->context_cell, &decoder->context_cell, params, list);
    }
    deep_prepack(&weights->deep, &decoder->deep, params, list);
    stack_prepack(&weights->stack, &decoder->stack, params, list);
}

const struct cell_weights *decoder_word_weights(const struct decoder_weights *weights)
{
    return decoder_has_query_cell(weights->decoder) ? &weights->query_cell : &weights->context_cell;
}
