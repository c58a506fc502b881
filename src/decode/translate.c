/* Connects text and search: splits lines into subwords and batches, and joins hypotheses to text, on all
 * threads. The search is in beam.c. */
#include "translate.h"

#include "arena.h"
#include "mem.h"
#include "team.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#define DEFAULT_BATCH 64
#define DEFAULT_MAX_TOKENS 500
#define BATCH_TOKENS 12 /* a batch has at most this many source tokens per sentence of its limit */
#define EXTRA_LENGTH 10

void translate_options_init(struct translate_options *options, const struct config *config)
{
    memset(options, 0, sizeof *options);
    options->beam.beam = config->decoding.beam;
    options->beam.n_best = 1;
    options->beam.length_penalty = config->decoding.length_penalty;
    options->beam.wu = config->decoding.normalization == NORMALIZATION_WU;
    options->beam.min_length = config->decoding.min_length;
    options->beam.block_ngrams = config->decoding.block_ngrams;
    options->beam.sampled = config->decoding.sample;
    options->beam.sample = (struct sample_options){config->decoding.temperature, config->decoding.top_k,
                                                   config->decoding.nucleus};
    options->beam.seed = config->decoding.seed;
    options->beam.coverage_penalty = config->decoding.coverage_penalty;
    options->beam.max_length_ratio = config->decoding.max_length_ratio;
    options->beam.extra_length = EXTRA_LENGTH;
    options->tag = config->decoding.tag;
    options->threads = 1;
    options->batch = DEFAULT_BATCH;
    options->max_tokens = DEFAULT_MAX_TOKENS;
}

double translator_bytes(const struct seq2seq *model, const struct translate_options *options)
{
    const size_t sents = (size_t)options->batch;
    struct sentence *sentences = xcalloc(sents, sizeof *sentences);
    int *ids = xcalloc(sents * BATCH_TOKENS, sizeof *ids);
    for (size_t i = 0; i < sents * BATCH_TOKENS; i++)
        ids[i] = (int)(i % model->source_vocabulary);
    for (size_t b = 0; b < sents; b++)
        sentences[b] = (struct sentence){ids + b * BATCH_TOKENS, BATCH_TOKENS};
    const double bytes = beam_search_bytes(model, sentences, sents, &options->beam);
    xfree(ids);
    xfree(sentences);
    return options->threads * bytes;
}

void translator_init(struct translator *translator, const struct ensemble *ensemble,
                     const struct translate_options *options)
{
    const struct language_pair *pair = ensemble->pair;
    memset(translator, 0, sizeof *translator);
    translator->ensemble = ensemble;
    translator->options = *options;
    translator->options.beam.unknown = options->replace_unknown || !pair->tokenizer[TARGET].bpe;
    translator->options.beam.alignment |= options->replace_unknown;
    translator->source = pair->tokenizer[SOURCE];
    translator->source.tag = options->tag;
    translator->arenas = xcalloc((size_t)options->threads, sizeof *translator->arenas);
    for (int i = 0; i < options->threads; i++)
        arena_init(&translator->arenas[i]);
    translator->team = team_new(options->threads);
}

void translator_release(struct translator *translator)
{
    team_free(translator->team);
    for (int i = 0; i < translator->options.threads; i++)
        arena_release(&translator->arenas[i]);
    xfree(translator->arenas);
    memset(translator, 0, sizeof *translator);
}

void translations_release(struct translations *translations)
{
    for (int i = 0; i < translations->count; i++) {
        xfree(translations->best[i].text);
        xfree(translations->best[i].subwords);
        xfree(translations->best[i].source);
        xfree(translations->best[i].alpha);
    }
    xfree(translations->best);
    memset(translations, 0, sizeof *translations);
}

/* A line as the model reads it. */
struct input {
    struct strbuf subwords;
    struct ids ids;
    struct ids prefix; /* forced start of the translation */
    int line;
};

static void input_init(struct translator *translator, struct input *input, const char *line, size_t bytes,
                       int number)
{
    const struct tokenizer *tokenizer = &translator->source;
    struct strbuf valid;
    memset(input, 0, sizeof *input);
    strbuf_init(&input->subwords);
    strbuf_init(&valid);
    translator->repaired_lines += utf8_repair(&valid, line, bytes) > 0;
    tokenizer_split(&input->subwords, tokenizer, valid.text, valid.length);
    tokenizer_ids(&input->ids, tokenizer, input->subwords.text, input->subwords.length);
    if (input->ids.count > (size_t)translator->options.max_tokens) {
        input->ids.count = (size_t)translator->options.max_tokens;
        translator->cut_lines++;
    }
    if (input->ids.count)
        ids_add(&input->ids, VOCAB_END);
    translator->source_tokens += (long)input->ids.count;
    input->line = number;
    strbuf_release(&valid);
}

static void input_set_prefix(const struct translator *translator, struct input *input, const char *prefix)
{
    const struct tokenizer *tokenizer = &translator->ensemble->pair->tokenizer[TARGET];
    struct strbuf subwords;
    strbuf_init(&subwords);
    tokenizer_split(&subwords, tokenizer, prefix, strlen(prefix));
    tokenizer_ids(&input->prefix, tokenizer, subwords.text, subwords.length);
    strbuf_release(&subwords);
}

static void input_release(struct input *input)
{
    strbuf_release(&input->subwords);
    ids_release(&input->ids);
    ids_release(&input->prefix);
}

/* Longest first, so that no thread is left with a long batch at the end. */
static int by_length(const void *a, const void *b)
{
    const struct input *x = a, *y = b;
    if (x->ids.count != y->ids.count)
        return x->ids.count > y->ids.count ? -1 : 1;
    return x->line < y->line ? -1 : 1;
}

/* Appends the source word at a position, or its dictionary entry. */
static void add_replacement(struct strbuf *out, const struct translate_options *options,
                            const struct input *input, const real *alpha)
{
    const int words = (int)input->ids.count - 1; /* without the end mark */
    int best = 0;
    for (int j = 1; j < words; j++)
        if (alpha[j] > alpha[best])
            best = j;
    size_t at = 0, length = 0;
    const char *word = NULL;
    for (int j = 0; j <= best; j++)
        word = next_word(input->subwords.text, input->subwords.length, &at, &length);
    const int entry = options->dictionary_words ? strmap_find(options->dictionary_words, word, length) : -1;
    if (entry >= 0)
        strbuf_adds(out, options->dictionary_texts[entry]);
    else
        strbuf_add(out, word, length);
}

/* Copies the attention of all words: [1 + heads][length + 1][width]; zero for the end mark of a hypothesis
 * that was cut off. */
static float *all_alpha(const struct hypothesis *h, size_t width)
{
    const size_t maps = 1 + (size_t)h->heads, words = (size_t)h->length + 1;
    float *alpha = xcalloc(maps * words * width, sizeof *alpha);
    for (size_t m = 0; m < maps; m++)
        for (size_t i = 0; i < words; i++)
            if (h->alpha[i])
                memcpy(alpha + (m * words + i) * width, h->alpha[i] + m * width, width * sizeof *alpha);
    return alpha;
}

static void take_hypothesis(struct translation *to, const struct translator *translator,
                            const struct input *input, const struct hypothesis *h)
{
    const struct tokenizer *tokenizer = &translator->ensemble->pair->tokenizer[TARGET];
    struct strbuf subwords, text;
    strbuf_init(&subwords);
    strbuf_init(&text);
    for (int i = 0; i < h->length; i++) {
        if (i)
            strbuf_addch(&subwords, ' ');
        if (h->ids[i] == VOCAB_UNKNOWN && translator->options.replace_unknown)
            add_replacement(&subwords, &translator->options, input, h->alpha[i]);
        else
            strbuf_adds(&subwords, vocab_word(tokenizer->vocab, h->ids[i]));
    }
    tokenizer_text(&text, tokenizer, subwords.text, subwords.length);
    to->text = strbuf_detach(&text);
    to->subwords = strbuf_detach(&subwords);
    to->score = h->score;
    to->overflowed = h->overflowed;
    to->terms = h->terms;
    to->source_length = (int)input->ids.count;
    to->length = h->length + 1;
    to->alpha = h->alpha ? all_alpha(h, input->ids.count) : NULL;
    to->heads = h->heads;
    to->source = h->alpha ? xstrdup(input->subwords.text) : NULL;
}

static void run_batch(const struct translator *translator, struct translations *out,
                      const struct input *inputs, int count, struct arena *arena)
{
    const int n_best = translator->options.beam.n_best;
    arena_reset(arena);
    struct sentence *sentences = ARENA_NEW(arena, count, struct sentence);
    struct hypothesis *best = ARENA_ZERO(arena, count * n_best, struct hypothesis);
    int *found = ARENA_NEW(arena, count, int);
    struct sentence *prefixes = ARENA_NEW(arena, count, struct sentence);
    struct beam_options options = translator->options.beam;
    for (int i = 0; i < count; i++) {
        sentences[i] = (struct sentence){inputs[i].ids.items, inputs[i].ids.count};
        prefixes[i] = (struct sentence){inputs[i].prefix.items, inputs[i].prefix.count};
    }
    options.prefixes = prefixes;
    beam_search(best, found, translator->ensemble, sentences, (size_t)count, &options, arena);
    for (int i = 0; i < count; i++) {
        struct translations *to = &out[inputs[i].line];
        to->count = found[i];
        to->best = xcalloc((size_t)found[i], sizeof *to->best);
        for (int k = 0; k < found[i]; k++)
            take_hypothesis(&to->best[k], translator, &inputs[i], &best[i * n_best + k]);
    }
}

static void take_blank(struct translations *to)
{
    to->count = 1;
    to->best = xcalloc(1, sizeof *to->best);
    to->best[0].text = xstrdup("");
    to->best[0].subwords = xstrdup("");
}

/* Cuts the sorted lines into batches: begin [batches + 1]; returns the number of batches. Few lines are
 * shared out evenly; long ones, which need much memory, form smaller batches. */
static int cut_batches(int *begin, const struct input *inputs, int count,
                       const struct translate_options *options)
{
    const int share = (count + options->threads - 1) / options->threads;
    const int most = share < options->batch ? share : options->batch;
    const size_t most_tokens = (size_t)options->batch * BATCH_TOKENS;
    int batches = 0;
    for (int at = 0; at < count; batches++) {
        size_t tokens = 0;
        begin[batches] = at;
        do
            tokens += inputs[at++].ids.count;
        while (at < count && at - begin[batches] < most && tokens + inputs[at].ids.count <= most_tokens);
    }
    begin[batches] = count;
    return batches;
}

/* Sorted lines that are being translated. */
struct lines_run {
    struct translator *translator;
    struct translations *out;
    struct input *inputs;
    int *begin; /* of the batches */
    const struct translation_watch *watch;
    int finished; /* lines */
    pthread_mutex_t mutex;
};

static void take_batch(void *context, int batch, int member)
{
    struct lines_run *run = context;
    const int from = run->begin[batch], count = run->begin[batch + 1] - from;
    run_batch(run->translator, run->out, run->inputs + from, count, &run->translator->arenas[member]);
    pthread_mutex_lock(&run->mutex);
    run->finished += count;
    if (run->watch)
        run->watch->done(run->watch->context, run->finished);
    pthread_mutex_unlock(&run->mutex);
}

/* All lines as the model reads them, longest first. The caller releases each and frees the array. */
static struct input *sorted_inputs(struct translator *translator, const struct lines *lines,
                                   const struct lines *prefixes)
{
    struct input *inputs = xmalloc(lines->count, sizeof *inputs);
    for (size_t i = 0; i < lines->count; i++) {
        input_init(translator, &inputs[i], lines->text[i], lines->bytes[i], (int)i);
        if (prefixes)
            input_set_prefix(translator, &inputs[i], prefixes->text[i]);
    }
    qsort(inputs, lines->count, sizeof *inputs, by_length);
    return inputs;
}

void translator_run(struct translator *translator, struct translations *out, const struct lines *lines,
                    const struct lines *prefixes, const struct translation_watch *watch)
{
    const int count = (int)lines->count;
    struct input *inputs = sorted_inputs(translator, lines, prefixes);
    int filled = 0;
    while (filled < count && inputs[filled].ids.count)
        filled++;
    for (int i = filled; i < count; i++)
        take_blank(&out[inputs[i].line]);
    int *begin = xmalloc((size_t)filled + 1, sizeof *begin);
    const int batches = cut_batches(begin, inputs, filled, &translator->options);
    struct lines_run run = {.translator = translator,
                            .out = out,
                            .inputs = inputs,
                            .begin = begin,
                            .watch = watch,
                            .finished = count - filled};
    pthread_mutex_init(&run.mutex, NULL);
    team_run(translator->team, take_batch, &run, batches);
    pthread_mutex_destroy(&run.mutex);
    for (int i = 0; i < count; i++) {
        translator->overflowed_lines += out[i].best[0].overflowed;
        input_release(&inputs[i]);
    }
    xfree(begin);
    xfree(inputs);
}
