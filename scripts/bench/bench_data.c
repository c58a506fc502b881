/* The text that nmt_bench trains on and translates, and the network for it. */
#include "bench.h"

#include "network_check.h"

#include <string.h>

/* Reads the pairs twice: to count the words, then to number them. Without a target it is the source. Sides
 * that share their embeddings share their words. */
static void read_pairs(struct bench_data *data, const struct bench *b, bool number)
{
    struct err err;
    struct pair_reader reader;
    struct word_counts counts[2];
    const struct pair_files files = {b->source, b->target ? b->target : b->source, NULL};
    const int counted[2] = {0, data->config.model.tie == TIE_ALL ? 0 : 1};
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
            word_counts_add(&counts[counted[side]], text[side].text, text[side].length, 1);
    }
    if (status < 0)
        bench_die(&err);
    for (int side = 0; side < 2; side++)
        if (!number)
            vocab_build(&data->vocab[side], &counts[counted[side]].words, counts[counted[side]].counts,
                        (size_t)(b->vocabulary ? b->vocabulary - VOCAB_SPECIALS : 0), 0);
    for (int side = 0; side < 2; side++)
        word_counts_release(&counts[side]);
    pair_reader_close(&reader);
}

/* The network that the peers have, too. */
static void set_base_network(struct config *config, const struct bench *b)
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
}

void bench_data_init(struct bench_data *data, const struct bench *b)
{
    struct err err;
    if (!b->source) {
        err_set(&err, "--source is missing");
        bench_die(&err);
    }
    memset(data, 0, sizeof *data);
    for (int side = 0; side < 2; side++)
        vocab_init(&data->vocab[side]);
    corpus_init(&data->corpus);
    config_init(&data->config);
    if (b->config)
        bench_must(config_load(&data->config, b->config, &err) || network_check(&data->config, &err), &err);
    else
        set_base_network(&data->config, b);
    data->config.training.batch_sentences = b->batch;
    read_pairs(data, b, false);
    read_pairs(data, b, true);
    const int source = b->vocabulary ? b->vocabulary : vocab_size(&data->vocab[0]);
    const int target = b->vocabulary ? b->vocabulary : vocab_size(&data->vocab[1]);
    seq2seq_init(&data->model, &data->config, (size_t)source, (size_t)target);
}

void bench_data_release(struct bench_data *data)
{
    for (int side = 0; side < 2; side++)
        vocab_release(&data->vocab[side]);
    corpus_release(&data->corpus);
    config_release(&data->config);
}

double bench_useful_flops(const struct seq2seq *model, double sents, double source_tokens,
                          double target_tokens)
{
    const double e = (double)model->target.width, h = (double)model->encoder.rnn[0].cell.units,
                 k = (double)encoder_width(&model->encoder);
    const double d = (double)model->decoder.units, a = (double)model->decoder.attention.units;
    const double v = (double)model->target_vocabulary;
    const double per_source = k * 3 * (e + h) /* W_ih x, W_hh h */ + k * a /* U_a h */;
    const double per_target = 3 * d * (e + k + d) /* W_iy y, W_ic c, W_hh s */ + d * a /* W_a s */ +
                              e * (d + e + k) /* readout */ + e * v /* output */;
    const double per_sentence = k * d; /* s_0 */
    return 3 * 2 * (sents * per_sentence + source_tokens * per_source + target_tokens * per_target);
}
