/* Prepacks the weights for translation. What a step does with them is in stepper.c. */
#include "step_weights.h"

/* [heads]: prepacks the columns of w [n][ld] that belong to each head. */
static struct prepacked *prepack_parts(const real *w, size_t ld, size_t n, const struct decoder *decoder,
                                       struct prepack_list *list, struct arena *arena)
{
    const size_t heads = decoder->attention.choice.heads, width = decoder->context / heads;
    struct prepacked *parts = ARENA_NEW(arena, heads, struct prepacked);
    for (size_t head = 0; head < heads; head++)
        prepack(&parts[head], const_mat_ld(w + head * width, n, width, ld), list);
    return parts;
}

/* Prepacks the readout and the output layer, and begins the table of words. */
static void prepack_readout(struct step_weights *weights, struct prepack_list *list)
{
    const struct readout *readout = &weights->model->readout;
    embedding_weights_init(&weights->words, &weights->model->target, weights->params, list->quantised);
    if (readout->reads_word)
        linear_prepack(&weights->readout_word, &readout->embedding, weights->params, list);
    readout_prepack(&weights->readout, readout, weights->params, list);
    linear_prepack(&weights->output, &readout->output, weights->params, list);
}

/* With several heads: prepacks the same weights again, separately for each head's columns. */
static void prepack_heads(struct step_weights *weights, struct prepack_list *list, struct arena *arena)
{
    const struct decoder *decoder = &weights->model->decoder;
    const struct readout *readout = &weights->model->readout;
    const struct cell *context_cell = &decoder->context_cell;
    const real *params = weights->params;
    if (decoder->attention.choice.heads == 1)
        return;
    if (decoder_has_context_cell(decoder))
        weights->context_parts = prepack_parts(params + decoder_context_weight(decoder), context_cell->inputs,
                                               cell_width(context_cell), decoder, list, arena);
    weights->readout_parts = prepack_parts(params + readout->context.weight, readout->context.inputs,
                                           readout->context.outputs, decoder, list, arena);
}

/* How many numbers of a parameter are prepacked. */
static size_t prepacked_numbers(const struct param *param, const real *params,
                                const struct prepack_list *list)
{
    size_t numbers = 0;
    for (size_t i = 0; i < list->count; i++) {
        const struct prepacked *prepacked = list->all[i];
        const ptrdiff_t offset = prepacked->weights.data - params;
        if (!prepacked_reads_weights(prepacked) && offset >= (ptrdiff_t)param->offset &&
            offset < (ptrdiff_t)(param->offset + param_size(param)))
            numbers += prepacked->n * prepacked->k;
    }
    return numbers;
}

/* Marks parameters that are only read from their prepacked copy. Embeddings are read from the tables
 * themselves. */
static void find_unread(struct step_weights *weights, const struct prepack_list *list, struct arena *arena)
{
    const struct seq2seq *model = weights->model;
    weights->unread = ARENA_NEW(arena, model->layout.count, bool);
    for (size_t i = 0; i < model->layout.count; i++) {
        const struct param *param = &model->layout.params[i];
        weights->unread[i] = param->offset != model->source.weight && param->offset != model->target.weight &&
                             prepacked_numbers(param, weights->params, list) == param_size(param);
    }
}

void step_weights_init(struct step_weights *weights, const struct seq2seq *model, const real *params,
                       const struct quantised_params *quantised, struct arena *arena)
{
    struct prepack_list list;
    *weights = (struct step_weights){.model = model, .params = params};
    prepack_list_init(&list, FORWARD, PRODUCTS_FLOAT32, quantised, arena);
    encoder_prepack(&weights->encoder, &model->encoder, params, &list);
    source_prepack(&weights->source, &model->decoder, params, &list);
    decoder_prepack(&weights->decoder, &model->decoder, &model->readout, params, &list);
    prepack_readout(weights, &list);
    find_unread(weights, &list, arena);
    prepack_heads(weights, &list, arena);
    prepack_list_fill(&list, 0, 1);
}

/* ---- some words only ---- */

void output_part_init(struct output_part *part, const struct step_weights *weights, const int *ids,
                      size_t count, struct arena *arena)
{
    const real *all = weights->params + weights->model->readout.output.bias;
    real *bias = ARENA_NEW(arena, count, real);
    for (size_t i = 0; i < count; i++)
        bias[i] = all[ids[i]];
    part->bias = bias;
    prepacked_select(&part->weights, &weights->output, ids, count, arena);
}
