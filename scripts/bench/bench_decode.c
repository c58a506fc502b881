/* nmt_bench decode: sentences per second of beam search. */
#include "bench.h"

#include "arena.h"
#include "beam.h"
#include "log.h"
#include "mem.h"
#include "params.h"
#include "rng.h"
#include "team.h"
#include "weights.h"

#include <stdlib.h>
#include <string.h>

struct decoding {
    struct bench_data data;
    struct sentence *sentences; /* the longest first */
    int count, batch, threads;
    long tokens;
    real *params;
    struct step_weights weights;
    struct shortlist shortlist;
    struct beam_options options;
    struct arena shared, *arenas; /* of the weights; of the team's members */
    struct team *team;
};

static int longest_first(const void *a, const void *b)
{
    const struct sentence *x = a, *y = b;
    return x->length > y->length ? -1 : x->length < y->length;
}

static void read_sentences(struct decoding *d)
{
    d->count = (int)d->data.corpus.pairs;
    d->sentences = xmalloc((size_t)d->count, sizeof *d->sentences);
    d->tokens = 0;
    for (int i = 0; i < d->count; i++) {
        d->sentences[i].ids = corpus_source(&d->data.corpus, (size_t)i, &d->sentences[i].length);
        d->tokens += (long)d->sentences[i].length;
    }
    qsort(d->sentences, (size_t)d->count, sizeof *d->sentences, longest_first);
}

/* Lists of random words, so near to each other that a distance is one byte: frequent words are in many of
 * them, as in real lists. */
static void make_shortlist(struct shortlist *shortlist, const struct seq2seq *model, int length)
{
    const size_t sources = model->source_vocabulary, frequent = 100, first = VOCAB_SPECIALS + frequent;
    const double widest = (double)(model->target_vocabulary - first) / length;
    struct rng rng;
    rng_init(&rng, 1, RNG_TEST, 0, 0);
    *shortlist = (struct shortlist){.source_words = sources,
                                    .target_words = model->target_vocabulary,
                                    .begin = xmalloc(sources + 2, sizeof *shortlist->begin),
                                    .words = xmalloc(frequent + sources * (size_t)length, 1)};
    uint8_t *next = shortlist->words;
    shortlist->begin[0] = 0;
    for (size_t i = 0; i < frequent; i++)
        *next++ = i ? 1 : VOCAB_SPECIALS + 1;
    for (size_t source = 0; source < sources; source++) {
        shortlist->begin[source + 1] = (int32_t)(next - shortlist->words);
        for (int i = 0; i < length; i++)
            *next++ = (uint8_t)(1 + rng_uniform(&rng) * (widest < 127 ? widest - 1 : 126));
    }
    shortlist->begin[sources + 1] = (int32_t)(next - shortlist->words);
}

static double words_per_sentence(const struct decoding *d)
{
    const size_t size = (d->data.model.target_vocabulary + WORD_BITS - 1) / WORD_BITS;
    word_bits *set = xcalloc(size, sizeof *set);
    double words = 0;
    for (int i = 0; i < d->count; i++) {
        memset(set, 0, size * sizeof *set);
        shortlist_add(set, &d->shortlist, d->sentences[i].ids, d->sentences[i].length);
        for (size_t k = 0; k < size; k++)
            words += __builtin_popcountll(set[k]);
    }
    xfree(set);
    return words / d->count;
}

static void decoding_init(struct decoding *d, const struct bench *b)
{
    struct quantised_params quantised;
    bench_data_init(&d->data, b);
    read_sentences(d);
    d->batch = b->batch ? b->batch : BENCH_BATCH;
    d->threads = b->threads;
    d->options = (struct beam_options){
        .beam = b->beam, .n_best = 1, .length_penalty = 1, .max_length_ratio = 1, .extra_length = 1};
    /* With random weights that never choose the end, every hypothesis has the length of its source, so that
     * the work is the same for every program. */
    d->params = xmalloc(d->data.model.layout.total, sizeof *d->params);
    params_randomize(d->params, &d->data.model.layout, 1);
    d->params[d->data.model.readout.output.bias + VOCAB_END] = -1e9f;
    arena_init(&d->shared);
    if (b->int8)
        weights_quantise(&quantised, &(struct weights){.values = d->params}, &d->data.model.layout,
                         &d->shared);
    step_weights_init(&d->weights, &d->data.model, d->params, b->int8 ? &quantised : NULL, &d->shared);
    d->shortlist = (struct shortlist){.begin = NULL};
    if (b->shortlist)
        make_shortlist(&d->shortlist, &d->data.model, b->shortlist);
    d->team = team_new(b->threads);
    d->arenas = xcalloc((size_t)b->threads, sizeof *d->arenas);
    for (int i = 0; i < b->threads; i++)
        arena_init(&d->arenas[i]);
}

static void decoding_release(struct decoding *d)
{
    for (int i = 0; i < d->threads; i++)
        arena_release(&d->arenas[i]);
    free(d->arenas);
    team_free(d->team);
    shortlist_release(&d->shortlist);
    arena_release(&d->shared);
    free(d->params);
    free(d->sentences);
    bench_data_release(&d->data);
}

static void decode_batch(void *context, int task, int member)
{
    struct decoding *d = context;
    struct arena *arena = &d->arenas[member];
    const struct shortlist *shortlist = &d->shortlist;
    const struct ensemble ensemble = {
        .members = &d->weights, .count = 1, .shortlists = shortlist->begin ? &shortlist : NULL};
    const int from = task * d->batch, sents = d->count - from < d->batch ? d->count - from : d->batch;
    arena_reset(arena);
    struct hypothesis *best = ARENA_NEW(arena, sents, struct hypothesis);
    int *found = ARENA_NEW(arena, sents, int);
    beam_search(best, found, &ensemble, d->sentences + from, (size_t)sents, &d->options, arena);
}

/* Sentences per second. */
static double decode_all(struct decoding *d)
{
    const double begin = clock_seconds();
    team_run(d->team, decode_batch, d, (d->count + d->batch - 1) / d->batch);
    return d->count / (clock_seconds() - begin);
}

void bench_decode(const struct bench *b)
{
    struct decoding d;
    double rates[MAX_ROUNDS];
    decoding_init(&d, b);
    decode_all(&d); /* warm-up */
    for (int round = 0; round < b->rounds; round++)
        rates[round] = decode_all(&d);
    struct json *result = json_new_object();
    json_set_array(result, "sentences_per_second", rates, b->rounds);
    json_set_number(result, "source_tokens_per_sentence", (double)d.tokens / d.count);
    if (b->shortlist)
        json_set_number(result, "words_per_sentence", words_per_sentence(&d));
    bench_print(result);
    decoding_release(&d);
}
