/* Builds the network that a config selects, and the options of its passes. The passes themselves are in
 * seq2seq.c. */
#include "seq2seq.h"

#include "rng.h"

#include <string.h>

static struct encoder_choice encoder_choice(const struct config_model *m)
{
    return (struct encoder_choice){
        .cell = {gates_kinds[m->encoder.cell], (size_t)m->encoder.units, m->layer_norm},
        .directions = m->encoder.bidirectional ? 2 : 1,
        .layers = (size_t)m->encoder.layers,
        .transitions = (size_t)m->encoder.transitions,
        .lexical = m->encoder.lexical,
    };
}

static struct attention_choice attention_choice(const struct config *config)
{
    const struct config_model *m = &config->model;
    return (struct attention_choice){
        .score = score_kinds[m->attention.score],
        .normalizer = normalizer_kinds[m->attention.normalizer],
        .scope = m->attention.scope,
        .coverage = m->attention.coverage,
        .hard = m->attention.kind == ATTENTION_HARD,
        .guided = config->training.guided_alignment > 0,
        .units = (size_t)m->attention.units,
        .heads = (size_t)m->attention.heads,
        .window = (size_t)m->attention.window,
        .temperature = m->attention.temperature,
    };
}

static struct decoder_choice decoder_choice(const struct config *config)
{
    const struct config_model *m = &config->model;
    return (struct decoder_choice){
        .cell = {gates_kinds[m->decoder.cell], (size_t)m->decoder.units, m->layer_norm},
        .feed = feed_kinds[m->attention.feed],
        .summary = summary_kinds[m->decoder.init],
        .attention = attention_choice(config),
        .embedding = (size_t)m->embedding,
        .layers = (size_t)m->decoder.layers,
        .transitions = (size_t)m->decoder.transitions,
        .input_feeding = m->attention.input_feeding,
    };
}

/* With tie "all", the target words are the first rows of the source table. */
static void declare_embeddings(struct seq2seq *model, const struct config_model *m)
{
    const bool shared = m->tie == TIE_ALL;
    const size_t width = (size_t)m->embedding;
    embedding_declare(&model->source, &model->layout, shared ? "embedding" : "source_embedding",
                      model->source_vocabulary, width);
    if (shared)
        model->target = (struct embedding){
            .weight = model->source.weight, .vocabulary = model->target_vocabulary, .width = width};
    else
        embedding_declare(&model->target, &model->layout, "target_embedding", model->target_vocabulary,
                          width);
}

void seq2seq_init(struct seq2seq *model, const struct config *config, size_t source_vocabulary,
                  size_t target_vocabulary)
{
    const struct config_model *m = &config->model;
    const struct encoder_choice encoder = encoder_choice(m);
    const struct decoder_choice decoder = decoder_choice(config);
    memset(model, 0, sizeof *model);
    model->source_vocabulary = source_vocabulary;
    model->target_vocabulary = target_vocabulary;
    declare_embeddings(model, m);
    encoder_declare(&model->encoder, &model->layout, &model->source, &encoder);
    const struct annotations annotations = {encoder_width(&model->encoder), encoder.directions,
                                            encoder.cell.units};
    decoder_declare(&model->decoder, &model->layout, &annotations, &decoder);
    const struct readout_choice readout = {
        .embedding = decoder.embedding,
        .units = decoder.cell.units,
        .context = model->decoder.context,
        .vocabulary = target_vocabulary,
        .reads_word = m->attention.feed != FEED_OUTPUT,
        .tied = m->tie != TIE_NONE,
        .tied_weight = model->target.weight,
    };
    readout_declare(&model->readout, &model->layout, &readout);
}

void pass_options_none(struct pass_options *options)
{
    memset(options, 0, sizeof *options);
}

void pass_options_init(struct pass_options *options, const struct config *config, uint64_t update,
                       uint64_t worker)
{
    const struct config_dropout *rate = &config->model.dropout;
    struct rng rng;
    rng_init(&rng, (uint64_t)config->seed, RNG_DROPOUT, update, worker);
#define PLACE(rate) ((struct dropout){(rate), (uint32_t)rng_next(&rng)})
    options->encoder.embedding = PLACE(rate->embedding);
    options->encoder.state[0] = PLACE(rate->state);
    options->encoder.state[1] = PLACE(rate->state);
    options->encoder.annotation = PLACE(rate->annotation);
    options->target_embedding = PLACE(rate->embedding);
    options->decoder.state = PLACE(rate->state);
    options->readout = PLACE(rate->readout);
    options->encoder.word = PLACE(rate->source_word);
    options->target_word = PLACE(rate->target_word);
    for (size_t l = 0; l < STACK_MOST; l++) {
        options->encoder.stack.input[l] = PLACE(rate->layer);
        options->encoder.stack.state[l][0] = PLACE(rate->state);
        options->encoder.stack.state[l][1] = PLACE(rate->state);
        options->decoder.stack.input[l] = PLACE(rate->layer);
        options->decoder.stack.state[l][0] = PLACE(rate->state);
        options->decoder.stack.state[l][1] = (struct dropout){0, 0};
    }
    options->decoder.attention =
        (struct hard_attention){.sampled = config->model.attention.kind == ATTENTION_HARD,
                                .key = (uint32_t)rng_next(&rng),
                                .entropy = config->training.attention_entropy,
                                .discount = config->training.attention_discount,
                                .expected = config->training.attention_expected};
#undef PLACE
    options->smoothing = config->training.label_smoothing;
    options->guided = config->training.guided_alignment;
}
