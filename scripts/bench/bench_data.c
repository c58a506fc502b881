/* The text that nmt_bench trains on and translates, and the network for it. */
#include "bench.h"

#include "config_auto.h"
#include "network_check.h"
#include "word_counts.h"

#include <string.h>

/* With a single embedding table, the source's vocabulary begins with the target's, as seq2seq_init wants. */
static void build_vocabularies(struct bench_data *data, const struct word_counts counts[2], size_t most)
{
    if (data->config.model.tie == TIE_ALL)
        vocab_build(&data->vocab[SOURCE], &counts[TARGET].words, counts[TARGET].counts, most, 0);
    for (int side = 0; side < 2; side++)
        vocab_build(&data->vocab[side], &counts[side].words, counts[side].counts, most, 0);
}

/* Reads the pairs twice: to count the words, then to number them. Without a target it is the source. */
static void read_pairs(struct bench_data *data, const struct bench *b, bool number)
{
    struct err err;
    struct pair_reader reader;
    struct word_counts counts[2];
    const struct pair_files files = {b->source, b->target ? b->target : b->source, NULL};
    const struct tokenizer tokenizer[2] = {{.kind = TOKENIZE_WHITESPACE, .vocab = &data->vocab[0]},
                                           {.kind = TOKENIZE_WHITESPACE, .vocab = &data->vocab[1]}};
    if (pair_reader_open(&reader, &files, INVALID_STOP, &err))
        bench_die(&err);
    for (int side = 0; side < 2; side++)
        word_counts_init(&counts[side]);
    int status = 1;
    for (int line = 0; (!b->lines || line < b->lines) && (status = pair_reader_next(&reader, &err)) > 0;
         line++) {
        const struct strbuf *text = reader.line;
        if (number)
            corpus_add_subwords(&data->corpus, tokenizer,
                                (const char *const[]){text[SOURCE].text, text[TARGET].text}, 10000);
        for (int side = 0; side < 2 && !number; side++)
            word_counts_add(&counts[side], text[side].text, text[side].length, 1);
    }
    if (status < 0)
        bench_die(&err);
    if (!number)
        build_vocabularies(data, counts, (size_t)(b->vocabulary ? b->vocabulary - VOCAB_SPECIALS : 0));
    for (int side = 0; side < 2; side++)
        word_counts_release(&counts[side]);
    pair_reader_close(&reader);
}

static int larger(int a, int b)
{
    return a > b ? a : b;
}

/* The peer's network, of the sizes given. */
static void config_of_sizes(struct config *config, const struct bench *b)
{
    struct config_model *m = &config->model;
    m->embedding = b->embedding;
    m->encoder.units = b->encoder;
    m->decoder.units = b->decoder;
    m->attention.units = b->attention;
    m->dropout =
        (struct config_dropout){.embedding = b->dropout, .annotation = b->dropout, .readout = b->dropout};
    m->attention.feed = FEED_INPUT;
    m->layer_norm = false;
    config->training.average = 0;
    config->training.label_smoothing = 0;
    config->training.batch_sentences = BENCH_BATCH;
    config->training.batch_tokens = 0;
}

void bench_data_init(struct bench_data *data, const struct bench *b)
{
    struct err err;
    if (!b->source) {
        err_set(&err, "--source is missing");
        bench_die(&err);
    }
    memset(data, 0, sizeof *data);
    config_init(&data->config);
    if (b->config)
        bench_must(config_load(&data->config, b->config, &err) || network_check(&data->config, &err), &err);
    else
        config_of_sizes(&data->config, b);
    if (b->batch) {
        data->config.training.batch_sentences = b->batch;
        if (config_is_auto(&data->config, "training.batch_tokens"))
            data->config.training.batch_tokens = 0;
    }
    for (int side = 0; side < 2; side++)
        vocab_init(&data->vocab[side]);
    corpus_init(&data->corpus);
    read_pairs(data, b, false);
    read_pairs(data, b, true);
    const int source = vocab_size(&data->vocab[SOURCE]), target = vocab_size(&data->vocab[TARGET]);
    seq2seq_init(&data->model, &data->config, (size_t)larger(source, b->vocabulary),
                 (size_t)larger(target, b->vocabulary));
}

void bench_data_release(struct bench_data *data)
{
    for (int side = 0; side < 2; side++)
        vocab_release(&data->vocab[side]);
    corpus_release(&data->corpus);
    config_release(&data->config);
}
