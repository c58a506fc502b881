/* Lines of any bytes through a small random network, with options that depend on the number of bytes: one
 * line out per line in, valid text without line ends; or scores of them as given translations. */
#include "fuzz.h"
#include "mem.h"
#include "params.h"
#include "translate.h"
#include "utf8.h"
#include "word_counts.h"

#include <stdlib.h>
#include <string.h>

#define MOST_LINES 64

/* Made once; words are characters, so that most of the input is known. */
static struct translator *random_translator(void)
{
    static struct translator translator;
    static struct ensemble ensemble;
    static struct language_pair pair;
    static struct seq2seq model;
    static struct config config;
    static real *params;
    struct translate_options options;
    if (params)
        return &translator;
    config_init(&config);
    config.text.tokenizer = TOKENIZE_CHAR;
    config.model.embedding = config.model.encoder.units = config.model.decoder.units =
        config.model.attention.units = 6;
    language_pair_init(&pair, &config);
    for (int side = 0; side < SIDES; side++) {
        struct word_counts counts;
        const char *letters = "a b c d e é ß 你 ▁ . , ! \" ' & < > 0 1 2";
        word_counts_init(&counts);
        word_counts_add(&counts, letters, strlen(letters), 1);
        vocab_build(&pair.vocab[side], &counts.words, counts.counts, 0, 1);
        word_counts_release(&counts);
    }
    seq2seq_init(&model, &config, (size_t)vocab_size(pair.tokenizer[SOURCE].vocab),
                 (size_t)vocab_size(pair.tokenizer[TARGET].vocab));
    params = xmalloc(model.layout.total, sizeof *params);
    params_randomize(params, &model.layout, 1);
    translate_options_init(&options, &config);
    options.beam.beam = 2;
    options.threads = 1;
    options.max_tokens = 50;
    options.beam.alignment = options.replace_unknown = true;
    ensemble_init(&ensemble, &pair, &model, params);
    translator_init(&translator, &ensemble, &options);
    return &translator;
}

static void choose_options(struct translate_options *all, size_t number)
{
    struct beam_options *options = &all->beam;
    all->split = number & 32 ? SPLIT_OFF : SPLIT_ON;
    options->block_ngrams = number & 1 ? 2 : 0;
    options->coverage_penalty = number & 2 ? 0.2 : 0;
    options->sampled = number & 4;
    options->sample.nucleus = number & 8 ? 0.5 : 1;
}

/* Adds a line as valid text, as callers of a translator must. */
static void add_valid_text(struct lines *to, const char *line, size_t bytes)
{
    struct strbuf text;
    strbuf_init(&text);
    utf8_repair(&text, line, bytes);
    lines_add(to, text.text, text.length);
    strbuf_release(&text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    struct translator *translator = random_translator();
    struct translations out[MOST_LINES];
    struct lines lines = {.count = 0}, prefixes = {.count = 0};
    for (size_t at = 0; at < bytes && lines.count < MOST_LINES;) {
        const uint8_t *end = memchr(data + at, '\n', bytes - at);
        const size_t length = end ? (size_t)(end - data) - at : bytes - at;
        lines_add(&lines, (const char *)data + at, length);
        add_valid_text(&prefixes, (const char *)data + at, length);
        at += length + 1;
    }
    choose_options(&translator->options, bytes);
    if (bytes % 3 == 0 && lines.count)
        translator_score(translator, out, &prefixes, &lines, NULL, NULL);
    else if (lines.count)
        translator_run(translator, out, &lines, bytes & 16 ? &prefixes : NULL, NULL, NULL);
    for (size_t i = 0; i < lines.count; i++) {
        const char *text = out[i].best[0].text;
        const struct translation *t = &out[i].best[0];
        MUST(!t->length || word_count(t->subwords, strlen(t->subwords)) + 1 == t->length);
        MUST(out[i].count == 1 && !strchr(text, '\n') && utf8_check(text, strlen(text)) == strlen(text));
        translations_release(&out[i]);
    }
    lines_release(&lines);
    lines_release(&prefixes);
    return 0;
}
